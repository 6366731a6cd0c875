import { windowEnds } from './matches.ts';
import { characterSet, nextRun } from './runs.ts';
import type { SecretSpan } from './span.ts';

/** The characters of tokens, and of a terminal's colours before one. */
const characters = characterSet('A-Za-z0-9_.+/=~:;-');

/** The length of the shortest token: `ghs_1_a.b.c`, of an app's installation on GitHub. */
const shortest = 11;

/**
 * The long words of a text: only they can contain a token. Most texts have few, so that the rules for tokens search a
 * tenth of the text.
 */
interface LongWords {
  /** The words one after another, each with the character before it, which belongs to no word. */
  readonly text: string;
  /** Where a span of one word is in the whole text. */
  place(span: SecretSpan): SecretSpan;
}

/** Finds the long words of a text. Yields where the search may pause. */
export function* longWordsOf(text: string): Generator<null, LongWords> {
  const parts: string[] = [];
  /** Where each part begins, in the words and in the text. */
  const from: number[] = [];
  const origin: number[] = [];
  let length = 0;
  let at = 0;
  for (const to of windowEnds(text)) {
    const next = () => nextRun(text, characters, { from: at, to, shortest, longest: text.length });
    for (let word = next(); word !== null; word = next()) {
      const start = startOfCharacter(text, word.start - 1);
      parts.push(text.slice(start, word.end));
      from.push(length);
      origin.push(start);
      length += word.end - start;
      at = word.end;
    }
    at = Math.max(at, to);
    yield null;
  }
  return {
    text: parts.join(''),
    place: ({ rule, start, end }) => {
      const part = lastAtMost(from, start);
      const moved = (origin[part] ?? 0) - (from[part] ?? 0);
      return { rule, start: start + moved, end: end + moved };
    },
  };
}

/** The start of the character of which a unit at `at` is part; 0 if there is none. */
function startOfCharacter(text: string, at: number): number {
  const isSecondHalf = at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return Math.max(0, isSecondHalf ? at - 1 : at);
}

/** The index of the last number that is at most `value`, in a sorted list that begins with 0. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
