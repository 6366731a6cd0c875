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

/** Finds all tokens in one pass: searches for all prefixes together, and matches the rest only after one. */
export function prefixRule(tokens: readonly PrefixedToken[]): SecretRule {
  const starts = [...new Set(tokens.flatMap((token) => token.starts))].sort((a, b) => b.length - a.length);
  const longest = starts[0]?.length ?? 0;
  const anyStart = new RegExp(starts.map((start) => start.replace(/[^\w-]/g, '\\$&')).join('|'), 'g');
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
    *find(text) {
      let from = 0;
      for (const to of windowEnds(text)) {
        // A prefix that the window cuts is still visible in full.
        const window = text.slice(from, to + longest);
        const first = from;
        anyStart.lastIndex = 0;
        for (let match = anyStart.exec(window); match !== null; match = anyStart.exec(window)) {
          const start = first + match.index;
          if (start >= to) break;
          const span = tokenAt(text, start, kinds.get(match[0]) ?? []);
          if (span === undefined) continue;
          from = span.end;
          // Another search may run while this one is between two results.
          yield span;
          anyStart.lastIndex = from - first;
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

/**
 * Escaped line ends, encoded characters and terminal colours end in a letter or digit, and still end the previous word.
 */
const escaped = /(?:\\[bfnrt]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|\[[\d;]{1,16}m)$/i;
const longestEscape = 20;

function beginsAt(text: string, start: number, alone: boolean): boolean {
  if (start === 0) return true;
  const before = text.slice(start - 1, start);
  if (!(alone ? /[\w./+-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return escaped.test(text.slice(Math.max(0, start - longestEscape), start));
}
