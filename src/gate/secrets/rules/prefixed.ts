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
  /** The prefix is short, or a word: it must not follow a dot, dash, slash or plus either. */
  readonly alone: boolean;
}

/**
 * Escaped line ends, encoded characters and terminal colours end in a letter or digit, and still end the previous word.
 */
const escapes = String.raw`\\[bfnrtBFNRT]|\\[uU][0-9a-fA-F]{4}|\\[xX][0-9a-fA-F]{2}|%[0-9a-fA-F]{2}|\[[\d;]{1,16}[mM]`;
const endsInEscape = new RegExp(`(?:${escapes})$`);
const longestEscape = 20;

/** Finds all tokens in one pass: searches for all prefixes together, and matches the rest only after one. */
export function prefixRule(tokens: readonly PrefixedToken[]): SecretRule {
  const starts = [...new Set(tokens.flatMap((token) => token.starts))].sort((a, b) => b.length - a.length);
  const longest = starts[0]?.length ?? 0;
  // Most places fail at the first character: it is in a word.
  const anyStart = new RegExp(
    `(?:^|[^A-Za-z0-9]|${escapes})(${starts.map((start) => start.replace(/[^\w-]/g, '\\$&')).join('|')})`,
    'g',
  );
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
      for (const to of windowEnds(text)) {
        // A prefix that the window cuts is still visible in full.
        const window = text.slice(0, to + longest);
        anyStart.lastIndex = Math.max(0, from - longestEscape);
        for (let match = anyStart.exec(window); match !== null; match = anyStart.exec(window)) {
          const found = match[1] ?? '';
          const start = match.index + match[0].length - found.length;
          if (start >= to) break;
          // The next token may overlap what this match begins with.
          anyStart.lastIndex = start < from ? match.index + 1 : start + 1;
          const span = start < from ? undefined : tokenAt(text, start, kinds.get(found) ?? []);
          if (span === undefined) continue;
          from = span.end;
          // Another search may run while this one is between two results.
          yield span;
          // The last character may be the one before the next token.
          anyStart.lastIndex = from - 1;
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
    // Matches inside a word are skipped: a row of prefixes without a gap is one word.
    if (!beginsAt(text, start, alone)) continue;
    rest.lastIndex = start + length;
    const found = rest.exec(text)?.[0];
    if (found !== undefined && !isFiller(found)) return { rule, start, end: start + length + found.length };
  }
  return undefined;
}

/** `xxxxxxxx`, `XXXX-XXXX`, `0000...`: placeholders for a token in examples. */
function isFiller(value: string): boolean {
  return /^[xX0*._-]+$/.test(value);
}

function beginsAt(text: string, start: number, alone: boolean): boolean {
  if (start === 0) return true;
  const before = text.slice(start - 1, start);
  if (!(alone ? /[\w./+-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return endsInEscape.test(text.slice(Math.max(0, start - longestEscape), start));
}
