import type * as vscode from 'vscode';
import { otherNames } from '../../../platform/files/hardLinks.ts';
import { realUri } from '../../../platform/files/links.ts';

/** Whether a path of a file is meant: a link is treated as its target, and a hard link as each of its names. */
export async function someName(uri: vscode.Uri, isMeant: (path: string) => boolean): Promise<boolean> {
  const real = (await realUri(uri)) ?? uri;
  if (isMeant(uri.path) || isMeant(real.path)) return true;
  const names = await otherNames(real);
  return names !== null && (names.hasMore || names.found.some(({ path }) => isMeant(path)));
}
