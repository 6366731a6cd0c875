import { globSync, readFileSync } from 'node:fs';
import { isElision } from '../../../src/edits/placing/elision.ts';
import { indentOf, isBlank, isDistinctive } from '../../../src/edits/text/lines.ts';
import { Code } from '../../../src/edits/text/units.ts';
import type { Dice } from '../../tools/dice.ts';

/** An edit of a file of this repository, as a model might give it. */
export interface MadeEdit {
  readonly file: readonly string[];
  readonly old: string;
  readonly now: string;
  /** What it means; null for nothing that can be applied. */
  readonly meant: readonly string[] | null;
}

/** Lines of a file that stand once in it, indentation aside, and what becomes of them. */
interface Block {
  readonly file: readonly string[];
  readonly start: number;
  readonly lines: readonly string[];
  readonly now: readonly Piece[];
}

/** A line of the block that stays, by its number, or a new one. */
type Piece = number | string;

let read: readonly (readonly string[])[] | undefined;

function files(): readonly (readonly string[])[] {
  read ??= globSync(['src/**/*.{ts,tsx}', 'test/unit/**/*.ts', 'docs/*.md'], { exclude: ['test/unit/edits/**'] })
    .toSorted()
    .map((path) => readFileSync(path, 'utf8').split('\n'))
    .filter((lines) => lines.length > 20);
  return read;
}

/** The result of `make` for a block that it takes. */
function fromBlock(dice: Dice, make: (block: Block) => MadeEdit | null): MadeEdit {
  for (;;) {
    const file = dice.pick(files());
    const length = 1 + dice.below(10);
    const start = dice.below(file.length - length);
    const lines = file.slice(start, start + length);
    if (isBlank(lines[0] ?? '') || isBlank(lines.at(-1) ?? '') || !lines.some(isDistinctive)) continue;
    if (placesOf(file, lines).length !== 1) continue;
    const now = changed(lines, dice);
    // A comment that reads as if code were left out is refused.
    if (now.some((piece) => typeof piece === 'string' && isElision(piece))) continue;
    const made = make({ file, start, lines, now });
    // A text that also stands elsewhere, as it is, means that place.
    if (made !== null && !standsElsewhere(made, start)) return made;
  }
}

/** Where lines stand, indentation aside. */
function placesOf(file: readonly string[], lines: readonly string[]): readonly number[] {
  const bare = lines.map((line) => line.trim());
  return file.flatMap((_, at) => (bare.every((line, index) => file[at + index]?.trim() === line) ? [at] : []));
}

function standsElsewhere({ file, old }: MadeEdit, start: number): boolean {
  const [text, own] = [file.join('\n'), file.slice(0, start).join('\n').length];
  const at = text.indexOf(old, own);
  return timesIn(file, old) > (at !== -1 && text.slice(own, at).trim() === '' ? 1 : 0);
}

function timesIn(file: readonly string[], old: string): number {
  return file.join('\n').split(old).length - 1;
}

/** One line changed, removed or added, with an indentation of the block. */
function changed(lines: readonly string[], dice: Dice): readonly Piece[] {
  const pieces: Piece[] = lines.map((_, at) => at);
  const at = dice.below(lines.length);
  const indent = indentOf(dice.pick(lines.filter((line) => !isBlank(line))));
  const added = `${indent}added("${dice.below(1_000)}", 'one');`;
  const line = lines[at] ?? '';
  switch (dice.below(4)) {
    case 0:
      return pieces.with(at, isBlank(line) ? added : `${line.trimEnd()} + more`);
    case 1:
      return lines.length > 1 ? pieces.toSpliced(at, 1) : pieces.with(at, added);
    case 2:
      return pieces.toSpliced(at + 1, 0, added, '', added);
    default:
      return pieces.toSpliced(at + 1, 0, added);
  }
}

/**
 * The edit with each line as the model wrote it. `own` are the lines of the block in the file, where they differ from
 * those that the model read.
 */
function told({ file, start, lines, now }: Block, tell: (line: string, at: number) => string, own = lines): MadeEdit {
  const kept = (piece: number): string => tell(lines[piece] ?? '', piece);
  return {
    file: file.toSpliced(start, lines.length, ...own),
    old: lines.map(tell).join('\n'),
    now: now.map((piece) => (typeof piece === 'number' ? kept(piece) : tell(piece, -1))).join('\n'),
    meant: file.toSpliced(
      start,
      lines.length,
      ...now.map((piece) => (typeof piece === 'number' ? (own[piece] ?? '') : piece)),
    ),
  };
}

/** A block that opens or closes a string of several lines does not tell which of its lines are moved. */
function hasOpenText({ lines }: Block): boolean {
  return new Code([...lines, ''], 'typescript').scan.inText.includes(true);
}

function commonIndent(lines: readonly string[]): string {
  const [first = '', ...others] = lines.filter((line) => !isBlank(line)).map(indentOf);
  return others.reduce((common, indent) => (indent.length < common.length ? indent : common), first);
}

const curly = (line: string): string =>
  line
    .replace(/'([^']*)'/g, '‘$1’')
    .replace(/"([^"]*)"/g, '“$1”')
    .replaceAll(' - ', ' – ');

/** Each means one place, which is found by the rules. */
export const found: Readonly<Record<string, (dice: Dice) => MadeEdit>> = {
  'as it stands': (dice) => fromBlock(dice, (block) => told(block, (line) => line)),
  'with other white space at line ends': (dice) =>
    fromBlock(dice, (block) => {
      if (new Set(block.lines).size < block.lines.length) return null;
      // White space after a text that stands within a line is no part of it.
      const ends = block.lines.map(() => dice.pick(['', ' ', '\t', '   '])).with(-1, '');
      const withEnds = (line: string, at: number): string => `${line}${ends[at] ?? ''}`;
      if (dice.below(2) === 0) return told(block, withEnds);
      return told(block, (line) => line.trimEnd(), block.lines.map(withEnds));
    }),
  'with another indentation': (dice) =>
    fromBlock(dice, (block) => {
      if (hasOpenText(block)) return null;
      const common = commonIndent(block.lines);
      if (dice.below(4) === 0) return told(block, (line) => (isBlank(line) ? line : `    ${line}`));
      if (common === '') return null;
      const cut = common.length - (dice.below(3) === 0 ? dice.below(common.length) : 0);
      return told(block, (line) => (isBlank(line) ? line : line.slice(cut)));
    }),
  'with tabs for spaces, or spaces for tabs': (dice) =>
    fromBlock(dice, (block) => {
      if (hasOpenText(block) || block.lines.every((line) => indentOf(line).length < 2)) return null;
      const tabs = (line: string): string => line.replace(/^(?: {2})+/, (spaces) => '\t'.repeat(spaces.length / 2));
      if (dice.below(2) === 0) return told(block, tabs);
      const step = dice.pick(['  ', '    ', '        ']);
      const spaces = (line: string): string => line.replace(/^\t+/, (own) => step.repeat(own.length));
      const [file, lines] = [block.file.map(tabs), block.lines.map(tabs)];
      return told(
        { ...block, file, lines, now: block.now.map((each) => (typeof each === 'string' ? tabs(each) : each)) },
        spaces,
      );
    }),
  'with typographic quotation marks': (dice) =>
    fromBlock(dice, (block) => {
      const typographic = block.lines.map(curly);
      if (typographic.every((line, at) => line === block.lines[at]) || /[‘’“”–]/.test(block.lines.join())) return null;
      return dice.below(2) === 0 ? told(block, curly) : told(block, (line) => line, typographic);
    }),
};

/** Each means one place, which the rules may refuse. */
export const unsure: Readonly<Record<string, (dice: Dice) => MadeEdit>> = {
  'with a blank line less': (dice) =>
    fromBlock(dice, (block) => {
      const at = block.lines.findIndex(isBlank);
      if (at === -1) return null;
      const { now, old, ...made } = told(block, (line) => line);
      const without = (text: string): string => text.replace(/\n\s*\n/, '\n');
      return { ...made, old: without(old), now: without(now) };
    }),
  'with one wrong letter': (dice) =>
    fromBlock(dice, (block) => {
      const at = dice.below(block.lines.length);
      const letters = [...(block.lines[at] ?? '').matchAll(/[a-z]/g)];
      if (letters.length === 0) return null;
      const { index } = dice.pick(letters);
      const wrong = (line: string): string =>
        `${line.slice(0, index)}${line[index] === 'x' ? 'y' : 'x'}${line.slice(index + 1)}`;
      return told(block, (line, own) => (own === at ? wrong(line) : line));
    }),
};

const nothing = (
  block: Block,
  old: readonly string[],
  now: readonly string[] = [...old, 'added();'],
): MadeEdit | null =>
  placesOf(block.file, old).length > 0
    ? null
    : { file: block.file, old: old.join('\n'), now: now.join('\n'), meant: null };

const marks = [
  '// ... existing code ...',
  '# ... rest of the code unchanged',
  '...',
  '/* ... */',
  '// ... other cases',
];

/** Each has no place, several, or not all of its code. */
export const refused: Readonly<Record<string, (dice: Dice) => MadeEdit>> = {
  'of an older version': (dice) =>
    fromBlock(dice, (block) => {
      const at = dice.below(block.lines.length);
      const line = block.lines[at] ?? '';
      const older = dice.pick([`${indentOf(line)}older(${dice.below(99)});`, line.replace(/[A-Za-z]+/, 'older')]);
      return nothing(block, block.lines.with(at, older));
    }),
  'with an invented middle': (dice) =>
    fromBlock(dice, (block) => {
      const [first = '', last = ''] = [block.lines[0], block.lines.at(-1)];
      const invented = ['invented();', 'if (invented) return;', ''].map((line) => indentOf(first) + line);
      return nothing(block, [first, ...invented.slice(dice.below(3)), `${indentOf(first)}invented(2);`, last]);
    }),
  'of two places glued': (dice) =>
    fromBlock(dice, (block) => {
      const other = dice.below(block.file.length - 3);
      const glued = block.file.slice(other, other + 1 + dice.below(3));
      return isBlank(glued.at(-1) ?? '') ? null : nothing(block, [...block.lines, ...glued]);
    }),
  'of several places': (dice) => {
    for (;;) {
      const file = dice.pick(files());
      const start = dice.below(file.length - 3);
      const lines = file.slice(start, start + 1 + dice.below(3));
      const same = file.flatMap((_, at) => (lines.every((line, index) => file[at + index] === line) ? [at] : []));
      if (same.length < 2 || isBlank(lines[0] ?? '') || isBlank(lines.at(-1) ?? '')) continue;
      const cut = dice.below(2) === 0 ? 0 : commonIndent(lines).length;
      const old = lines.map((line) => (isBlank(line) ? line : line.slice(cut)));
      if (timesIn(file, old.join('\n')) !== 1)
        return { file, old: old.join('\n'), now: [...old, 'added();'].join('\n'), meant: null };
    }
  },
  'with code left out': (dice) =>
    fromBlock(dice, (block) => {
      const { lines } = block;
      const at = dice.below(lines.length);
      const elided = lines.toSpliced(
        at,
        1 + dice.below(lines.length),
        `${indentOf(lines[at] ?? '')}${dice.pick(marks)}`,
      );
      return dice.below(2) === 0
        ? nothing(block, elided)
        : { ...told(block, (line) => line), now: elided.join('\n'), meant: null };
    }),
};
