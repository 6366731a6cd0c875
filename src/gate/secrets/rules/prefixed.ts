import { windowEnds } from '../matches.ts';
import type { SecretRule, SecretSpan } from '../span.ts';

/** A kind of token that begins with letters of its own. */
export interface PrefixedToken {
  /** The rule's name, such as `github-token`. */
  readonly rule: string;
  /** What it begins with; one or more, each taken literally. */
  readonly starts: readonly string[];
  /**
   * What follows the beginning: sticky, and of bounded length. Where it may fail behind a part of variable length, the
   * part holds no character that another beginning needs, so that no text is looked at again and again.
   */
  readonly rest: RegExp;
  /** The beginning is short, or a word: no dot, dash, slash or plus stands before it either. */
  readonly alone: boolean;
}

/** All of the tokens in one pass: their beginnings are looked for together, and the rest only behind one. */
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
        // A beginning that the window cuts is seen whole.
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
  /** Of the beginning. */
  readonly length: number;
}

function tokenAt(text: string, start: number, kinds: readonly Kind[]): SecretSpan | undefined {
  for (const { rule, length, rest, alone } of kinds) {
    // Within a word nothing is looked at: a row of beginnings without a gap is one word.
    if (!beginsAt(text, start, alone)) continue;
    rest.lastIndex = start + length;
    const found = rest.exec(text)?.[0];
    if (found !== undefined && !isFiller(found)) return { rule, start, end: start + length + found.length };
  }
  return undefined;
}

/** `xxxxxxxx`, `XXXX-XXXX`, `0000...`: what examples have in a token's place. */
function isFiller(value: string): boolean {
  return /^[xX0*._-]+$/.test(value);
}

/** Line ends, coded characters and colours of a terminal end in a letter or digit, and yet end the word before. */
const escaped = /(?:\\[bfnrt]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|\[[\d;]{1,16}m)$/i;
const longestEscape = 20;

function beginsAt(text: string, start: number, alone: boolean): boolean {
  if (start === 0) return true;
  const before = text.slice(start - 1, start);
  if (!(alone ? /[\w./+-]/ : /[A-Za-z0-9]/).test(before)) return true;
  return escaped.test(text.slice(Math.max(0, start - longestEscape), start));
}
