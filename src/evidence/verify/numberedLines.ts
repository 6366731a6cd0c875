/** A line by its number, without its text. */
export interface NumberedLine {
  readonly seq: number;
  /** The leaf hash, 32 bytes. */
  readonly leaf: Buffer;
  /** The leaf of the previous line, according to this one: 32 bytes. */
  readonly prev: Buffer;
  /** The time in milliseconds since 1970. */
  readonly time: number;
  /** The index of the file. */
  readonly file: number;
  readonly line: number;
}

/** The maximum distance of a number from the highest one; a number further ahead is not accepted, because it only uses memory. */
const maxAhead = 100_000;
/** The maximum number of different lines with one number: two already prove a fork. */
const maxVariants = 16;

/** The size of a slot: a leaf, the time, the file, and twice the line (plus 1 if `prev` is the first previous line's leaf). */
const slotBytes = 48;
const slots = 32;
/** The initial number of slots in the first page: most sessions of hostile input have one line. */
const fewSlots = 2;
const timeAt = 32;
const fileAt = 40;
const lineAt = 44;

/**
 * The lines of one session or ledger, in any order. Takes 48 bytes per line if they come in order, and otherwise at most
 * about 15 bytes per byte of the input.
 */
export class NumberedLines {
  readonly #pages = new Map<number, Buffer>();
  readonly #variants = new Map<number, NumberedLine[]>();
  /** The `prev` of each line for which it differs from the leaf of the previous line, or that line has not come yet. */
  readonly #prevs = new Map<number, Buffer>();
  /** The highest number. */
  highest = 0;
  /** The number that was added last. */
  last = 0;
  /** The number of different lines. */
  count = 0;

  /** The numbers that are present, in order. Hostile input may omit all but a few. */
  numbers(): Uint32Array {
    const numbers = new Uint32Array(this.count);
    let count = 0;
    for (const number of [...this.#pages.keys()].sort((a, b) => a - b))
      for (let seq = number * slots; seq < (number + 1) * slots; seq += 1)
        if (this.#pageWith(seq) !== null) numbers[count++] = seq;
    return numbers.subarray(0, count);
  }

  /**
   * Returns the time of the only line with a number if its `prev` is in `tip`, and writes its leaf to `tip`. Returns null
   * otherwise. This is called for every line, so it makes no object.
   */
  stepTo(seq: number, tip: Buffer): number | null {
    const page = this.#pageWith(seq);
    const areOthers = this.#variants.size > 0 && (this.#variants.has(seq) || this.#variants.has(seq - 1));
    if (page === null || areOthers) return null;
    const at = (seq % slots) * slotBytes;
    if ((page[at + lineAt] as number) % 2 === 0 && !this.#prevs.get(seq)?.equals(tip)) return null;
    page.copy(tip, 0, at, at + 32);
    return page.readDoubleLE(at + timeAt);
  }

  /** Copies a line. `same`: it already existed. `other`: another line has its number. `ahead`: it is not accepted. */
  add(line: NumberedLine): 'new' | 'same' | 'other' | 'ahead' {
    const { seq } = line;
    if (seq > this.highest + maxAhead) return 'ahead';
    this.last = seq;
    this.highest = Math.max(this.highest, seq);
    const page = this.#pageOf(seq);
    const at = (seq % slots) * slotBytes;
    if (page.readUInt32LE(at + lineAt) === 0) {
      this.#write(page, at, line);
      this.count += 1;
      return 'new';
    }
    const others = this.#variants.get(seq) ?? [];
    const known = [page.subarray(at, at + 32), ...others.map(({ leaf }) => leaf)];
    if (known.some((leaf) => leaf.equals(line.leaf))) return 'same';
    if (others.length < maxVariants) {
      this.#variants.set(seq, [...others, { ...line, leaf: Buffer.from(line.leaf), prev: Buffer.from(line.prev) }]);
      this.count += 1;
    }
    return 'other';
  }

  /** The page that has room for a number. */
  #pageOf(seq: number): Buffer {
    const number = Math.floor(seq / slots);
    const found = this.#pages.get(number);
    if (found !== undefined && found.length > (seq % slots) * slotBytes) return found;
    // The page is from Node's pool: an array buffer for each page would take a tenth more.
    const page = Buffer.allocUnsafe((found === undefined && seq < fewSlots ? fewSlots : slots) * slotBytes).fill(0);
    found?.copy(page);
    this.#pages.set(number, page);
    return page;
  }

  /** The page of a number that is present. */
  #pageWith(seq: number): Buffer | null {
    const page = this.#pages.get(Math.floor(seq / slots));
    const at = (seq % slots) * slotBytes;
    return page === undefined || at >= page.length || page.readUInt32LE(at + lineAt) === 0 ? null : page;
  }

  #write(page: Buffer, at: number, { seq, leaf, prev, time, file, line }: NumberedLine): void {
    const isLinked = this.#isLeaf(seq - 1, prev);
    if (!isLinked) this.#prevs.set(seq, Buffer.from(prev));
    page.set(leaf, at);
    page.writeDoubleLE(time, at + timeAt);
    page.writeUInt32LE(file, at + fileAt);
    page.writeUInt32LE(2 * line + (isLinked ? 1 : 0), at + lineAt);
  }

  /** Whether the first line with a number has this leaf. */
  #isLeaf(seq: number, leaf: Buffer): boolean {
    const page = this.#pageWith(seq);
    const at = (seq % slots) * slotBytes;
    for (let index = 0; index < leaf.length; index += 1) if (page?.[at + index] !== leaf[index]) return false;
    return true;
  }

  #leafOf(seq: number): Buffer | null {
    const at = (seq % slots) * slotBytes;
    return this.#pageWith(seq)?.subarray(at, at + 32) ?? null;
  }

  /** The first line that came with this number. */
  first(seq: number): NumberedLine | null {
    const page = this.#pageWith(seq);
    if (page === null) return null;
    const at = (seq % slots) * slotBytes;
    const line = page.readUInt32LE(at + lineAt);
    const prev = (line % 2 === 1 ? this.#leafOf(seq - 1) : this.#prevs.get(seq)) as Buffer;
    return {
      seq,
      leaf: page.subarray(at, at + 32),
      prev,
      time: page.readDoubleLE(at + timeAt),
      file: page.readUInt32LE(at + fileAt),
      line: line >>> 1,
    };
  }

  /** All lines with this number. */
  all(seq: number): readonly NumberedLine[] {
    const first = this.first(seq);
    return first === null ? [] : [first, ...(this.#variants.get(seq) ?? [])];
  }
}
