/** Small chunks are put together in pieces of this many bytes: about what a network read brings. */
const pieceBytes = 64 * 1024;

/**
 * Bytes that wait to be read, oldest first. What a network read brings in hundreds of small chunks is copied together as it
 * comes: hundreds of views that live until somebody reads make the garbage collector take more and more memory.
 */
export class Pieces {
  readonly #whole: Uint8Array[] = [];
  /** The last piece: one chunk as it came, or as much of `#room` as is used. */
  #chunk: Uint8Array | undefined;
  #room: Uint8Array | undefined;
  #used = 0;
  #bytes = 0;

  /** How many wait. */
  get bytes(): number {
    return this.#bytes;
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#used + chunk.length > pieceBytes) this.#close();
    if (this.#used === 0) {
      // What comes alone, as a token of a slow stream does, is not copied.
      this.#chunk = chunk;
    } else {
      this.#room ??= roomWith(this.#chunk);
      this.#room.set(chunk, this.#used);
    }
    this.#used += chunk.length;
  }

  /** The oldest piece; undefined where nothing waits. */
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

  /** Nothing is added to the last piece any more. */
  #close(): void {
    const last = this.#room?.subarray(0, this.#used) ?? this.#chunk;
    if (last !== undefined && this.#used > 0) this.#whole.push(last);
    this.#chunk = undefined;
    this.#room = undefined;
    this.#used = 0;
  }
}

function roomWith(first: Uint8Array | undefined): Uint8Array {
  const room = new Uint8Array(pieceBytes);
  if (first !== undefined) room.set(first);
  return room;
}
