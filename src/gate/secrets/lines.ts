/** Maps offsets to lines. With ascending offsets, it reads each character once. */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The line and the column, both counted from 1; the column is in UTF-16 units. `\r\n`, `\r` and `\n` end a line. */
  get position(): { readonly line: number; readonly column: number } {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  /** Advances to `offset`, but by at most `max` characters; returns false if it has not reached it. */
  advance(offset: number, max: number): boolean {
    const to = Math.min(offset, this.#at + max);
    for (; this.#at < to; this.#at += 1) {
      const code = this.#text.charCodeAt(this.#at);
      const isEnd = code === lineFeed || (code === carriageReturn && this.#text.charCodeAt(this.#at + 1) !== lineFeed);
      if (!isEnd) continue;
      this.#line += 1;
      this.#lineStart = this.#at + 1;
    }
    return to === offset;
  }
}

const lineFeed = 10;
const carriageReturn = 13;
