import * as vscode from 'vscode';
import { isBelow } from '../files/links.ts';
import { showWarning } from '../messages/show.ts';

const t = vscode.l10n.t;

/** The real paths that the user agreed to in this window, which are then read without asking again. */
const agreedPaths = new Set<string>();

/** Whether the user agreed to a file, or to a folder that contains it. */
export function isAgreed(realPath: string): boolean {
  return [...agreedPaths].some((path) => path === realPath || isBelow(path, realPath));
}

/**
 * Asks the user whether a file outside every workspace folder may be attached, or, with `isLinked`, a file in a workspace
 * folder that also has a name outside (a hard link).
 */
export async function mayAttachOutside(realPath: string, isLinked = false): Promise<boolean> {
  if (isAgreed(realPath)) return true;
  const attach = t('Attach Anyway');
  const question = isLinked
    ? t('This file also has a name outside the workspace. Attach it?')
    : t('This file is outside the workspace. Attach it?');
  const detail = isLinked
    ? t('{0}\n\nThe other name of this file was not found. It may be that of an excluded file.', realPath)
    : t('{0}\n\nThe ignore files of the workspace do not apply to it.', realPath);
  const chosen = await showWarning(question, { modal: true, detail }, attach);
  if (chosen !== attach) return false;
  agreedPaths.add(realPath);
  return true;
}
