import type { Span } from '../util/text/span.ts';
import type { BegunLine } from './begunLine.ts';
import { codeAtMark } from './codeAtMark.ts';
import { startFor } from './keptAsides.ts';
import { applied, withImports } from './placing/applied.ts';
import { changesIn } from './placing/changesIn.ts';
import { namedImports } from './placing/imports.ts';
import type { Patch } from './placing/patch.ts';
import { Unplaced } from './placing/patch.ts';
import { placeChanges } from './placing/placeChanges.ts';
import { placeCode } from './placing/placeCode.ts';
import { placeHeader } from './placing/placeHeader.ts';
import { placeInsert } from './placing/placeInsert.ts';
import { placeAtEnd, placeBeside } from './placing/placeNew.ts';
import { type FileText, fileText, type Placed } from './placing/region.ts';
import type { AnswerBlock, ReadAnswer } from './reading/answer.ts';
import { candidatesFor, isExample } from './reading/candidates.ts';
import { fileInComment } from './reading/fileName.ts';
import { Code } from './text/units.ts';

/** Whole lines that code replaces: from `start` to before `end`, zero-based. The range is empty if code is inserted. */
export interface Place extends Span {
  /** The indentation of the code. */
  readonly indent: string;
  /** The line of the declaration below its comments and decorators, if the user chose the symbol by the cursor. */
  readonly head?: number;
  /** Set for an insertion into a half-written line. */
  readonly begun?: BegunLine;
}

/** The file and the places that an answer is for. */
export interface Wanted {
  /** The lines of the file; a text that ends with a line break has an empty last line. */
  readonly lines: readonly string[];
  readonly languageId: string;
  /** The path of the file, as far as it is known. It decides which blocks are for this file. */
  readonly file?: string;
  /**
   * `edit`: all of each place was to be changed. `insert`: code goes to each place. `apply`: any part of the file may
   * change.
   */
  readonly mode: 'edit' | 'insert' | 'apply';
  /** Whether new declarations are added to the existing ones: these stay, whether the answer contains them or not. */
  readonly adds?: boolean | undefined;
  /** The places, in order and without overlap. */
  readonly places: readonly Place[];
}

export type PlacedAnswer =
  | {
      readonly is: 'edit';
      /** The whole file with the code in its places. */
      readonly lines: readonly string[];
      /** Set if the code has fewer than half as many lines as these lines of the file, which it would replace. */
      readonly mayOmit?: Span;
      /** Blocks for other files. */
      readonly others: readonly AnswerBlock[];
    }
  /** The code does not match exactly one place. */
  | { readonly is: 'unplaced'; readonly quoted: readonly string[]; readonly others: readonly AnswerBlock[] }
  /** There is no code, only text. */
  | { readonly is: 'none'; readonly others: readonly AnswerBlock[] };

/** Returns where the code of an answer belongs: each of its blocks at its one place, or nothing at all. */
export function placeAnswer(read: ReadAnswer, wanted: Wanted): PlacedAnswer {
  const first = placeBlocks(read.blocks, read, wanted);
  // Only a text that contains fences itself makes an answer with several readings.
  const isMarkup = wanted.languageId === 'markdown' || wanted.lines.some((line) => /^\s*(?:`{3}|~{3})/.test(line));
  if (read.others.length === 0 || !isMarkup) return first;
  // If fences can be read in several ways, the only reading that can be placed is used.
  const all = [first, ...read.others.map((blocks) => placeBlocks(blocks, read, wanted))];
  const fits = all.filter((each) => each.is === 'edit' && !isSame(each.lines, wanted.lines));
  const [only, ...others] = fits;
  if (only === undefined) return first;
  if (others.length === 0) return only;
  return { is: 'unplaced', quoted: read.blocks[0]?.lines.slice(0, 3) ?? [], others: first.others };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at]);
}

function placeBlocks(blocks: readonly AnswerBlock[], { lastWins, imports }: ReadAnswer, wanted: Wanted): PlacedAnswer {
  const { candidates, others } = candidatesFor(blocks, wanted);
  if (candidates.length === 0) return { is: 'none', others };
  const file = fileText(wanted.lines, wanted.languageId);
  try {
    const placed =
      wanted.places.length === 1 || wanted.mode === 'insert'
        ? placeInOne(file, candidates, lastWins, wanted)
        : placeInSeveral(file, candidates, wanted);
    const omits = placed.find(({ mayOmit }) => mayOmit !== undefined)?.mayOmit;
    return {
      is: 'edit',
      lines: withImports(file, placed, namedImports(imports, wanted.languageId)),
      others,
      ...(omits === undefined ? {} : { mayOmit: { start: omits.start, end: omits.end } }),
    };
  } catch (error) {
    if (!(error instanceof Unplaced)) throw error;
    const lines = error instanceof UnplacedBlock ? error.block.lines : (candidates[0]?.lines ?? []);
    return { is: 'unplaced', quoted: lines.slice(error.line, error.line + 3), others };
  }
}

class UnplacedBlock extends Unplaced {
  readonly block: AnswerBlock;

  constructor(block: AnswerBlock, line: number) {
    super(line);
    this.block = block;
  }
}

interface Attempt {
  readonly block: AnswerBlock;
  readonly placed: Placed | null;
  readonly line: number;
  readonly changes: boolean;
}

function attempt(file: FileText, block: AnswerBlock, place: Place, { mode, lines, adds }: Wanted): Attempt {
  const asked = { start: place.start, end: place.end, isAsked: mode === 'edit' };
  try {
    const atMark = mode === 'insert' ? codeAtMark(block.changes?.changes ?? []) : null;
    const code = atMark ?? withoutName(block, file);
    const region = block.changes === undefined ? { ...asked, start: startFor(file.code, place, code) } : asked;
    const whole = { start: 0, end: file.code.lines.length, isAsked: false };
    const placedByText =
      block.changes === undefined && mode !== 'insert'
        ? (placeBeside(file, region, block.intro, code) ??
          placeHeader(file, region, block, code) ??
          (adds === true ? placeAtEnd(file, region, code) : null))
        : null;
    const placed =
      placedByText ??
      (block.changes !== undefined && atMark === null
        ? placeChanges(file, mode === 'edit' ? region : whole, block.changes)
        : mode === 'insert'
          ? placeInsert(file, place, code)
          : placeCode(file, region, code));
    const changes = !isSame(applied(lines, placed.patches), lines);
    return { block, placed, line: 0, changes };
  } catch (error) {
    if (!(error instanceof Unplaced)) throw error;
    return { block, placed: null, line: error.line, changes: true };
  }
}

/** The lines of a block without a first line that only names the file. */
function withoutName({ lines }: AnswerBlock, { code }: FileText): readonly string[] {
  const [first = ''] = lines;
  return fileInComment(first) !== undefined && !code.lines.includes(first) ? lines.slice(1) : lines;
}

/**
 * Places the blocks that show where they belong, or else the only block. Examples and repetitions of the file are
 * ignored.
 */
function placeInOne(
  file: FileText,
  blocks: readonly AnswerBlock[],
  lastWins: boolean,
  wanted: Wanted,
): readonly Placed[] {
  const [place] = wanted.places;
  if (place === undefined) throw new Unplaced(0);
  const all = blocks.map((block) => attempt(file, block, place, wanted));
  const shown = all.filter(({ placed, changes }) => placed?.isShown === true && changes);
  const isImports = ({ placed }: Attempt): boolean =>
    placed !== null &&
    placed.patches.length > 0 &&
    placed.patches.every(({ start, end }) => end <= place.start || start >= place.end) &&
    wanted.mode !== 'apply';
  const others = all.filter((each) => !shown.includes(each) && !(each.placed?.isShown === true && !each.changes));
  const code = shown.filter((each) => !isImports(each));
  if (code.length === 0) {
    const asked = others.length > 1 ? others.filter(({ block }) => !isExample(block)) : others;
    const [only, ...more] = lastWins ? asked.slice(-1) : asked;
    if (only === undefined) {
      if (shown.length > 0 || all.some(({ placed }) => placed !== null)) return inEach(file, shown, wanted);
      throw new UnplacedBlock(blocks[0] ?? { language: '', lines: [], intro: '' }, all[0]?.line ?? 0);
    }
    if (only.placed === null || more.length > 0) throw new UnplacedBlock(only.block, only.line);
    return inEach(file, [...shown, only], wanted);
  }
  const isLost = ({ block, placed }: Attempt): boolean =>
    placed?.isShown !== true &&
    !isExample(block) &&
    !lastWins &&
    (block.changes !== undefined || declares(block, wanted));
  const lost = others.find(isLost);
  if (lost !== undefined) throw new UnplacedBlock(lost.block, lost.line);
  return inEach(file, lastWins ? [...shown.filter(isImports), ...code.slice(-1)] : shown, wanted);
}

/** Whether a block is part of the code, and not only unindented calls of it, which belong in another file. */
function declares({ lines }: AnswerBlock, { languageId }: Wanted): boolean {
  if (/^\s|^(?:case|default|else|elif|catch|except|finally|return|\})/.test(lines[0] ?? '')) return true;
  return new Code(lines, languageId).units().some(({ name }) => name !== undefined);
}

/** Places the same code at each place if it is inserted at several. */
function inEach(file: FileText, attempts: readonly Attempt[], wanted: Wanted): readonly Placed[] {
  const [, ...more] = wanted.places;
  const first = attempts.flatMap(({ placed }) => (placed === null ? [] : [placed]));
  if (wanted.mode !== 'insert' || more.length === 0) return first;
  const again = more.flatMap((place) =>
    attempts.flatMap(({ block }) => {
      const { placed } = attempt(file, block, place, wanted);
      if (placed === null) throw new Unplaced(0);
      // Imports are added only once.
      return [{ ...placed, patches: placed.patches.filter(({ start }) => start === place.start) }];
    }),
  );
  return [...first, ...again];
}

/** Places one block at each place, in order; or else each block where it shows that it belongs. */
function placeInSeveral(file: FileText, blocks: readonly AnswerBlock[], wanted: Wanted): readonly Placed[] {
  const { places } = wanted;
  const tries = blocks.map((block) => places.map((place) => attempt(file, block, place, wanted)));
  const isImports = (index: number): boolean => {
    const placed = tries[index]?.[0]?.placed;
    return (
      placed?.isShown === true &&
      placed.patches.every(({ start, end }) => places.every((place) => end <= place.start || start >= place.end))
    );
  };
  const imports = blocks.flatMap((block, index) => (block.changes === undefined && isImports(index) ? [index] : []));
  const rest = blocks.flatMap((_, index) => (imports.includes(index) ? [] : [index]));
  const placed = imports.flatMap((index) => tries[index]?.[0]?.placed ?? []);
  const inOrder = rest.length === places.length && rest.every((index, at) => tries[index]?.[at]?.placed !== null);
  if (inOrder) return [...placed, ...rest.flatMap((index, at) => tries[index]?.[at]?.placed ?? [])];
  const shown = rest.map((index) => {
    const fits = (tries[index] ?? []).filter((each) => each.placed?.isShown === true && each.changes);
    const [only, ...others] = fits;
    const block = blocks[index];
    if (block !== undefined && (only?.placed === undefined || only.placed === null || others.length > 0)) {
      if ((tries[index] ?? []).some((each) => each.placed?.isShown === true && !each.changes)) return null;
      if (block.changes !== undefined || rest.length === 1) return placeSpan(file, block, wanted);
      throw new UnplacedBlock(block, tries[index]?.[0]?.line ?? 0);
    }
    return only?.placed ?? null;
  });
  return [...placed, ...shown.filter((each) => each !== null)];
}

/** Places one block for all places: what it changes must be inside them. */
function placeSpan(file: FileText, block: AnswerBlock, wanted: Wanted): Placed {
  const { places } = wanted;
  const all = { start: 0, end: wanted.lines.length, indent: '' };
  const { placed, line } = attempt(file, block, all, { ...wanted, mode: 'apply' });
  const isIn = ({ start, end }: Patch): boolean =>
    places.some((place) => start >= place.start && end <= place.end) || end <= (places[0]?.start ?? 0);
  const patches = placed?.patches.flatMap((patch) => changesIn(file.code.lines, patch));
  if (placed === null || patches === undefined || !patches.every(isIn)) throw new UnplacedBlock(block, line);
  return { ...placed, patches };
}
