/** The grams of a text that are in a table, in order. Adjacent grams with one origin are one entry, because most are adjacent. */
export class Hits {
  /** The place of the first gram of each entry, and its hash. */
  readonly places: Uint32Array;
  readonly hashes: Int32Array;
  /** The number of grams of each entry. */
  readonly counts: Uint32Array;
  /** The file of each entry with its bits. */
  readonly origins: Int32Array;
  /** The number of entries. */
  length = 0;

  /** `room` is the maximum number of grams. */
  constructor(room: number) {
    this.places = new Uint32Array(room);
    this.hashes = new Int32Array(room);
    this.counts = new Uint32Array(room);
    this.origins = new Int32Array(room);
  }

  /** Adds `count` adjacent grams. */
  add(place: number, count: number, hash: number, origin: number): void {
    const { places, counts, origins } = this;
    const last = this.length - 1;
    if (last >= 0 && origins[last] === origin && (places[last] ?? 0) + (counts[last] ?? 0) === place) {
      counts[last] = (counts[last] ?? 0) + count;
      return;
    }
    places[this.length] = place;
    this.hashes[this.length] = hash;
    counts[this.length] = count;
    origins[this.length] = origin;
    this.length += 1;
  }
}
