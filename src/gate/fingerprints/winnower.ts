import { rank } from './hashes.ts';

/** Selects the smallest of every `window` hashes in a row. */
export class Winnower {
  readonly #window: number;
  readonly #take: (hash: number) => void;
  readonly #last: number[] = [];
  #taken = -1;
  #at = 0;

  constructor(window: number, take: (hash: number) => void) {
    this.#window = window;
    this.#take = take;
  }

  add(hash: number): void {
    this.#last.push(hash);
    if (this.#last.length > this.#window) this.#last.shift();
    const first = this.#at - this.#last.length + 1;
    let least = 0;
    for (let index = 1; index < this.#last.length; index += 1) {
      if (rank(this.#last[index] ?? 0) <= rank(this.#last[least] ?? 0)) least = index;
    }
    this.#at += 1;
    if (this.#last.length < this.#window || first + least === this.#taken) return;
    this.#taken = first + least;
    this.#take(this.#last[least] ?? 0);
  }
}
