/** The text that replaces the key. */
const keyMark = '<key>';

/** The minimum length of a key that is searched for; a shorter key could be an ordinary word. */
const minChars = 8;
/** The minimum length from which a truncated key is treated as the key. If half of the key is longer, that is the minimum. */
const minPartChars = 16;
/** The maximum depth of a JSON value; deeper values are dropped. */
const maxDepth = 100;

export interface KeyFilter {
  /** Masks the key in a complete text. */
  text(text: string): string;
  /** Masks the key in all strings and names of a JSON value. */
  json(value: unknown): unknown;
  /** Returns a filter for a text that arrives in pieces. */
  pieces(): KeyFilterOfPieces;
}

/**
 * Removes keys from everything the peer sends. Matches a key in any case, percent-encoded, as hex, and as base64 at any
 * position of the encoded text ("Bearer ..." or "user:..."); also the beginning of a truncated key. A key of fewer than
 * eight characters is not searched for.
 */
export function keyFilter(keys: readonly string[]): KeyFilter {
  const finder = new KeyFinder(keys);
  const text = (given: string): string => {
    const { shown } = finder.mask(given, 0, true);
    return shown;
  };
  /** Whether a value contains no key: most JSON needs no copy, and answers contain thousands of values. */
  const isClean = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') return text(value) === value;
    if (typeof value !== 'object' || value === null) return true;
    if (depth >= maxDepth) return false;
    if (Array.isArray(value)) return value.every((item) => isClean(item, depth + 1));
    return Object.entries(value).every(([name, item]) => text(name) === name && isClean(item, depth + 1));
  };
  const json = (value: unknown, depth = 0): unknown => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= maxDepth) return null;
    if (Array.isArray(value)) return value.map((item) => json(item, depth + 1));
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [text(name), json(item, depth + 1)]));
  };
  return {
    text,
    json: (value) => (isClean(value, 0) ? value : json(value)),
    pieces: () => new KeyFilterOfPieces(finder),
  };
}

/** Holds back text that may become the key. Text passed on earlier reveals nothing about it. */
export class KeyFilterOfPieces {
  readonly #finder: KeyFinder;
  /** The last characters that were passed on: a key may begin in them. */
  #passed = '';
  #held = '';

  constructor(finder: KeyFinder) {
    this.#finder = finder;
  }

  push(piece: string): string {
    return this.#take(piece, false);
  }

  /** Returns the text that was held back. */
  end(): string {
    return this.#held === '' ? '' : this.#take('', true);
  }

  #take(piece: string, isLast: boolean): string {
    const text = this.#passed + this.#held + piece;
    const { shown, heldFrom } = this.#finder.mask(text, this.#passed.length, isLast);
    this.#held = text.slice(heldFrom);
    this.#passed = text.slice(Math.max(0, heldFrom - minChars + 1), heldFrom);
    return shown;
  }
}

interface Masked {
  readonly shown: string;
  /** The index from which the text may become the key. */
  readonly heldFrom: number;
}

interface Forms {
  /** The forms of all keys, in lower case. */
  readonly forms: readonly string[];
  /** The beginnings of all forms. */
  readonly heads: RegExp | undefined;
}

class KeyFinder {
  readonly #keys: readonly string[];
  #cached: Forms | undefined;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
    // Making the forms takes time, so it is done after the request was sent.
    setImmediate(() => this.#forms());
  }

  /**
   * Masks the key in `text` from `from` on. Without `isLast`, holds back the end of the text if it may become the key.
   */
  mask(text: string, from: number, isLast: boolean): Masked {
    const { forms, heads } = this.#forms();
    let shown = '';
    let at = from;
    if (heads !== undefined) {
      heads.lastIndex = 0;
      for (let found = heads.exec(text); found !== null; found = heads.exec(text)) {
        const start = found.index;
        const { length, isKey, isOpen } = longestAt(text, start, forms);
        if (isOpen && !isLast) {
          const heldFrom = Math.max(start, at);
          return { shown: shown + text.slice(at, heldFrom), heldFrom };
        }
        if (isKey) {
          shown += text.slice(at, Math.max(start, at)) + keyMark;
          at = start + length;
        }
        heads.lastIndex = isKey ? at : start + 1;
      }
    }
    return { shown: shown + text.slice(at), heldFrom: text.length };
  }

  #forms(): Forms {
    this.#cached ??= allFormsOf(this.#keys);
    return this.#cached;
  }
}

function allFormsOf(keys: readonly string[]): Forms {
  const forms = [...new Set(keys.filter((key) => key.length >= minChars).flatMap(formsOf))];
  const heads = [...new Set(forms.map((form) => escaped(form.slice(0, minChars))))];
  return { forms, heads: heads.length === 0 ? undefined : new RegExp(heads.join('|'), 'gi') };
}

function longestAt(text: string, start: number, forms: readonly string[]) {
  let longest = { length: 0, isKey: false, isOpen: false };
  for (const form of forms) {
    let length = 0;
    while (length < form.length && lower(text.charCodeAt(start + length)) === form.charCodeAt(length)) length += 1;
    const isWhole = length === form.length;
    const isKey = isWhole || length >= Math.max(minPartChars, form.length / 2);
    const isOpen = !isWhole && length >= minChars && start + length === text.length;
    if (length > longest.length) longest = { length, isKey, isOpen };
  }
  return longest;
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

/** Escapes every character that is not a letter or a digit, so that any key gives a valid pattern. */
function escaped(text: string): string {
  return text.replace(/[^a-z\d]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The forms in which a response may contain a key. Keys are visible ASCII. */
function formsOf(apiKey: string): readonly string[] {
  const bytes = Buffer.from(`\0\0${apiKey}`);
  const percent = (from: string): string =>
    from.replace(/[^\w.~-]/g, (c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const base64 = [0, 1, 2].flatMap((before) => {
    const encoded = bytes.toString('base64', 2 - before);
    // Some bits of the first and last characters belong to the bytes beside the key.
    const first = Math.ceil((before * 8) / 6);
    const standard = encoded.slice(first, Math.floor(((before + bytes.length - 2) * 8) / 6));
    return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const forms = [
    apiKey,
    percent(apiKey),
    encodeURIComponent(apiKey.toWellFormed()),
    bytes.toString('hex', 2),
    ...base64,
  ];
  return [...new Set(forms.map((form) => form.toLowerCase()))].filter((form) => form.length >= minChars);
}
