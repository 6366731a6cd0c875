import * as vscode from 'vscode';
import type { Attachment } from '../../session/conversation/attachment.ts';
import { isGone } from '../sources/isGone.ts';
import { readExcluded } from './readExcluded.ts';

/** Shorter lines are in many files. */
const shortestLine = 8;
/** A file that was edited since still has this share of the lines. */
const leastShare = 0.5;

/**
 * Whether the files of an attachment still exist under their names, and the file that it was made of has at least half of
 * its lines. Otherwise the text may have been moved to another file, and another one may have its name.
 */
export async function isCurrent({ uri, covers = [], text }: Attachment): Promise<boolean> {
  for (const name of new Set([uri, ...covers.map((covered) => covered.uri)])) {
    if (await isGone(vscode.Uri.parse(name, true))) return false;
  }
  const now = await textNow(vscode.Uri.parse(uri, true));
  // The address of a diff or a listing is a folder.
  return now === null || shareOf(text, now) >= leastShare;
}

async function textNow(uri: vscode.Uri): Promise<string | null> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText();
  const read = await readExcluded(uri);
  return typeof read === 'string' ? null : read.texts.join('\n');
}

function shareOf(text: string, now: string): number {
  const lines = new Set(linesOf(text));
  if (lines.size === 0) return now.includes(text.trim()) ? 1 : 0;
  const there = new Set(linesOf(now));
  return [...lines].filter((line) => there.has(line)).length / lines.size;
}

function linesOf(text: string): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= shortestLine);
}
