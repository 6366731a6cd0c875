import { Excerpt } from './excerpt.ts';
import { windowEnds } from './matches.ts';
import { characterSet, runsIn } from './runs.ts';

/** The characters of tokens, and of a terminal's color codes before a token. */
const characters = characterSet('A-Za-z0-9_.+/=~:;-');

/** The length of the shortest token: `ghs_1_a.b.c`, of an app's installation on GitHub. What is shorter is no token. */
export const minTokenLength = 11;

/**
 * Finds the long words of a text: only they can contain a token. Most texts have few long words, so the rules for tokens
 * search a tenth of the text. Each word is in the result with the character before it, which does not belong to a word. Yields
 * null where the search may pause.
 */
export function* longWordsOf(text: string): Generator<null, Excerpt> {
  const words = new Excerpt();
  let at = 0;
  for (const to of windowEnds(text)) {
    for (const word of runsIn(text, characters, { from: at, to, minLength: minTokenLength, maxLength: text.length })) {
      const start = startOfCharacter(text, word.start - 1);
      words.add(text.slice(start, word.end), start);
      at = word.end;
    }
    at = Math.max(at, to);
    yield null;
  }
  return words;
}

/** The start of the character to which the unit at `at` belongs; 0 if there is no such unit. */
function startOfCharacter(text: string, at: number): number {
  const isSecondHalf = at > 0 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return Math.max(0, isSecondHalf ? at - 1 : at);
}
