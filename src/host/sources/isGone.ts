import * as vscode from 'vscode';

/** Whether there is no such file or folder any more. One that cannot be asked about may still be there. */
export async function isGone(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return false;
  } catch (error) {
    return (
      error instanceof vscode.FileSystemError && (error.code === 'FileNotFound' || error.code === 'FileNotADirectory')
    );
  }
}
