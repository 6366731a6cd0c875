import type { Content, MadeText } from '../gate/content.ts';
import { unifiedDiff } from '../gate/unifiedDiff.ts';
import { type Attachment, isWithoutFile } from './message/attachment.ts';

/** The minimum number of characters of a file that is sent as changes. */
const minLength = 1000;
/** The maximum number of characters and lines of a file that is compared: a comparison is one uninterrupted step. */
const maxLength = 256 * 1024;
const maxLines = 8000;
/** The hunks have at most this share of the file's characters. */
const maxShare = 1 / 2;

/**
 * Returns the hunks of a unified diff from a file that is in a request to the same file as it is now, or null if the file
 * has to be sent whole: it has secrets, it is no complete file, or most of it has changed.
 */
export function changesBetween(before: Attachment, now: Attachment): MadeText | null {
  if (!isComparable(before) || !isComparable(now) || !isSameSource(before, now)) return null;
  const known = hunksFrom.get(before)?.get(now);
  if (known !== undefined) return known;
  const hunks = isMostlyNew(before.text, now.text) ? null : shortHunks(before, now);
  const ofBefore = hunksFrom.get(before) ?? new WeakMap<Attachment, MadeText | null>();
  hunksFrom.set(before, ofBefore.set(now, hunks));
  return hunks;
}

/** Cached, because a conversation sends the same files again and again. */
const hunksFrom = new WeakMap<Attachment, WeakMap<Attachment, MadeText | null>>();

function isComparable(file: Attachment): boolean {
  const { marks, firstLine, languageId, text } = file;
  const isScanned = marks !== undefined && marks.length === 0;
  // The lines of a diff are counted from the beginning of a file.
  const isWholeFile = firstLine === 1 && languageId !== 'diff' && !isWithoutFile(file);
  return (
    isScanned && isWholeFile && text.length >= minLength && text.length <= maxLength && !hasMoreLines(text, maxLines)
  );
}

function hasMoreLines(text: string, limit: number): boolean {
  let at = -1;
  for (let count = 0; count < limit; count += 1) {
    at = text.indexOf('\n', at + 1);
    if (at === -1) return false;
  }
  return true;
}

function isSameSource(a: Attachment, b: Attachment): boolean {
  return a.uri === b.uri && a.label === b.label && JSON.stringify(a.covers) === JSON.stringify(b.covers);
}

/** Whether most of a file is new. This needs no comparison, which takes longest for such files. */
function isMostlyNew(before: string, now: string): boolean {
  const lines = new Set(before.split('\n'));
  const added = now.split('\n').reduce((sum, line) => sum + (lines.has(line) ? 0 : line.length + 1), 0);
  return added > now.length * maxShare;
}

function shortHunks(before: Attachment, now: Attachment): MadeText | null {
  const { text } = unifiedDiff(contentOf(before), contentOf(now), { lineEnds: 'exact' }).hunks;
  return text.length > now.text.length * maxShare ? null : text;
}

function contentOf({ text, marks = [], covers = [] }: Attachment): Content {
  return { text, marks, covers };
}
