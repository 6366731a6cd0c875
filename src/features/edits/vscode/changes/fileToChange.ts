import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { ReadFiles } from '../../../../platform/sources/ignored/exclusions.ts';
import { isNotebook } from '../../../../platform/sources/notebook.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import { locate, pathOf, ToolRefusal } from '../../../tools/vscode/own/place.ts';
import { isGuardedFile } from '../confirm.ts';
import { findAnswerFile } from '../placing/answerFile.ts';
import { isGuarded, safeParseAnswerPath } from '../placing/answerPath.ts';
import { isReadOnlyBySetting } from '../readOnlySetting.ts';

const t = vscode.l10n.t;

/** A file that a model names to change it. */
export interface FileToChange {
  /** The path below the workspace folder, with links resolved. The same file always has the same path. */
  readonly path: string;
  readonly uri: vscode.Uri;
  readonly exists: boolean;
}

/**
 * Finds a file by the path that a model names. Throws a ToolRefusal if the file may not be changed: it is outside the workspace
 * folders, wherever links lead, excluded, guarded, read-only by a setting, no regular file, or a notebook.
 */
export async function fileToChange(named: string): Promise<FileToChange> {
  const files: ReadFiles = new Map();
  const uri = await locate(named, files);
  // It is null for a file in one of two workspace folders of the same name, which only its full path tells apart.
  const below = safeParseAnswerPath(pathOf(uri));
  // locate() removes parts such as `.` and double slashes.
  if (below === null || (named !== uri.path && safeParseAnswerPath(named) === null)) throw wrongPath();
  if (isGuarded(below)) throw guarded();
  const found = await findAnswerFile(below, 'refuse', files);
  if (!found.ok) throw wrongPath();
  const { uri: real, exists } = found;
  const path = pathOf(real);
  if (path === real.path) throw wrongPath();
  if (isGuarded(path) || (await isGuardedFile(real))) throw guarded();
  if (isReadOnlyBySetting(real)) {
    throw new ToolRefusal(ownText`Refused: the user's setting files.readonlyInclude makes this file read-only.`);
  }
  if (isNotebook(real)) throw new ToolRefusal(ownText`Refused: notebooks cannot be changed by tools.`);
  return { path, uri: real, exists };
}

/** Finds the file of a change again. Throws a Refusal if it may no longer be changed, or if its name leads to another file now. */
export async function fileOfChange(path: string): Promise<vscode.Uri> {
  try {
    const found = await fileToChange(path);
    if (found.path === path) return found.uri;
  } catch (error) {
    // Its words are for the model.
    if (!(error instanceof ToolRefusal)) throw error;
  }
  throw new Refusal(t('{0} may no longer be changed, or leads to another file now.', path));
}

function wrongPath(): ToolRefusal {
  return new ToolRefusal(
    ownText`Refused: this path does not name a regular file below a workspace folder, or has characters that not all systems allow. In a workspace of several folders, begin with the name of the folder.`,
  );
}

function guarded(): ToolRefusal {
  return new ToolRefusal(
    ownText`Refused: this file decides what runs here, or what assistants are told. Say in your answer what should change.`,
  );
}
