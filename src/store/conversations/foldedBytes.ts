/** The byte for comparison of each byte: ASCII letters are in lower case. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/**
 * Finds a word in UTF-8, ignoring the case of ASCII letters, by Horspool's algorithm: at best it looks at one byte per
 * word length, and allocates nothing.
 */
export class FoldedBytes {
  readonly #word: Uint8Array;
  /** The distance by which the word can be shifted if its last position is at this byte. */
  readonly #skip = new Uint32Array(256);

  constructor(word: string) {
    this.#word = Buffer.from(word, 'utf8').map((byte) => folded[byte] ?? byte);
    const last = this.#word.length - 1;
    const skips = new Map([...this.#word.subarray(0, last)].map((byte, index) => [byte, last - index]));
    for (let byte = 0; byte < 256; byte += 1) this.#skip[byte] = skips.get(folded[byte] ?? byte) ?? this.#word.length;
  }

  /** Returns the first match from `from` on, or -1 if there is no match. */
  indexIn(bytes: Uint8Array, from: number): number {
    const word = this.#word;
    const skip = this.#skip;
    const last = word.length - 1;
    const end = bytes.length;
    for (let at = from + last; at < end; at += skip[bytes[at] as number] as number) {
      let index = last;
      while (index >= 0 && folded[bytes[at - last + index] as number] === word[index]) index -= 1;
      if (index < 0) return at - last;
    }
    return -1;
  }
}
