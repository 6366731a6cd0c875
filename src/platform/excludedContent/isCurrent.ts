import * as vscode from 'vscode';
import { unnumbered } from '../../gate/numbered.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import { isGone } from '../files/isGone.ts';
import { readExcluded } from './readExcluded.ts';

/** The minimum length of a line that is compared, because shorter lines are in many files. */
const minLine = 8;
/** The minimum share of the lines that a file must still have after edits. */
const minShare = 0.5;
const maxParts = 50;

/**
 * Whether the files of an attachment still exist under their names, and its file still has at least half of its lines.
 * Otherwise the text may have been moved to another file, and another file may have the name.
 */
export async function isCurrent(attachment: Attachment): Promise<boolean> {
  if ((await goneFrom(attachment)).length > 0) return false;
  const { uri, covers = [] } = attachment;
  const now = await linesNow(vscode.Uri.parse(uri, true));
  // The URI of a diff or a listing is that of a folder. There may now be a folder in place of the file, or a file that is not
  // text.
  if (now === null) return covers.length > 0 && covers.every((covered) => covered.uri !== uri);
  return hasMostOf(unnumbered(attachment.text, attachment.firstLine), now);
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

/** The current text of a file. */
export interface TextNow {
  readonly text: string;
  readonly lines: ReadonlySet<string>;
}

/** Returns the current text of a file with its lines, or null if the file has no text. */
export async function linesNow(uri: vscode.Uri): Promise<TextNow | null> {
  const text = await textNow(uri);
  return text === null ? null : { text, lines: new Set(linesOf(text)) };
}

async function textNow(uri: vscode.Uri): Promise<string | null> {
  // Saved documents are not used: VS Code keeps the text of a file for a while after something else has replaced the file.
  const open = vscode.workspace.textDocuments.find((one) => one.isDirty && one.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  const read = await readExcluded(uri);
  return typeof read === 'string' ? null : read.texts.join('\n');
}

/** Whether at least half of the lines of a text are lines of a file, or parts of them. */
export function hasMostOf(text: string, now: TextNow): boolean {
  const lines = [...new Set(linesOf(text))];
  const missing = lines.filter((line) => !now.lines.has(line));
  // The first and the last line may be parts; searching for each of many would take too long.
  const parts = missing.slice(0, maxParts).filter((line) => now.text.includes(line)).length;
  return missing.length - parts <= lines.length * (1 - minShare);
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= minLine);
}
