/** The size in bytes of the pieces into which small chunks are merged: about the size of a network read. */
const pieceBytes = 64 * 1024;
/** The size of the first buffer in bytes: a few tokens do not need more. */
const firstBufferBytes = 4 * 1024;

/**
 * A queue of bytes, oldest first. The hundreds of small chunks of one network read are copied together on arrival:
 * hundreds of views that live until they are read make the garbage collector take more and more memory.
 */
export class Pieces {
  readonly #whole: Uint8Array[] = [];
  /** The last piece: one chunk as received, or the used part of `#buffer`. */
  #chunk: Uint8Array | undefined;
  #buffer: Uint8Array | undefined;
  #used = 0;
  /** The size of the next buffer: a fast stream fills each one. */
  #bufferBytes = firstBufferBytes;
  #bytes = 0;

  /** The number of queued bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#used + chunk.length > pieceBytes) this.#close();
    if (this.#used === 0) {
      // A single chunk, such as a token of a slow stream, is not copied.
      this.#chunk = chunk;
    } else {
      this.#bufferFor(chunk.length).set(chunk, this.#used);
    }
    this.#used += chunk.length;
  }

  /** Returns the oldest piece, or undefined if the queue is empty. */
  shift(): Uint8Array | undefined {
    if (this.#whole.length === 0) this.#close();
    const piece = this.#whole.shift();
    this.#bytes -= piece?.length ?? 0;
    return piece;
  }

  clear(): void {
    this.#close();
    this.#whole.length = 0;
    this.#bytes = 0;
  }

  /** Closes the last piece: nothing more is appended to it. */
  #close(): void {
    const last = this.#buffer?.subarray(0, this.#used) ?? this.#chunk;
    if (last !== undefined && this.#used > 0) this.#whole.push(last);
    this.#chunk = undefined;
    this.#buffer = undefined;
    this.#used = 0;
  }

  /** The buffer of the last piece, with space for `bytes` more. */
  #bufferFor(bytes: number): Uint8Array {
    const needed = this.#used + bytes;
    if (this.#buffer !== undefined && needed <= this.#buffer.length) return this.#buffer;
    while (this.#bufferBytes < needed) this.#bufferBytes *= 4;
    const before = this.#buffer?.subarray(0, this.#used) ?? this.#chunk;
    this.#buffer = new Uint8Array(this.#bufferBytes);
    if (before !== undefined) this.#buffer.set(before);
    return this.#buffer;
  }
}
