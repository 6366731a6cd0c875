import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { isBelow } from './links.ts';

/**
 * Returns the path of a document below its workspace folder, or else with `~` for the home folder: a whole path may name the user.
 * Unlike asRelativePath() of VS Code, also for a cell of a notebook and for an older version of a file, which have schemes of their
 * own.
 */
export function relativePath(uri: vscode.Uri): string {
  const { workspace } = vscode;
  const around = (workspace.workspaceFolders ?? []).find((folder) => isBelow(folder.uri.path, uri.path));
  const isOther = around !== undefined && workspace.getWorkspaceFolder(uri) === undefined;
  const path = workspace.asRelativePath(isOther ? around.uri.with({ path: uri.path }) : uri);
  const home = homedir();
  return path.startsWith(home) && /^[\\/]/.test(path.slice(home.length)) ? `~${path.slice(home.length)}` : path;
}
