import { matchLines } from '../../util/text/lineDiff.ts';
import { indentOf, isBlank } from '../text/lines.ts';
import { occurrences } from './occurrences.ts';
import type { Patch } from './patch.ts';

/** Old lines, and the lines that replace them. */
export interface Change {
  readonly old: readonly string[];
  readonly replacement: readonly string[];
}

/** The rule that found the place: 1 exactly, 2 without trailing white space, 3 with plain quotation marks, 4 without indentation. */
export type Rule = 1 | 2 | 3 | 4;

/** The place of a change: lines of the file, and their replacement. */
export type ExactFit =
  | ({ readonly is: 'fit'; readonly rule: Rule } & Patch)
  | { readonly is: 'ambiguous'; readonly at: readonly number[] }
  | { readonly is: 'nowhere' };

/**
 * Finds the one place where the old lines of a change occur: unchanged; or else without white space at line endings; or else with
 * plain quotation marks, dashes and spaces; or else with another indentation, if a single shift explains every line. If there are
 * several places, none is used. Lines that the change keeps stay as the file has them. `inText` returns which lines begin in a
 * string; their content is moved only if that of the old lines is moved, too.
 */
export function exactFit(
  file: readonly string[],
  { old, replacement }: Change,
  mayMove = true,
  inText: (lines: readonly string[]) => readonly boolean[] = () => [],
): ExactFit {
  const [first, last] = [old.findIndex((line) => !isBlank(line)), old.findLastIndex((line) => !isBlank(line))];
  if (first === -1) return { is: 'nowhere' };
  const wanted = old.slice(first, last + 1);
  for (const [rule, way] of mayMove ? ways : ways.slice(0, 3)) {
    const found = occurrences(file.map(way), wanted.map(way), mostPlaces + 1);
    // Checking each of so many places takes too long.
    if (found.length > mostPlaces) return { is: 'ambiguous', at: found };
    const isInText = rule === 4 && found.length > 0 ? inText(wanted) : [];
    const fits = found.flatMap((start) => {
      const fileLines = file.slice(start, start + wanted.length);
      const shift = rule === 4 ? shiftAround(wanted, fileLines, isInText) : asItIs;
      return shift === null ? [] : [{ start, fileLines, shift }];
    });
    const [only, ...others] = fits;
    if (others.length > 0) return { is: 'ambiguous', at: fits.map(({ start }) => start) };
    if (only === undefined) continue;
    const put = trimmedLike(old, replacement, first, last);
    const lines = kept(wanted, only.fileLines, put, only.shift, rule === 4 ? inText([...put, '']) : []);
    if (lines === null) return { is: 'nowhere' };
    return { is: 'fit', rule, start: only.start, end: only.start + wanted.length, lines };
  }
  return inLines(file, wanted, trimmedLike(old, replacement, first, last));
}

/** How lines are compared by each rule. */
const ways: readonly (readonly [Rule, (line: string) => string])[] = [
  [1, (line) => line],
  [2, (line) => line.trimEnd()],
  [3, plain],
  [4, (line) => plain(line).trimStart()],
];
/** The maximum number of places whose indentation is compared. */
const mostPlaces = 50;
const asItIs: Shift = (line) => line;

/** Finds a text that begins or ends within a line. */
function inLines(file: readonly string[], old: readonly string[], replacement: readonly string[]): ExactFit {
  const [text, wanted, put] = [file.join('\n'), old.join('\n'), replacement.join('\n')];
  const at = wanted.length < 12 ? -1 : text.indexOf(wanted);
  if (at === -1 || !mayStandAt(text, at, { old: wanted, now: put })) return { is: 'nowhere' };
  const lineOf = (offset: number): number => text.slice(0, offset).split('\n').length - 1;
  const start = lineOf(at);
  const again = text.indexOf(wanted, at + 1);
  if (again !== -1) return { is: 'ambiguous', at: [start, lineOf(again)] };
  const end = lineOf(at + wanted.length) + 1;
  const { before, after } = aroundIn(text, at, wanted);
  return { is: 'fit', rule: 1, start, end, lines: `${before}${put}${after}`.split('\n') };
}

/**
 * Whether a text that occurs at a place can be replaced there. If its first or last line is only a part of a line of the file,
 * new lines would be joined to the rest of that line. So both texts must have a single line, or the new text must keep that line.
 */
export function mayStandAt(
  text: string,
  at: number,
  { old, now }: { readonly old: string; readonly now: string },
): boolean {
  const [oldLines, newLines] = [old.split('\n'), now.split('\n')];
  if (oldLines.length === 1 && newLines.length === 1) return true;
  const { before, after } = aroundIn(text, at, old);
  return (isBlank(before) || oldLines[0] === newLines[0]) && (isBlank(after) || oldLines.at(-1) === newLines.at(-1));
}

/** The rest of the first and last line of a part of a text. */
function aroundIn(text: string, at: number, part: string): { readonly before: string; readonly after: string } {
  const end = at + part.length;
  const lineEnd = text.indexOf('\n', end);
  return {
    before: text.slice(text.lastIndexOf('\n', at - 1) + 1, at),
    after: part.endsWith('\n') ? '' : text.slice(end, lineEnd === -1 ? text.length : lineEnd),
  };
}

/** The new lines without the blank lines that they share with the old lines at both ends. */
function trimmedLike(
  old: readonly string[],
  replacement: readonly string[],
  first: number,
  last: number,
): readonly string[] {
  let [start, end] = [0, replacement.length];
  while (start < first && start < end && isBlank(replacement[start] ?? '')) start += 1;
  let after = old.length - 1 - last;
  while (after > 0 && end > start && isBlank(replacement[end - 1] ?? '')) {
    end -= 1;
    after -= 1;
  }
  return replacement.slice(start, end);
}

/**
 * Returns the new lines, shifted like the old ones. Lines that are also among the old ones are as the file has them. `inText`
 * has one more entry: a string without an end may also have begun earlier, so it is unknown which lines are in it.
 */
function kept(
  old: readonly string[],
  fileLines: readonly string[],
  replacement: readonly string[],
  shift: Shift,
  inText: readonly boolean[],
): readonly string[] | null {
  const known = new Map(old.map((line, at) => [line, fileLines[at] ?? line]));
  // An old line may occur in several forms. Each form stays in its place.
  const same = new Map(matchLines(old, replacement).map(([line, at]) => [at, fileLines[line]]));
  // If the quotation marks of the file arrived as typographic ones, so did those of the new lines.
  const isTypographic = fileLines.every(isPlain) && !old.every(isPlain);
  const lines = replacement.map((line, at) => {
    const theirs = same.get(at);
    if (theirs !== undefined) return theirs;
    if (isBlank(line)) return '';
    if (inText[at] === true && inText[replacement.length] === true) return known.get(line) ?? null;
    return known.get(line) ?? shift(isTypographic ? plain(line) : line, inText[at] === true);
  });
  return lines.every((line) => line !== null) ? lines : null;
}

/** Returns a line with another indentation, or null if it cannot have one. */
type Shift = (line: string, isInText: boolean) => string | null;

/** Like shiftOf(), but for lines that may contain strings, which are shifted with the rest or not at all. */
function shiftAround(from: readonly string[], to: readonly string[], text: readonly boolean[]): Shift | null {
  if (!text.includes(true)) {
    const shift = shiftOf(from, to);
    return shift === null ? null : (line, isInText) => (isInText ? line : shift(line));
  }
  const all = shiftOf(from, to);
  if (all !== null) return all;
  const isSame = (line: string, at: number): boolean => text[at] !== true || line.trimEnd() === to[at]?.trimEnd();
  if (!from.every(isSame)) return null;
  const isCode = (_: string, at: number): boolean => text[at] !== true;
  const shift = shiftOf(from.filter(isCode), to.filter(isCode));
  return shift === null ? null : (line, isInText) => (isInText ? line : shift(line));
}

/**
 * Returns the function that changes the indentation of these lines into that of the others, or null if no single change
 * explains every line.
 */
export function shiftOf(from: readonly string[], to: readonly string[]): ((line: string) => string | null) | null {
  const pairs = from.flatMap((line, at): readonly (readonly [string, string])[] =>
    isBlank(line) ? [] : [[indentOf(line), indentOf(to[at] ?? '')]],
  );
  const [[fromIndent, toIndent] = ['', '']] = pairs;
  if (pairs.every(([a, b]) => a === b)) return (line) => line;
  if (toIndent.endsWith(fromIndent)) {
    const added = toIndent.slice(0, toIndent.length - fromIndent.length);
    if (pairs.every(([a, b]) => b === added + a)) return (line) => added + line;
  }
  if (fromIndent.endsWith(toIndent)) {
    const removed = fromIndent.slice(0, fromIndent.length - toIndent.length);
    if (pairs.every(([a, b]) => a === removed + b))
      return (line) => (line.startsWith(removed) ? line.slice(removed.length) : null);
  }
  const map = new Map<string, string>();
  for (const [a, b] of pairs) {
    if ((map.get(a) ?? b) !== b) return null;
    map.set(a, b);
  }
  if (new Set(map.values()).size !== map.size || isInverted([...map])) return null;
  const unit = unitOf(map);
  return (line) => {
    const indent = indentOf(line);
    const known = map.get(indent) ?? (indent === '' ? '' : unit(indent));
    return known === null ? null : known + line.slice(indent.length);
  };
}

/** Whether something that is deeper in one text is less deep in the other. */
function isInverted(pairs: readonly (readonly [string, string])[]): boolean {
  return pairs.some(([a, b]) => pairs.some(([x, y]) => x !== a && x.startsWith(a) && b.startsWith(y)));
}

/** Computes an indentation that does not occur from the ratio of those that occur, or null if they have no common ratio. */
function unitOf(map: ReadonlyMap<string, string>): (indent: string) => string | null {
  const steps = [...map].filter(([a, b]) => a !== '' && b !== '');
  const [[a, b] = ['', '']] = steps;
  const isUniform = (text: string): boolean => text === (text[0] ?? '').repeat(text.length);
  const hasRatio =
    steps.every(([x, y]) => isUniform(x) && isUniform(y) && x[0] === a[0] && y[0] === b[0]) &&
    steps.every(([x, y]) => x.length * b.length === y.length * a.length);
  return (indent) => {
    const length = (indent.length * b.length) / a.length;
    const isKnown = hasRatio && isUniform(indent) && indent[0] === a[0] && Number.isInteger(length);
    return isKnown ? (b[0] ?? '').repeat(length) : null;
  };
}

const plainer: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b]/g, "'"],
  [/[\u201c\u201d\u201e\u201f]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' '],
];

function isPlain(line: string): boolean {
  return plain(line) === line.trimEnd();
}

/** Returns a line with plain quotation marks, dashes and spaces, and without white space at the end. */
export function plain(line: string): string {
  let text = line;
  if (/[^\t-~]/.test(line)) for (const [found, put] of plainer) text = text.replace(found, put);
  return text.trimEnd();
}
