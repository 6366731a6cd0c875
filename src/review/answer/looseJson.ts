/** A value that was read, with the offset of its end. */
export interface Loose {
  /** The value; objects have no prototype. A cut or broken value contains what was read before the problem. */
  readonly value: unknown;
  readonly end: number;
  /** `cut`: the text ends inside the value. `broken`: the text at `end` does not continue the value. */
  readonly is: 'whole' | 'cut' | 'broken';
}

/** The maximum depth of nested values. Deeper values are treated as invalid, because an answer has three levels. */
const maxDepth = 20;

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", '`': '`', '“': '”', '„': '“', '‘': '’' };
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const words: Readonly<Record<string, unknown>> = { true: true, false: false };

const blank = /\s*/y;
const nextKey =
  /\s*(?:"(?:[^"\\\n]|\\.){0,60}"|'(?:[^'\\\n]|\\.){0,60}'|[“„‘`][^“”‘’`\n]{0,60}[“”’`]|[A-Za-z_$][\w$-]{0,60})\s{0,9}:/y;
/** The end of an object, and the start of the next one. */
const nextObject = /\}\s*,\s*\{\s*(["'])\w{1,60}\1\s*:/y;
const comment = /\s*(?:\/\/|\/\*|#)/y;
const ending = /\s*(?:[}\]]|$)/y;
const plainKey = /[A-Za-z_$][\w$-]*/y;
const numeral = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

type Within = 'object' | 'array' | 'key';

/**
 * Reads the JSON value at an offset as models write it: with comments, trailing or missing commas, single or typographic
 * quotation marks, names without quotation marks, line breaks in strings, `None`. A quotation mark that is not escaped ends
 * its string only if the text after it can follow a string. Reads each character a bounded number of times. JSON.parse()
 * accepts none of these, jsonc-parser accepts only double quotation marks, and neither returns the values before an error.
 */
export function readLoose(text: string, at: number): Loose {
  const reader = new Reader(text, at);
  const value = reader.value(0, 'array');
  return { value, end: reader.at, is: reader.is };
}

/** Returns the offset after white space, commas and comments, or the end of the text for an unterminated comment. */
export function afterBlanks(text: string, at: number, commas = true): number {
  let next = at;
  for (;;) {
    blank.lastIndex = next;
    next += blank.exec(text)?.[0].length ?? 0;
    if (commas && text[next] === ',') next += 1;
    else if (text[next] === '#' || text.startsWith('//', next)) next = endOf(text, '\n', next);
    else if (text.startsWith('/*', next)) next = endOf(text, '*/', next + 2);
    else return next;
  }
}

function endOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

class Reader {
  at: number;
  is: Loose['is'] = 'whole';
  readonly #text: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number, within: Within): unknown {
    this.at = afterBlanks(this.#text, this.at, false);
    const first = this.#text[this.at];
    if (first === undefined) return this.#stop('cut');
    if (depth > maxDepth) return this.#stop('broken');
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (Object.hasOwn(closings, first)) return this.#string(within);
    return this.#plain();
  }

  #stop(is: 'cut' | 'broken'): undefined {
    this.is = is;
    return undefined;
  }

  #object(depth: number): unknown {
    const members: Record<string, unknown> = Object.create(null);
    this.at += 1;
    for (;;) {
      this.at = afterBlanks(this.#text, this.at);
      const next = this.#text[this.at];
      if (next === '}') {
        this.at += 1;
        return members;
      }
      const key = this.#key(next);
      if (key === undefined) return members;
      const value = this.value(depth + 1, 'object');
      if (value !== undefined) members[key] = value;
      if (this.is !== 'whole') return members;
    }
  }

  /** Reads the name of a member and its colon; returns undefined if there is no name. */
  #key(next: string | undefined): string | undefined {
    if (next === undefined) return this.#stop('cut');
    const key = Object.hasOwn(closings, next) ? this.#string('key') : this.#match(plainKey);
    if (this.is !== 'whole') return undefined;
    this.at = afterBlanks(this.#text, this.at, false);
    if (key === undefined || this.#text[this.at] !== ':')
      return this.#stop(this.at >= this.#text.length ? 'cut' : 'broken');
    this.at += 1;
    return key;
  }

  #array(depth: number): unknown {
    const items: unknown[] = [];
    this.at += 1;
    for (;;) {
      this.at = afterBlanks(this.#text, this.at);
      if (this.#text[this.at] === ']') {
        this.at += 1;
        return items;
      }
      const value = this.value(depth + 1, 'array');
      if (value !== undefined) items.push(value);
      if (this.is !== 'whole') return items;
    }
  }

  #string(within: Within): string {
    const text = this.#text;
    const close = closings[text[this.at] ?? ''];
    let read = '';
    let from = this.at + 1;
    for (let index = from; index < text.length; index += 1) {
      const character = text[index];
      if (character === '\\') {
        const escaped = escapeAt(text, index);
        read += text.slice(from, index) + escaped.text;
        from = escaped.end;
        index = from - 1;
      } else if (character === close && this.#mayFollow(index + 1, within)) {
        this.at = index + 1;
        return read + text.slice(from, index);
      } else if (character === '}' && close !== undefined && this.#isForgotten(index, close)) {
        this.at = index;
        return read + text.slice(from, index);
      }
    }
    this.at = text.length;
    this.is = 'cut';
    return read + text.slice(from);
  }

  /**
   * Whether the next object begins here, so that the closing quotation mark is missing: inside the string, quotation marks
   * would be escaped.
   */
  #isForgotten(at: number, close: string): boolean {
    nextObject.lastIndex = at;
    return nextObject.exec(this.#text)?.[1] === close;
  }

  /** Whether the text at an offset can follow a string. */
  #mayFollow(at: number, within: Within): boolean {
    const text = this.#text;
    blank.lastIndex = at;
    const between = blank.exec(text)?.[0] ?? '';
    const next = at + between.length;
    const character = text[next];
    // A name contains no quotation marks.
    if (character === undefined || within === 'key') return true;
    if (within === 'array') return character === ',' || character === ']' || between.includes('\n');
    if (character === ',') return matches(text, next + 1, nextKey) || matches(text, next + 1, ending, comment);
    // In code such as `f({ a: "b" });`, the string continues.
    if (character === '}' || character === ']') return !/[)"';]/.test(text[next + 1] ?? '');
    return between.includes('\n') && matches(text, next, nextKey, comment);
  }

  #plain(): unknown {
    const digits = this.#match(numeral);
    if (digits !== undefined) return Number(digits);
    const word = this.#match(plainKey);
    if (word === undefined) return this.#stop('broken');
    if (this.at >= this.#text.length) return this.#stop('cut');
    return words[word.toLowerCase()] ?? null;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }
}

function matches(text: string, at: number, ...patterns: readonly RegExp[]): boolean {
  return patterns.some((pattern) => {
    pattern.lastIndex = at;
    return pattern.test(text);
  });
}

/** Returns the character that an escape represents. An escape that JSON does not have is code, so its backslash stays. */
function escapeAt(text: string, at: number): { readonly text: string; readonly end: number } {
  const next = text[at + 1] ?? '';
  if (next === 'u') {
    const digits = /^[0-9a-f]{4}/i.exec(text.slice(at + 2, at + 6))?.[0];
    if (digits !== undefined) return { text: String.fromCharCode(Number.parseInt(digits, 16)), end: at + 6 };
    // The text ends inside the escape.
    if (at + 6 > text.length) return { text: '', end: text.length };
  }
  if (Object.hasOwn(escapes, next)) return { text: escapes[next] ?? '', end: at + 2 };
  const isKnown = next === '' || '"\'`/\\\n'.includes(next);
  return { text: isKnown ? next : `\\${next}`, end: at + 1 + next.length };
}
