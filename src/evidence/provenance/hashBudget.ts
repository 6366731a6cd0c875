import { setImmediate } from 'node:timers/promises';

/** The number of hashes, about 10 ms of one core, after which the event loop gets a turn. */
const pieceSize = 1_000;

/** The maximum number of hashes of a search: notes and commits can be crafted to need any number. */
export class HashBudget {
  #left: number;
  #inPiece = 0;

  constructor(max: number) {
    this.#left = max;
  }

  /** Whether `count` more hashes may be computed. Gives the event loop a turn in between. */
  async takes(count: number): Promise<boolean> {
    if (count > this.#left) return false;
    this.#left -= count;
    this.#inPiece += count;
    if (this.#inPiece >= pieceSize) {
      this.#inPiece = 0;
      await setImmediate();
    }
    return true;
  }
}
