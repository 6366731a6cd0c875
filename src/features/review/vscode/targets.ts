import * as vscode from 'vscode';
import { readBytes } from '../../../platform/files/readBytes.ts';
import { relativePath } from '../../../platform/files/relativePath.ts';
import { documentContent, type MakeOptions, makeContent } from '../../../platform/sources/maker.ts';
import { languageOf } from '../../../review/languages.ts';
import type { Gap, NotReviewed } from '../../../review/report.ts';
import { abortedError } from '../../../util/errors.ts';
import type { ReviewTarget } from './plan.ts';

const options: MakeOptions = { outside: 'refuse' };

/**
 * The maximum size of a file in bytes. Larger files are not hand-written source, and a review of them would not be
 * readable.
 */
const maxFile = 1024 * 1024;

/** Returns the document to review, or null if it must not be sent. */
export async function targetOf(document: vscode.TextDocument): Promise<ReviewTarget | null> {
  const made = await documentContent(document, options);
  if (!made.ok) return null;
  const { uri, languageId } = document;
  return { name: nameOf(uri), uri: uri.toString(), languageId, content: made.content };
}

export function nameOf(uri: vscode.Uri): string {
  return uri.scheme === 'untitled' ? uri.path : relativePath(uri);
}

export interface Targets {
  readonly targets: readonly ReviewTarget[];
  /** The number of files that must not be sent. */
  readonly excluded: number;
  readonly gaps: readonly NotReviewed[];
}

/**
 * Reads the files that may be reviewed, and lists by name the files that may not be reviewed or cannot be read. Rejects
 * if the user cancels.
 */
export async function readTargets(uris: readonly vscode.Uri[], signal: AbortSignal): Promise<Targets> {
  const targets: ReviewTarget[] = [];
  const gaps: NotReviewed[] = [];
  let excluded = 0;
  for (const uri of uris) {
    if (signal.aborted) throw abortedError();
    const read = await readTarget(uri);
    if (read === null) excluded += 1;
    else if ('reason' in read) gaps.push({ ...read, file: nameOf(uri), isPartial: false });
    else if (read.content.text.trim() !== '') targets.push(read);
  }
  return { targets, excluded, gaps };
}

/** Reads a file to review. Returns null if it must not be sent. */
async function readTarget(uri: vscode.Uri): Promise<ReviewTarget | Gap | null> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open !== undefined) return open.getText().length > maxFile ? { reason: 'too-large' } : targetOf(open);
  let gap: Gap | undefined;
  const read = async (): Promise<string> => {
    const file = await readFile(uri);
    if (typeof file === 'string') return file;
    gap = file;
    return '';
  };
  const made = await makeContent([uri], read, options);
  if (!made.ok) return null;
  if (gap !== undefined) return gap;
  return { name: nameOf(uri), uri: uri.toString(), languageId: languageOf(uri.path), content: made.content };
}

async function readFile(uri: vscode.Uri): Promise<string | Gap> {
  try {
    const bytes = await readBytes(uri, maxFile);
    if (bytes === null) return { reason: 'too-large' };
    if (bytes.subarray(0, 8192).includes(0)) return { reason: 'binary' };
    // Decodes the text like VS Code when it opens a file: without the byte order mark.
    return new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes);
  } catch {
    return { reason: 'unreadable' };
  }
}
