import * as vscode from 'vscode';
import { isGone } from '../../../../platform/files/isGone.ts';

/**
 * The folders that were made for files, so that each goes with the file that it was made for. A file that is created,
 * renamed and created again has an entry for each time, the last of which is undone first.
 */
export class MadeFolders {
  readonly #made = new Map<string, Set<string>[]>();

  /** Makes the folders that a new file needs. */
  async makeFor(file: vscode.Uri): Promise<void> {
    const missing = await missingAbove(file);
    const entries = this.#made.get(file.toString()) ?? [];
    this.#made.set(file.toString(), [...entries, new Set(missing)]);
    if (missing.length > 0) await vscode.workspace.fs.createDirectory(above(file));
  }

  /** Makes the folders that a file needs which was there before. */
  async makeAgainFor(file: vscode.Uri): Promise<void> {
    const missing = await missingAbove(file);
    const last = this.#made.get(file.toString())?.at(-1);
    for (const folder of missing) last?.add(folder);
    if (missing.length > 0) await vscode.workspace.fs.createDirectory(above(file));
  }

  /** Removes the folders that were made for a file the last time, if they are empty. */
  async removeFor(file: vscode.Uri): Promise<void> {
    const made = this.#made.get(file.toString())?.pop();
    for (let folder = above(file); made?.has(folder.toString()); folder = above(folder)) {
      if (!(await removeIfEmpty(folder))) return;
    }
  }
}

/** The folders above a file that do not exist. */
async function missingAbove(file: vscode.Uri): Promise<readonly string[]> {
  const missing: string[] = [];
  for (let folder = above(file); await isGone(folder); folder = above(folder)) {
    missing.push(folder.toString());
    if (above(folder).path === folder.path) break;
  }
  return missing;
}

function above(uri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(uri, '..');
}

/** Removes a folder if it is empty. Returns whether it is gone. */
async function removeIfEmpty(folder: vscode.Uri): Promise<boolean> {
  try {
    if ((await vscode.workspace.fs.readDirectory(folder)).length > 0) return false;
    // VS Code rejects this if the folder has got a file since.
    await vscode.workspace.fs.delete(folder, { recursive: false });
    return true;
  } catch {
    return isGone(folder);
  }
}
