import { setImmediate } from 'node:timers/promises';

/** After so many hashes, some 10 ms of one core, other work gets its turn. */
const pieceSize = 1_000;

/** How many hashes a search may compute: notes and commits of others can be made to need any number. */
export class HashBudget {
  #left: number;
  #inPiece = 0;

  constructor(most: number) {
    this.#left = most;
  }

  /** Whether so many more may be computed. Lets other work have its turn in between. */
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
