import { setImmediate } from 'node:timers/promises';

/** After this many hashes, about 10 ms of one core, the event loop gets a turn. */
const pieceSize = 1_000;

/** The maximum number of hashes of a search: notes and commits of others can be crafted to need any number. */
export class HashBudget {
  #left: number;
  #inPiece = 0;

  constructor(most: number) {
    this.#left = most;
  }

  /** Whether this many more may be computed. Gives the event loop a turn in between. */
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
