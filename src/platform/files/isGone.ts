import * as vscode from 'vscode';

/** Whether a file or folder does not exist. Returns false if it cannot be queried. */
export async function isGone(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return isNotFound(error);
  }
}

/** Whether an error states that a file or folder does not exist. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof vscode.FileSystemError && (error.code === 'FileNotFound' || error.code === 'FileNotADirectory')
  );
}

/** Whether a file or folder is known to exist. Returns false if it cannot be queried. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
