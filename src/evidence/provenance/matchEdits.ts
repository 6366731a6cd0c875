import { append } from '../../util/append.ts';
import { type Match, matchLines } from '../../util/text/lineDiff.ts';
import { HashBudget } from './hashBudget.ts';
import { matchBytes, matchOf, tagAt, tagOf, withoutSpace } from './lineKeys.ts';

/** The lines that a commit added to a file, in order. Numbers count from 1. */
export interface AddedLines {
  readonly path: string;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/** A line of an edit, counted from 0, and the number of the same line in the file. */
type LinePair = readonly [index: number, line: number];

/** The lines of an edit that are in a commit. An edit belongs to one file, which has most of its lines. */
interface FoundEdit<T> {
  readonly edit: T;
  readonly path: string;
  /** The pairs of lines, ascending on both sides. */
  readonly pairs: readonly LinePair[];
}

/** An edit whose lines can be recognized without their text. */
export interface KnownEdit {
  /** The lines that can be recognized, counted from 0. */
  readonly indexes: readonly number[];
  /** Names the edit's lines and `texts` (without white space), so that only equal lines have equal names. */
  compare(texts: readonly string[], budget: HashBudget): Promise<Names>;
}

interface Names {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/**
 * The maximum number of comparisons of a line with an edit or a key in one call, some two seconds of one core: a commit that
 * needs more is examined only in part.
 */
const maxHashes = 200_000;

/** An edit of this machine, recognized by the key of the edit. */
export function sealedEdit(editKey: Uint8Array, matches: Uint8Array): KnownEdit {
  const own = Array.from({ length: Math.floor(matches.length / matchBytes) }, (_, index) =>
    Buffer.from(matches.subarray(index * matchBytes, (index + 1) * matchBytes)).toString('hex'),
  );
  const compare: KnownEdit['compare'] = async (texts, budget) => {
    const others: string[] = [];
    for (const text of texts) {
      others.push((await budget.takes(1)) ? matchOf(editKey, text).toString('hex') : 'unknown');
    }
    return { own, others };
  };
  return { indexes: [...own.keys()], compare };
}

/** An edit of any user, recognized by the keys of the lines that were committed before. */
export function keyedEdit(keys: ReadonlyMap<number, Uint8Array>, tags: Uint8Array): KnownEdit {
  const known = [...keys].sort(([a], [b]) => a - b);
  return {
    indexes: known.map(([index]) => index),
    async compare(texts, budget) {
      const found = new Map<number, string>();
      const names = new Map<string, string>();
      for (const text of new Set(texts)) {
        const name = `${names.size}`;
        names.set(text, name);
        if (!(await budget.takes(known.length - found.size))) continue;
        for (const [index, key] of known) {
          if (!found.has(index) && tagAt(tags, index)?.equals(tagOf(key, text)) === true) found.set(index, name);
        }
      }
      return {
        own: known.map(([index]) => found.get(index) ?? `own ${index}`),
        others: texts.map((text) => names.get(text) ?? ''),
      };
    },
  };
}

/**
 * Finds the lines of edits that a commit added. A line of several edits belongs to the first one, so the newest edit comes first.
 * Lines are matched in order; a trivial line, such as a brace, matches only next to a longer one.
 */
export async function matchEdits<T>(
  edits: readonly (readonly [edit: T, known: KnownEdit])[],
  files: readonly AddedLines[],
  max = maxHashes,
): Promise<readonly FoundEdit<T>[]> {
  const open = files.map(({ path, lines }) => ({
    path,
    lines: lines.map(({ number, text }) => ({ number, text: withoutSpace(text) })),
  }));
  const found: FoundEdit<T>[] = [];
  const budget = new HashBudget(max);
  for (const [edit, known] of edits) {
    let best: Best | null = null;
    for (const file of open) {
      const pairs = await pairsIn(known, file.lines, budget);
      if (pairs.length > (best?.pairs.length ?? 0)) best = { file, pairs };
    }
    if (best !== null) {
      found.push({ edit, path: best.file.path, pairs: best.pairs });
      const matchedLines = new Set(best.pairs.map(([, line]) => line));
      best.file.lines = best.file.lines.filter(({ number }) => !matchedLines.has(number));
    }
  }
  return found;
}

interface Line {
  readonly number: number;
  /** The text of the line without white space. */
  readonly text: string;
}

interface Best {
  readonly file: { readonly path: string; lines: readonly Line[] };
  readonly pairs: readonly LinePair[];
}

async function pairsIn(known: KnownEdit, lines: readonly Line[], budget: HashBudget): Promise<readonly LinePair[]> {
  const { own, others } = await known.compare(
    lines.map(({ text }) => text),
    budget,
  );
  // Most edits have no line in a file.
  const names = new Set(others);
  if (!own.some((name) => names.has(name))) return [];
  const isEqual = (at: number, other: number): boolean => own[at] !== undefined && own[at] === others[other];
  /** Whether both lines directly follow the ones before them. */
  const isNext = (at: number, other: number): boolean =>
    (known.indexes[at - 1] ?? -2) + 1 === known.indexes[at] &&
    (lines[other - 1]?.number ?? -2) + 1 === lines[other]?.number;
  const runs: Match[][] = [];
  for (const match of matchLines(own, others)) {
    const [at, other] = runs.at(-1)?.at(-1) ?? [-2, -2];
    if (at + 1 === match[0] && other + 1 === match[1] && isNext(...match)) runs.at(-1)?.push(match);
    else runs.push([match]);
  }
  const longer = runs.filter((run) => run.some(([, other]) => isOwnText(lines[other]?.text ?? '')));
  return widened(longer, { isEqual, isNext }).flatMap(([at, other]) => {
    const [index, line] = [known.indexes[at], lines[other]];
    return index === undefined || line === undefined ? [] : [[index, line.number] as const];
  });
}

interface Comparison {
  readonly isEqual: (at: number, other: number) => boolean;
  readonly isNext: (at: number, other: number) => boolean;
}

/**
 * Extends the runs by the equal lines directly before and after each: of several braces, the one beside the run is meant,
 * which a match of the whole texts need not have chosen.
 */
function widened(runs: readonly (readonly Match[])[], { isEqual, isNext }: Comparison): readonly Match[] {
  const found: Match[] = [];
  for (const [number, run] of runs.entries()) {
    let [at, other] = run[0] ?? [0, 0];
    const before: Match[] = [];
    const [lastAt, lastOther] = found.at(-1) ?? [-1, -1];
    while (at - 1 > lastAt && other - 1 > lastOther && isNext(at, other) && isEqual(at - 1, other - 1)) {
      at -= 1;
      other -= 1;
      before.push([at, other]);
    }
    append(found, before.reverse());
    append(found, run);
    const [nextAt, nextOther] = runs[number + 1]?.[0] ?? [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    [at, other] = run.at(-1) ?? [0, 0];
    while (at + 1 < nextAt && other + 1 < nextOther && isNext(at + 1, other + 1) && isEqual(at + 1, other + 1)) {
      at += 1;
      other += 1;
      found.push([at, other]);
    }
  }
  return found;
}

/** Whether a line is distinctive: `}`, `);`, `end`, `fi` and similar lines are in every file. */
function isOwnText(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 4;
}
