import { isElision } from '../placing/elision.ts';
import type { Change } from '../placing/exactFit.ts';
import { isBlank } from '../text/lines.ts';
import { cleanFile } from './fileName.ts';

/** Changes of one file, each with the lines that it replaces. */
export interface FileChanges {
  readonly file?: string;
  readonly changes: readonly Change[];
  /** The second reading of a diff, in which context lines have no mark as their first character. */
  readonly otherwise?: readonly Change[];
}

const openSearch = /^\s*(?:<{5,9}|-{5,9})\s*(?:SEARCH|ORIGINAL|OLD|BEFORE|FIND)\b.*$/i;
const middle = /^\s*={5,9}\s*(?:REPLACE|UPDATED|NEW|WITH)?\s*$/i;
const closeSearch = /^\s*(?:>{5,9}|\+{5,9})\s*(?:REPLACE|UPDATED|NEW|AFTER|END)\b.*$/i;

/** Whether lines contain search and replace blocks. */
export function hasSearch(lines: readonly string[]): boolean {
  return lines.some((line) => openSearch.test(line)) && lines.some((line) => closeSearch.test(line));
}

/** Whether lines begin a search and replace block, which may have no end yet. */
export function beginsSearch(lines: readonly string[]): boolean {
  return lines.some((line) => openSearch.test(line));
}

/**
 * Reads search and replace blocks, each with the file named in the line before it. Returns null if a block has no end.
 */
export function readSearch(
  lines: readonly string[],
  nameIn: (line: string) => string | undefined,
): readonly FileChanges[] | null {
  const files: { file?: string; changes: Change[] }[] = [];
  let from = 0;
  for (let at = 0; at < lines.length; at += 1) {
    if (!openSearch.test(lines[at] ?? '')) continue;
    let split = at + 1;
    while (split < lines.length && !middle.test(lines[split] ?? '') && !openSearch.test(lines[split] ?? '')) split += 1;
    let end = split + 1;
    while (end < lines.length && !closeSearch.test(lines[end] ?? '') && !openSearch.test(lines[end] ?? '')) end += 1;
    if (!middle.test(lines[split] ?? '') || !closeSearch.test(lines[end] ?? '')) return null;
    let above = at - 1;
    while (above > from && isBlank(lines[above] ?? '')) above -= 1;
    const file = above < from ? undefined : nameIn(lines[above] ?? '');
    const last = files.at(-1);
    const inside = lines.slice(at + 1, end);
    // It is unclear which of several lines of equals signs is the mark: such a change has no place.
    const isOpen = inside.filter((line) => middle.test(line)).length > 1;
    const change = isOpen
      ? { old: inside, replacement: [] }
      : { old: withoutPosition(lines.slice(at + 1, split)), replacement: lines.slice(split + 1, end) };
    if (last !== undefined && (file === undefined || file === last.file)) last.changes.push(change);
    else files.push({ ...(file === undefined ? {} : { file }), changes: [change] });
    at = end;
    from = end + 1;
  }
  return files;
}

/** Removes a position, which some tools put between the mark and the text. */
function withoutPosition(lines: readonly string[]): readonly string[] {
  const rule = lines.findIndex((line) => /^-{5,}\s*$/.test(line));
  const isPosition =
    rule > 0 &&
    rule < 4 &&
    lines.slice(0, rule).every((line) => /^:?(?:start|end)_line\s*:\s*\d+\s*$/.test(line.trim()));
  return isPosition ? lines.slice(rule + 1) : lines;
}

const tags: readonly (readonly [RegExp, RegExp, RegExp, RegExp])[] = [
  'search replace',
  'old new',
  'old_string new_string',
  'old_str new_str',
  'original updated',
  'find replace',
  'before after',
].map((names) => {
  const [one = '', other = ''] = names.split(' ');
  const tag = (text: string): RegExp => new RegExp(`^\\s*<${text}>\\s*$`, 'i');
  return [tag(one), tag(`/${one}`), tag(other), tag(`/${other}`)] as const;
});

/** Reads search and replace blocks between tags, each on a line of its own. */
export function readTagged(lines: readonly string[]): readonly Change[] {
  for (const [open, close, openNew, closeNew] of tags) {
    const changes: Change[] = [];
    for (let at = 0; at < lines.length; at += 1) {
      if (!open.test(lines[at] ?? '')) continue;
      const end = indexFrom(lines, close, at + 1);
      const start = end === -1 ? -1 : indexFrom(lines, openNew, end + 1);
      const last = start === -1 ? -1 : indexFrom(lines, closeNew, start + 1);
      if (last === -1) return changes;
      changes.push({ old: lines.slice(at + 1, end), replacement: lines.slice(start + 1, last) });
      at = last;
    }
    if (changes.length > 0) return changes;
  }
  return [];
}

function indexFrom(lines: readonly string[], mark: RegExp, from: number): number {
  for (let at = from; at < lines.length; at += 1) if (mark.test(lines[at] ?? '')) return at;
  return -1;
}

const fileHead =
  /^(?:diff --git |index [0-9a-f]+\.\.|--- |\+\+\+ |\*\*\* (?:Begin|End|Update|Add|Delete)|new file mode|deleted file mode|similarity |rename |old mode|new mode|Index: |={10,}$)/;

/**
 * Whether lines are a diff: they are labelled as one, have hunks or names of files, or are only added, removed and kept
 * lines.
 */
export function isDiff(lines: readonly string[], language: string): boolean {
  if (/^(?:diff|patch|udiff)$/i.test(language)) return true;
  if (lines.some((line) => /^@@ .*@@/.test(line) || /^\*\*\* (?:Update|Add) File: /.test(line))) return true;
  if (lines.some((line, at) => /^--- \S/.test(line) && /^\+\+\+ \S/.test(lines[at + 1] ?? ''))) return true;
  if (/^(?:ya?ml|md|markdown|text|txt|sql)?$/i.test(language)) return false;
  const isMarked = (line: string): boolean => /^[-+ ]/.test(line) || line === '';
  return lines.every(isMarked) && lines.some((line) => /^\+/.test(line)) && lines.some((line) => /^-/.test(line));
}

/** Reads a diff by files. Line numbers are ignored, because models count badly. */
export function readDiff(lines: readonly string[]): readonly FileChanges[] {
  const files: { file?: string; hunks: string[][] }[] = [];
  let hunk: string[] | undefined;
  const begin = (file: string | undefined): void => {
    files.push({ ...(file === undefined ? {} : { file }), hunks: [] });
    hunk = undefined;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const update = /^\*\*\* (?:Update|Add) File: (.*)$/.exec(line);
    const isPair = /^--- /.test(line) && /^\+\+\+ /.test(lines[at + 1] ?? '');
    if (update !== null) begin(cleanFile(update[1] ?? ''));
    else if (isPair) {
      begin(diffFile(lines[at + 1] ?? '') ?? diffFile(line));
      at += 1;
    } else if (hunk === undefined && fileHead.test(line)) continue;
    else if (/^(?:diff --git |\*\*\* End)/.test(line)) hunk = undefined;
    else if (/^@@/.test(line)) {
      if (files.length === 0) begin(undefined);
      hunk = [];
      files.at(-1)?.hunks.push(hunk);
    } else if (!/^\\ No newline/.test(line) && !/^index [0-9a-f]+\.\./.test(line)) {
      if (hunk === undefined) {
        if (isBlank(line)) continue;
        if (files.length === 0) begin(undefined);
        hunk = [];
        files.at(-1)?.hunks.push(hunk);
      }
      hunk.push(line);
    }
  }
  return files.map(({ file, hunks }) => {
    const parts = hunks.flatMap(apart).filter((part) => part.some((line) => /^[-+]/.test(line)));
    const strict = parts.map((part) => changeOf(part, false));
    const loose = parts.map((part) => changeOf(part, true));
    return { ...(file === undefined ? {} : { file }), changes: strict, otherwise: loose };
  });
}

function diffFile(line: string): string | undefined {
  const name = line.slice(4).replace(/\t.*$/, '').trim();
  return name === '/dev/null' || name === '' ? undefined : cleanFile(name.replace(/^[ab]\//, ''));
}

/** Splits a hunk that omits lines into its parts. */
function apart(hunk: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [[]];
  for (const line of hunk) {
    if (!/^[-+]/.test(line) && isElision(line.trim())) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts;
}

function changeOf(hunk: readonly string[], isLoose: boolean): Change {
  const old: string[] = [];
  const replacement: string[] = [];
  for (const line of hunk) {
    const rest = line.slice(1);
    if (line.startsWith('-')) old.push(rest);
    else if (line.startsWith('+')) replacement.push(rest);
    else {
      const kept = !isLoose && line.startsWith(' ') ? rest : line;
      old.push(kept);
      replacement.push(kept);
    }
  }
  return { old, replacement };
}
