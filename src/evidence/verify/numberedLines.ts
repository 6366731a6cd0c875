/** A line by its number, without its text. */
export interface NumberedLine {
  readonly seq: number;
  /** 32 bytes. */
  readonly leaf: Buffer;
  /** The leaf of the line before, as this one says it: 32 bytes. */
  readonly prev: Buffer;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The index of the file. */
  readonly file: number;
  readonly line: number;
}

/** A number that is so far past all others would only use up memory. */
export const maxAhead = 100_000;
/** Different lines of one number: more are the same fork. */
const maxVariants = 16;

const slots = 32;
const slotBytes = 80;

/**
 * The lines of one session or ledger, in whatever order they come: 80 bytes each, and no more than some 15 bytes for
 * each byte of the input.
 */
export class NumberedLines {
  readonly #pages = new Map<number, Buffer>();
  readonly #variants = new Map<number, NumberedLine[]>();
  #highest = 0;
  #last = 0;
  #count = 0;

  /** The highest number. */
  get highest(): number {
    return this.#highest;
  }

  /** The number that was added last. */
  get last(): number {
    return this.#last;
  }

  /** How many different lines there are. */
  get count(): number {
    return this.#count;
  }

  /** Whether a line of another content had the same number. */
  get hasVariants(): boolean {
    return this.#variants.size > 0;
  }

  /** `same`: the same line was there. `other`: another line of this number was. `ahead`: not taken. */
  add(line: NumberedLine): 'new' | 'same' | 'other' | 'ahead' {
    const { seq } = line;
    if (seq > this.#highest + maxAhead) return 'ahead';
    this.#last = seq;
    this.#highest = Math.max(this.#highest, seq);
    const page = this.#pageOf(seq);
    const at = (seq % slots) * slotBytes;
    if (page.readUInt32LE(at + 76) === 0) {
      write(page, at, line);
      this.#count += 1;
      return 'new';
    }
    const others = this.#variants.get(seq) ?? [];
    const known = [page.subarray(at, at + 32), ...others.map(({ leaf }) => leaf)];
    if (known.some((leaf) => leaf.equals(line.leaf))) return 'same';
    if (others.length < maxVariants) {
      this.#variants.set(seq, [...others, line]);
      this.#count += 1;
    }
    return 'other';
  }

  #pageOf(seq: number): Buffer {
    const number = Math.floor(seq / slots);
    const found = this.#pages.get(number);
    if (found !== undefined) return found;
    const page = Buffer.alloc(slots * slotBytes);
    this.#pages.set(number, page);
    return page;
  }

  /** The first line that came with this number. */
  first(seq: number): NumberedLine | null {
    const page = this.#pages.get(Math.floor(seq / slots));
    const at = (seq % slots) * slotBytes;
    return page === undefined || page.readUInt32LE(at + 76) === 0 ? null : read(page, at, seq);
  }

  /** All lines with this number. */
  all(seq: number): readonly NumberedLine[] {
    const first = this.first(seq);
    return first === null ? [] : [first, ...(this.#variants.get(seq) ?? [])];
  }
}

function write(page: Buffer, at: number, { leaf, prev, time, file, line }: NumberedLine): void {
  leaf.copy(page, at);
  prev.copy(page, at + 32);
  page.writeDoubleLE(time, at + 64);
  page.writeUInt32LE(file, at + 72);
  page.writeUInt32LE(line, at + 76);
}

function read(page: Buffer, at: number, seq: number): NumberedLine {
  return {
    seq,
    leaf: page.subarray(at, at + 32),
    prev: page.subarray(at + 32, at + 64),
    time: page.readDoubleLE(at + 64),
    file: page.readUInt32LE(at + 72),
    line: page.readUInt32LE(at + 76),
  };
}
