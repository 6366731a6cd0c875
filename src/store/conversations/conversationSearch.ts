import { FoldedBytes } from './foldedBytes.ts';

const maxExcerpt = 160;
const before = 50;
const maxQuery = 200;
/** The number of bytes on each side of a match that are searched for the other words: twice the space that they may take. */
const around = 2_000;

const quote = 0x22;
const backslash = 0x5c;

/** Searches for words, ignoring case and with any white space between them. */
export class WordSearch {
  readonly #pattern: RegExp;
  /**
   * The longest part of the words that a file contains literally; undefined if each letter may be encoded differently.
   */
  readonly #part: FoldedBytes | undefined;

  private constructor(wanted: string) {
    // A pattern folds case without changing lengths, so its positions are valid in the original.
    this.#pattern = new RegExp(wanted.replace(/[/\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+'), 'iu');
    const part = longestPlain(wanted);
    this.#part = part === '' ? undefined : new FoldedBytes(part);
  }

  /** Returns null if there is nothing to search for. */
  static for(words: string): WordSearch | null {
    const wanted = words.trim().slice(0, maxQuery).toWellFormed();
    return wanted === '' ? null : new WordSearch(wanted);
  }

  /** Returns the first match in a text, in one line of at most 160 characters. */
  inText(text: string): string | null {
    return this.#excerpt(text, true, true);
  }

  /**
   * Like inText(), in the prompts and answers of a conversation's file, which is not parsed: most of a file cannot match, and
   * parsing takes ten times as long as searching. Only matches allocate.
   */
  inFile(bytes: Buffer): string | null {
    const part = this.#part;
    if (part === undefined) return this.#inParsed(bytes);
    let known = 0;
    let opening = -1;
    let isText = false;
    let next = 0;
    for (let at = part.indexIn(bytes, 0); at !== -1; at = part.indexIn(bytes, next)) {
      next = at + 1;
      const found = lastQuote(bytes, at, known);
      if (found !== -1) {
        opening = found;
        isText = isPromptOrAnswer(bytes, found);
      }
      known = at;
      if (!isText) continue;
      const near = this.#near(bytes, opening, at);
      if (near.excerpt !== null) return near.excerpt;
      // Positions this close were already searched: a frequent part costs no more than a rare one.
      next = near.end;
    }
    return null;
  }

  #inParsed(bytes: Buffer): string | null {
    for (const text of textsIn(bytes.toString('utf8'))) {
      const excerpt = this.inText(text);
      if (excerpt !== null) return excerpt;
    }
    return null;
  }

  /** Searches around a position in the string that begins after `opening`; there is no other match before `end`. */
  #near(bytes: Buffer, opening: number, at: number): { readonly excerpt: string | null; readonly end: number } {
    let from = Math.max(opening + 1, at - around);
    let to = Math.min(bytes.length, at + around);
    // Do not start inside an escape or a character.
    if (isEscaped(bytes, from)) from += 1;
    while (from < at && isInside(bytes, from)) from += 1;
    while (to > at && to < bytes.length && isInside(bytes, to)) to -= 1;
    const raw = /^(?:[^"\\]|\\.)*/s.exec(bytes.toString('utf8', from, to))?.[0] ?? '';
    const stringEnd = from + Buffer.byteLength(raw);
    const isLast = stringEnd < to;
    const excerpt = this.#excerpt(unescaped(raw), from === opening + 1, isLast);
    return { excerpt, end: Math.max(at + 1, isLast ? stringEnd : at + around / 2) };
  }

  #excerpt(text: string, isFirst: boolean, isLast: boolean): string | null {
    const found = this.#pattern.exec(text);
    if (found === null) return null;
    const start = Math.max(0, found.index - before);
    const part = text.slice(start, start + maxExcerpt - 2);
    const line = part
      // Removes split characters and those that must not be shown in a line.
      .replace(/[\p{Cs}]/gu, '')
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    const hasMore = start + part.length < text.length || !isLast;
    return `${start > 0 || !isFirst ? '…' : ''}${line}${hasMore ? '…' : ''}`;
  }
}

/**
 * The longest run of characters that JSON writes literally and whose only case variants are those of ASCII letters. (So
 * the Kelvin sign and the long s, which fold to k and s, are not found by k and s.)
 */
function longestPlain(wanted: string): string {
  const runs = [...wanted]
    .map((character) => (isPlain(character) ? character : ' '))
    .join('')
    .split(' ');
  return runs.reduce((longest, run) => (Buffer.byteLength(run) > Buffer.byteLength(longest) ? run : longest), '');
}

function isPlain(character: string): boolean {
  if (/^[!#-[\]-~]$/.test(character)) return true;
  const isCaseless = character.toLowerCase() === character && character.toUpperCase() === character;
  return character > '\x7f' && isCaseless && !/[\s\p{Cc}\p{Cs}]/u.test(character);
}

/** Returns the last quote that begins or ends a string in `bytes`, from `from` up to `at`, or -1 if there is no quote. */
function lastQuote(bytes: Buffer, at: number, from: number): number {
  const part = bytes.subarray(from, at);
  let place = part.lastIndexOf(quote);
  while (place !== -1 && isEscaped(bytes, from + place)) place = place === 0 ? -1 : part.lastIndexOf(quote, place - 1);
  return place === -1 ? -1 : from + place;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let count = 0;
  while (bytes[at - 1 - count] === backslash) count += 1;
  return count % 2 === 1;
}

/** Whether the byte continues a character that began before it. */
function isInside(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

/** Whether the string that begins at a quote is the value of a prompt or an answer. */
function isPromptOrAnswer(bytes: Buffer, opening: number): boolean {
  const before = bytes.toString('latin1', Math.max(0, opening - 40), opening);
  return /[{,\s](?:"prompt"|"answer"\s*:\s*\{\s*"text")\s*:\s*$/.test(before);
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function unescaped(raw: string): string {
  return raw.replace(/\\(?:u([\da-f]{4})|(.))/gis, (_, code: string | undefined, one: string | undefined) =>
    code === undefined ? (escapes[one ?? ''] ?? one ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Returns the prompts and answers of a file, ignoring everything else. */
function textsIn(file: string): readonly string[] {
  let turns: unknown;
  try {
    turns = JSON.parse(file).conversation.turns;
  } catch {
    return [];
  }
  if (!Array.isArray(turns)) return [];
  return turns.flatMap((turn: unknown) => {
    const { question, answer } = Object(turn);
    return [Object(question).prompt, Object(answer).text].filter((text) => typeof text === 'string');
  });
}
