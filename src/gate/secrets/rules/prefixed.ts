import { windowEnds } from '../matches.ts';
import type { SecretRule, SecretSpan } from '../span.ts';

/** A kind of token with a distinctive prefix. */
export interface PrefixedToken {
  /** The rule's name, such as `github-token`. */
  readonly rule: string;
  /** One or more literal prefixes. */
  readonly starts: readonly string[];
  /**
   * Matches the text after the prefix: sticky, and of bounded length. If it may fail after a part of variable length,
   * that part must not contain a character that another prefix needs, so that no text is searched repeatedly.
   */
  readonly rest: RegExp;
  /** Whether the prefix is short, or a word: it must not follow a dot, dash, slash or plus either. */
  readonly alone: boolean;
}

/** Escaped line breaks, encoded characters and terminal colors end in a letter or digit, and still end the previous word. */
const escapes = String.raw`\\[bfnrtBFNRT]|\\[uU][0-9a-fA-F]{4}|\\[xX][0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\[[\d;]{1,16}[mM]`;
const endsInEscape = new RegExp(`(?:${escapes})$`);
const maxEscapeLength = 20;
/** Whether a text may have escapes: without them, which is usual, the prefixes are found in half of the time. */
const mayHaveEscapes = /[\\%]|\[[\d;]/;

/** Finds all tokens in one pass: searches for all prefixes together, and matches the rest only after one. */
export function prefixRule(tokens: readonly PrefixedToken[]): SecretRule {
  const starts = [...new Set(tokens.flatMap((token) => token.starts))].sort((a, b) => b.length - a.length);
  const longest = starts[0]?.length ?? 0;
  const anyOf = starts.map((start) => start.replace(/[^\w-]/g, '\\$&')).join('|');
  // The search fails at the first character of most places, because it is in a word.
  const anyStart = new RegExp(`(?:^|[^A-Za-z0-9])(${anyOf})`, 'g');
  const afterEscapes = new RegExp(`(?:^|[^A-Za-z0-9]|${escapes})(${anyOf})`, 'g');
  const kinds: ReadonlyMap<string, readonly Kind[]> = new Map(
    starts.map((found) => [
      found,
      tokens.flatMap(({ rule, starts, rest, alone }) =>
        starts.flatMap((start) => (found.startsWith(start) ? [{ rule, length: start.length, rest, alone }] : [])),
      ),
    ]),
  );

  return {
    names: [...new Set(tokens.map(({ rule }) => rule))],
    isInWord: true,
    *find(text) {
      let from = 0;
      const pattern = mayHaveEscapes.test(text) ? afterEscapes : anyStart;
      for (const to of windowEnds(text)) {
        // The window is longer by one prefix, so that no prefix is cut.
        const window = text.slice(0, to + longest);
        pattern.lastIndex = Math.max(0, from - maxEscapeLength);
        for (let match = pattern.exec(window); match !== null; match = pattern.exec(window)) {
          const found = match[1] ?? '';
          const start = match.index + match[0].length - found.length;
          if (start >= to) break;
          // The next token may overlap the start of this match.
          pattern.lastIndex = start < from ? match.index + 1 : start + 1;
          const span = start < from ? undefined : tokenAt(text, start, kinds.get(found) ?? []);
          if (span === undefined) continue;
          from = span.end;
          // Another search may run between two results of this one, so lastIndex is set again.
          yield span;
          // The last character may also be the character before the next token.
          pattern.lastIndex = from - 1;
        }
        from = Math.max(from, to);
        yield null;
      }
    },
  };
}

interface Kind extends Pick<PrefixedToken, 'rule' | 'rest' | 'alone'> {
  /** The length of the prefix. */
  readonly length: number;
}

function tokenAt(text: string, start: number, kinds: readonly Kind[]): SecretSpan | undefined {
  for (const { rule, length, rest, alone } of kinds) {
    // A match inside a word is skipped: a row of prefixes without a gap is one word.
    if (!beginsAt(text, start, alone)) continue;
    rest.lastIndex = start + length;
    const found = rest.exec(text)?.[0];
    if (found !== undefined && !isFiller(found)) return { rule, start, end: start + length + found.length };
  }
  return undefined;
}

/** Whether a value is a placeholder for a token in an example: `xxxxxxxx`, `XXXX-XXXX`, `0000...`. */
function isFiller(value: string): boolean {
  return /^[xX0*._-]+$/.test(value);
}

function beginsAt(text: string, start: number, alone: boolean): boolean {
  if (start === 0) return true;
  const before = text.slice(start - 1, start);
  if (!(alone ? /[\w./+-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return mayEndInEscape(text, start) && endsInEscape.test(text.slice(Math.max(0, start - maxEscapeLength), start));
}

/** Whether an escape may end at `end`: it has a backslash or a percent sign a few characters before, or ends in `m`. */
function mayEndInEscape(text: string, end: number): boolean {
  const isCoded = [2, 4, 6].some((length) => text[end - length] === '\\') || text[end - 3] === '%';
  return isCoded || text[end - 1] === 'm' || text[end - 1] === 'M';
}
