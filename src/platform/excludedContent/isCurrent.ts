import * as vscode from 'vscode';
import { unnumbered } from '../../gate/numbered.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import { isGone } from '../files/isGone.ts';
import { readExcluded } from './readExcluded.ts';

/** The minimum length of a long line; shorter lines are in many files. */
export const minLine = 8;
/** The minimum share of the lines that a file must still have after edits. */
const minShare = 0.5;
const maxParts = 50;

/**
 * Whether the files of an attachment still exist under their names, and still have at least half of its lines. Otherwise the
 * text may have been moved to another file, and another file may have the name.
 */
export async function isCurrent(attachment: Attachment): Promise<boolean> {
  if ((await goneFrom(attachment)).length > 0) return false;
  const uri = vscode.Uri.parse(attachment.uri, true);
  const now = await textNow(uri);
  if (now !== null) return hasMostOf(unnumbered(attachment.text, attachment.firstLine), now);
  // There may now be a folder in place of the file, or a file that is not text.
  return attachment.languageId === 'diff' && isDiffCurrent(uri, attachment.text);
}

/** Whether each file of a diff of a repository still has at least half of the lines that the diff shows of its new version. */
async function isDiffCurrent(root: vscode.Uri, text: string): Promise<boolean> {
  for (const diff of text.split(/^(?=diff --git )/m)) {
    if (isPauseDue()) await pause();
    const start = diff.search(/^@@ /m);
    if (start === -1) continue;
    const path = /^\+\+\+ b\/(.+?)\t?$/m.exec(diff.slice(0, start))?.[1];
    const now = path === undefined ? null : await textNow(vscode.Uri.joinPath(root, path));
    const lines = [...diff.slice(start).matchAll(/^[+ ](.*)$/gm)].map(([, line]) => line);
    if (now === null || lines.length === 0 || !hasMostOf(lines.join('\n'), now)) return false;
  }
  return true;
}

/** Returns the files of an attachment that no longer exist under their names. */
export async function goneFrom({ uri, covers = [] }: Attachment): Promise<readonly vscode.Uri[]> {
  const missing: vscode.Uri[] = [];
  for (const name of new Set([uri, ...covers.map((covered) => covered.uri)])) {
    const file = vscode.Uri.parse(name, true);
    if (await isGone(file)) missing.push(file);
  }
  return missing;
}

/** Returns the current text of a file, or null if the file has no text. */
export async function textNow(uri: vscode.Uri): Promise<string | null> {
  // Saved documents are not used: VS Code keeps the text of a file for a while after something else has replaced the file.
  const open = vscode.workspace.textDocuments.find((one) => one.isDirty && one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  const read = await readExcluded(uri);
  return typeof read === 'string' ? null : read.texts.join('\n');
}

/** Whether at least half of the lines of a text are lines of a file, or parts of them. */
function hasMostOf(text: string, now: string): boolean {
  const lines = [...new Set(linesOf(text))];
  const linesNow = new Set(linesOf(now));
  // The first and the last line may be parts; searching for each of many would take too long.
  const isEnd = (line: string): boolean => line === lines[0] || line === lines.at(-1);
  const missing = lines.filter((line) => !linesNow.has(line) && (line.length >= minLine || isEnd(line)));
  const parts = new Set(missing.slice(0, maxParts).filter((line) => now.includes(line)));
  return areMostIn(lines, (line) => linesNow.has(line) || parts.has(line));
}

/** Whether at least half of the lines are in a file, and of the long ones, too. */
export function areMostIn(lines: readonly string[], isIn: (line: string) => boolean): boolean {
  const areMost = (some: readonly string[]): boolean => some.filter(isIn).length >= some.length * minShare;
  return areMost(lines) && areMost(lines.filter((line) => line.length >= minLine));
}

/** Returns the trimmed lines that are not empty. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
