import type * as vscode from 'vscode';
import { otherNames } from '../../../platform/files/hardLinks.ts';
import { realUri } from '../../../platform/files/links.ts';
import { guardedNames } from './placing/guardedLinks.ts';

/**
 * Whether a path of a file is meant: a link is treated as its target, a hard link as each of its names, and the target of a
 * link as the link, if the name of the link is guarded.
 */
export async function someName(uri: vscode.Uri, isMeant: (path: string) => boolean): Promise<boolean> {
  const real = (await realUri(uri)) ?? uri;
  if (isMeant(uri.path) || isMeant(real.path) || (await guardedNames(real)).some(isMeant)) return true;
  const names = await otherNames(real);
  return names !== null && (names.hasMore || names.found.some(({ path }) => isMeant(path)));
}
