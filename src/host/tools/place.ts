import * as vscode from 'vscode';
import type { WhyExcluded } from '../context/gather.ts';
import { folderAround, realUri } from '../exclusions.ts';
import { ToolRefusal } from './refusal.ts';

/**
 * A file or folder of the workspace by the name a model gives it. Throws a ToolRefusal where it is outside of all
 * workspace folders, by its name or by where links lead, or may not leave.
 */
export async function locate(path: string, whyExcluded: WhyExcluded): Promise<vscode.Uri> {
  const uri = named(path);
  if (uri === null || !(await isInside(uri))) throw new ToolRefusal(`Refused: ${path} is not in the workspace.`);
  const reason = await whyExcluded(uri.toString());
  if (reason === null) return uri;
  throw new ToolRefusal(`Refused: ${path} may not leave this machine: it is excluded by ${reason}.`);
}

/** Whether a file really lies in the workspace. */
export async function isInside(uri: vscode.Uri): Promise<boolean> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.some((folder) => folder.uri.toString() === uri.toString())) return true;
  return (await folderAround(await realUri(uri))) !== null;
}

/** As vscode.workspace.asRelativePath() writes it: with the folder's name first, where there are several. */
function named(path: string): vscode.Uri | null {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (first === undefined) return null;
  const root = folders.find(({ uri }) => path === uri.path || path.startsWith(`${uri.path.replace(/\/$/, '')}/`));
  if (root !== undefined) return root.uri.with({ path });
  if (path.startsWith('/')) return null;
  const [name = '', ...rest] = path.replace(/^\.\//, '').split('/');
  const folder = folders.length > 1 ? folders.find((one) => one.name === name) : undefined;
  return folder === undefined ? vscode.Uri.joinPath(first.uri, path) : vscode.Uri.joinPath(folder.uri, ...rest);
}
