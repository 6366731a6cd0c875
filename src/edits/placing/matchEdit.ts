import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank } from '../text/lines.ts';
import { Code } from '../text/units.ts';
import { isElision } from './elision.ts';
import { exactFit, mayStandAt, plain, type Rule } from './exactFit.ts';
import { type Near, nearest } from './nearest.ts';

/** A text of a file, and its replacement. */
export interface TextEdit {
  readonly old: string;
  readonly now: string;
  /** Whether the old text is replaced at each of its places. Otherwise it must have only one. */
  readonly isForAll?: boolean;
}

/** The edited file, or the reason why the edit has no place. Lines are counted from 0. */
export type EditMatch =
  | {
      readonly is: 'fit';
      readonly rule: Rule;
      /** All lines of the edited file. */
      readonly lines: readonly string[];
      /** The first and the last line of them that the edit put there. */
      readonly put: Span;
      /** The number of places. */
      readonly count: number;
    }
  | EditRefusal;

export type EditRefusal =
  | { readonly is: 'blank' | 'same' | 'tooLong' }
  /** A line of the old or the new text stands for code that was left out. */
  | { readonly is: 'leftOut'; readonly text: 'old' | 'now'; readonly line: number }
  /** The first places. */
  | { readonly is: 'ambiguous'; readonly at: readonly number[] }
  /** `near`: the lines that have most of the old text; null if no line has any of it. */
  | { readonly is: 'nowhere'; readonly near: Near | null };

/** The maximum number of places of an ambiguous text that are named. */
const maxNamed = 10;
/** The maximum length in characters of a file whose text is replaced at each place: a short text may occur very often. */
const maxChars = 2_000_000;

/**
 * Replaces a text that occurs exactly once in a file: exactly and anywhere, or else in whole lines, by the rules of
 * exactFit(). Nothing is guessed: the edit is refused if it has no place, or several, or leaves out code. `file` has the lines.
 */
export function matchEdit(file: readonly string[], edit: TextEdit, languageId: string): EditMatch {
  const [old, now] = [edit.old, edit.now].map((text) => text.replace(/\r\n?/g, '\n')) as [string, string];
  if (old === now) return { is: 'same' };
  const leftOut = leftOutOf(file, { old, now }, languageId);
  if (leftOut !== null) return leftOut;
  if (isBlank(old)) return file.every(isBlank) ? filled(now) : { is: 'blank' };
  const found = edit.isForAll === true ? everywhere(file, old, now) : inOnePlace(file, { old, now }, languageId);
  const isSame =
    found.is === 'fit' && found.lines.length === file.length && found.lines.every((line, at) => line === file[at]);
  return isSame ? { is: 'same' } : found;
}

/** Returns the first text of an empty file. */
function filled(now: string): EditMatch {
  const lines = now.split('\n');
  return { is: 'fit', rule: 1, lines, put: { start: 0, end: lines.length }, count: 1 };
}

function inOnePlace(file: readonly string[], { old, now }: TextEdit, languageId: string): EditMatch {
  const text = file.join('\n');
  const at = placesIn(text, old, maxNamed);
  const [only, ...others] = at;
  if (others.length > 0) return { is: 'ambiguous', at: at.map((offset) => lineAt(text, offset)) };
  if (only !== undefined && mayStandAt(text, only, { old, now }))
    return replaced(text, [only], old, indentedAt(text, only, { old, now }));

  const inText = (lines: readonly string[]): readonly boolean[] => new Code(lines, languageId).scan.inText;
  const change = { old: old.split('\n'), replacement: now === '' ? [] : now.split('\n') };
  const fit = exactFit(file, change, true, inText);
  if (fit.is === 'ambiguous') return { is: 'ambiguous', at: fit.at.slice(0, maxNamed) };
  if (fit.is === 'nowhere') return { is: 'nowhere', near: nearest(file, change.old) };
  const lines = [file.slice(0, fit.start), fit.lines, file.slice(fit.end)].flat();
  // A text without letters has one line, too.
  return {
    is: 'fit',
    rule: fit.rule,
    lines: lines.length === 0 ? [''] : lines,
    put: { start: fit.start, end: fit.start + fit.lines.length },
    count: 1,
  };
}

/**
 * Returns the new text for a part of a line. If there is only white space before the part, the new lines after the first may
 * have lost that indentation, too: it is added to them, unless each of them is indented like the line.
 */
function indentedAt(text: string, at: number, { old, now }: TextEdit): string {
  const lost = text.slice(text.lastIndexOf('\n', at - 1) + 1, at);
  if (!isBlank(lost) || old.trimEnd().includes('\n')) return now;
  const [first, ...rest] = now.split('\n');
  const whole = lost + indentOf(old);
  if (rest.every((line) => isBlank(line) || line.startsWith(whole))) return now;
  return [first, ...rest.map((line) => (isBlank(line) ? line : lost + line))].join('\n');
}

function everywhere(file: readonly string[], old: string, now: string): EditMatch {
  const text = file.join('\n');
  const at: number[] = [];
  for (let next = text.indexOf(old); next !== -1; next = text.indexOf(old, next + old.length)) at.push(next);
  if (text.length + at.length * now.length > maxChars) return { is: 'tooLong' };
  const isAnywhere = at.length > 0 && at.every((place) => mayStandAt(text, place, { old, now }));
  return !isAnywhere ? { is: 'nowhere', near: nearest(file, old.split('\n')) } : replaced(text, at, old, now);
}

/** Replaces the old text at each of these places, which do not overlap. */
function replaced(text: string, at: readonly number[], old: string, now: string): EditMatch {
  const parts: string[] = [];
  let from = 0;
  let length = 0;
  let first: number | undefined;
  for (const place of at) {
    const { start, end, put } = pieceAt(text, place, old, now);
    // The line break before a removed last line may have been removed with the line before it.
    const kept = text.slice(from, Math.max(from, start));
    parts.push(kept, put);
    first ??= start;
    length += kept.length + put.length;
    from = end;
  }
  const edited = parts.join('') + text.slice(from);
  const put = { start: lineAt(edited, first ?? 0), end: lineAt(edited, length) + 1 };
  return { is: 'fit', rule: 1, lines: edited.split('\n'), put, count: at.length };
}

/**
 * Returns the part of the text to replace at a place, and its replacement. A line break at the end of the old text stays, so
 * that the new text is never joined to the next line. Whole lines without a replacement are removed with their line break.
 */
function pieceAt(text: string, at: number, old: string, now: string): Span & { readonly put: string } {
  const hasEnd = old.endsWith('\n');
  const end = at + old.length - (hasEnd ? 1 : 0);
  const isWhole = (at === 0 || text[at - 1] === '\n') && (end === text.length || text[end] === '\n');
  if (now !== '' || !isWhole) return { start: at, end, put: hasEnd && now.endsWith('\n') ? now.slice(0, -1) : now };
  return end < text.length ? { start: at, end: end + 1, put: '' } : { start: Math.max(0, at - 1), end, put: '' };
}

/** Returns the first places of a text in another, at most `max`. They may overlap. */
function placesIn(text: string, wanted: string, max: number): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1 && found.length < max; at = text.indexOf(wanted, at + 1))
    found.push(at);
  return found;
}

function lineAt(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}

/** Finds a line that stands for omitted code and that the file does not have. */
function leftOutOf(file: readonly string[], edit: TextEdit, languageId: string): EditRefusal | null {
  let known: ReadonlySet<string> | undefined;
  const letters = (line: string): string => plain(line).trim();
  for (const text of ['old', 'now'] as const) {
    const lines = edit[text].split('\n');
    for (const [at, line] of lines.entries()) {
      // Dots are a statement in Python. In other languages they are not, also after a colon.
      const isDots = /^\s*(?:\.{3,}|…)\s*$/.test(line);
      if (isDots ? languageId === 'python' : !isElision(line, lines[at - 1])) continue;
      known ??= new Set(file.map(letters));
      if (!known.has(letters(line))) return { is: 'leftOut', text, line: at };
    }
  }
  return null;
}
