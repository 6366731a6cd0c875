import { hasClass, isLower, toLower, toUpper } from './bytes.ts';

interface WildmatchOptions {
  /** Whether the text is a path: `*`, `?` and `[` stop at a slash; a `**` between slashes does not. */
  readonly isPath: boolean;
  /** Whether ASCII letters match in either case. */
  readonly ignoresCase: boolean;
  readonly work?: Work;
}

/** The remaining work of a search, in steps of some 10 ns. Below 0, its answers must not be used. */
export interface Work {
  left: number;
}

/**
 * Whether a pattern matches a whole text, as git's wildmatch() does. Both are byte strings (see bytes.ts).
 *
 * A port of git's wildmatch.c, which defines `.gitignore`: for odd patterns (`[z-a]`, `[]-x]`, an escape at the end, an
 * unknown `[:class:]`), that code is the only definition.
 */
export function wildmatch(pattern: string, text: string, options: WildmatchOptions): boolean {
  if (options.work !== undefined) options.work.left -= 30;
  return new Run(pattern, text, options).from(0, 0) === 'match';
}

/**
 * `no more` means that no later start in the text can match; `no more here`, that no start before the next slash can. Both end
 * most searches early.
 */
type Answer = 'match' | 'no match' | 'no more' | 'no more here';

/** The number of calls before answers are cached: only hostile patterns need more. */
const uncachedCalls = 64;
/** The maximum depth of calls, one for each star. No real pattern has so many stars, and no more calls fit on the stack. */
const maxDepth = 500;

const backslash = 0x5c;
const slash = 0x2f;
const star = 0x2a;
const question = 0x3f;
const open = 0x5b;
const close = 0x5d;

class Run {
  readonly #pattern: string;
  readonly #text: string;
  readonly #options: WildmatchOptions;
  readonly #work: Work;
  readonly #lastSlash: number;
  #calls = 0;
  #depth = 0;
  /** The answers by both positions. Git has no such cache, and takes unbounded time for many `**` in a row of folders. */
  #known: Map<number, Answer> | null = null;

  constructor(pattern: string, text: string, options: WildmatchOptions) {
    this.#pattern = pattern;
    this.#text = text;
    this.#options = options;
    this.#work = options.work ?? { left: Number.POSITIVE_INFINITY };
    this.#lastSlash = options.isPath ? text.lastIndexOf('/') : -1;
  }

  from(patternAt: number, textAt: number): Answer {
    this.#calls += 1;
    this.#work.left -= 1;
    if (this.#depth >= maxDepth) this.#work.left = -1;
    if (this.#work.left < 0) return 'no more';
    this.#depth += 1;
    const answer = this.#calls <= uncachedCalls ? this.#match(patternAt, textAt) : this.#once(patternAt, textAt);
    this.#depth -= 1;
    return answer;
  }

  #once(patternAt: number, textAt: number): Answer {
    const place = patternAt * (this.#text.length + 1) + textAt;
    this.#known ??= new Map();
    // An access to the map takes as long as many comparisons.
    this.#work.left -= 40;
    const known = this.#known.get(place);
    if (known !== undefined) return known;
    const answer = this.#match(patternAt, textAt);
    this.#known.set(place, answer);
    return answer;
  }

  #match(patternAt: number, textAt: number): Answer {
    const { isPath, ignoresCase } = this.#options;
    let at = textAt;
    for (let p = patternAt; p < this.#pattern.length; p += 1, at += 1) {
      const raw = this.#byte(p);
      this.#work.left -= 1;
      if (at >= this.#text.length && raw !== star) return 'no more';
      const wanted = ignoresCase ? toLower(raw) : raw;
      const byte = this.#textByte(at);
      switch (wanted) {
        case star: {
          const end = this.#afterStars(p);
          const answer = this.#star(p, end, at, patternAt);
          if (answer !== 'next folder') return answer;
          // `*/` matches the rest of this name; the slash is the next byte of both.
          const next = this.#text.indexOf('/', at);
          this.#work.left -= next - at;
          at = next;
          p = end;
          break;
        }
        case question:
          if (isPath && byte === slash) return 'no match';
          break;
        case open: {
          const set = this.#set(p, byte);
          if (set === null) return 'no more';
          if (!set.matches || (isPath && byte === slash)) return 'no match';
          p = set.end;
          break;
        }
        case backslash:
          p += 1;
          // A letter after a backslash is literal, even if case is ignored.
          if (byte !== this.#byte(p)) return 'no match';
          break;
        default:
          if (byte !== wanted) return 'no match';
      }
    }
    return at < this.#text.length ? 'no match' : 'match';
  }

  /** `p` is at the first star, `end` after the last, `begin` at the start of this match of the pattern. */
  #star(p: number, end: number, textAt: number, begin: number): Answer | 'next folder' {
    const { isPath } = this.#options;
    const next = this.#byte(end);
    let takesSlash = !isPath;
    if (isPath && end - p > 1) {
      const isFirst = p === begin || this.#byte(p - 1) === slash;
      const isLast =
        end === this.#pattern.length || next === slash || (next === backslash && this.#byte(end + 1) === slash);
      if (isFirst && isLast) {
        // `**` may match no folder.
        if (next === slash && this.from(end + 1, textAt) === 'match') return 'match';
        takesSlash = true;
      }
    }
    if (end === this.#pattern.length) {
      return takesSlash || this.#lastSlash < textAt ? 'match' : 'no more here';
    }
    if (!takesSlash && next === slash) return this.#lastSlash >= textAt ? 'next folder' : 'no more';
    return this.#longer(end, textAt, takesSlash);
  }

  /** Extends the stars by one byte at a time. */
  #longer(end: number, textAt: number, takesSlash: boolean): Answer {
    const literal = this.#literalAt(end);
    for (let at = textAt; at < this.#text.length; at += 1) {
      const before = at;
      if (literal !== null) {
        while (at < this.#text.length && this.#textByte(at) !== literal && (takesSlash || this.#byteOf(at) !== slash)) {
          at += 1;
        }
        this.#work.left -= at - before;
        if (at >= this.#text.length || this.#textByte(at) !== literal) return takesSlash ? 'no more' : 'no more here';
      }
      const answer = this.from(end, at);
      if (answer === 'no match') {
        if (!takesSlash && this.#byteOf(at) === slash) return 'no more here';
      } else if (!takesSlash || answer !== 'no more here') return answer;
    }
    return 'no more';
  }

  /**
   * Parses `[…]` from `p` on. Returns whether it matches a byte, and the position where it ends, or null if it is malformed:
   * that matches nothing.
   */
  #set(p: number, byte: number): { readonly matches: boolean; readonly end: number } | null {
    const { ignoresCase } = this.#options;
    let at = p + 1;
    const isNegated = this.#byte(at) === 0x21 || this.#byte(at) === 0x5e;
    if (isNegated) at += 1;
    let matches = false;
    /** The byte before a `-`; 0 if no range can begin there. */
    let before = 0;
    // The first byte belongs to the set, even if it is a `]`.
    do {
      let wanted = this.#byte(at);
      if (wanted === 0) return null;
      const next = this.#byte(at + 1);
      if (wanted === backslash) {
        at += 1;
        wanted = next;
        if (wanted === 0) return null;
        if (byte === wanted) matches = true;
      } else if (wanted === 0x2d && before !== 0 && next !== 0 && next !== close) {
        at += 1;
        let last = next;
        if (last === backslash) {
          at += 1;
          last = this.#byte(at);
          if (last === 0) return null;
        }
        const upper = ignoresCase && isLower(byte) ? toUpper(byte) : byte;
        if ((byte >= before && byte <= last) || (upper >= before && upper <= last)) matches = true;
        wanted = 0;
      } else if (wanted === open && next === 0x3a) {
        const end = this.#pattern.indexOf(']', at + 2);
        this.#work.left -= (end < 0 ? this.#pattern.length : end) - at;
        if (end < 0) return null;
        if (end - 1 < at + 2 || this.#byte(end - 1) !== 0x3a) {
          // There is no `:]`, so the bracket is an ordinary byte.
          if (byte === open) matches = true;
        } else {
          const has = hasClass(this.#pattern.slice(at + 2, end - 1), byte, ignoresCase);
          if (has === null) return null;
          if (has) matches = true;
          at = end;
          wanted = 0;
        }
      } else if (byte === wanted) matches = true;
      before = wanted;
      at += 1;
    } while (this.#byte(at) !== close);
    this.#work.left -= at - p;
    return { matches: matches !== isNegated, end: at };
  }

  #afterStars(p: number): number {
    let end = p + 1;
    while (this.#byte(end) === star) end += 1;
    this.#work.left -= end - p;
    return end;
  }

  /** The literal byte of the pattern at this position; null for a wildcard. */
  #literalAt(p: number): number | null {
    const byte = this.#byte(p);
    if (isSpecial(byte)) return null;
    return this.#options.ignoresCase ? toLower(byte) : byte;
  }

  /** The byte of the pattern at a position; 0 past the end. */
  #byte(p: number): number {
    return p < this.#pattern.length ? this.#pattern.charCodeAt(p) : 0;
  }

  #byteOf(at: number): number {
    return at < this.#text.length ? this.#text.charCodeAt(at) : 0;
  }

  #textByte(at: number): number {
    return this.#options.ignoresCase ? toLower(this.#byteOf(at)) : this.#byteOf(at);
  }
}

/** Whether a byte is a wildcard, begins one, or escapes the next byte. */
export function isSpecial(byte: number): boolean {
  return byte === star || byte === question || byte === open || byte === backslash;
}
