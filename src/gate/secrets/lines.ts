/** Maps offsets to lines. With ascending offsets, it reads each character once. */
export class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Both counted from 1; the column in UTF-16 units. `\r\n`, `\r` and `\n` end a line. */
  get position(): { readonly line: number; readonly column: number } {
    return { line: this.#line, column: this.#at - this.#lineStart + 1 };
  }

  /** Advances to `offset`, but by at most `most` characters; returns false if it has not reached it. */
  advance(offset: number, most: number): boolean {
    const to = Math.min(offset, this.#at + most);
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
