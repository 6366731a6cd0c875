import { rank } from './hashes.ts';

/** Selects the smallest of every `window` hashes in a row, with its marks. */
export class Winnower {
  readonly #window: number;
  readonly #take: (hash: number, marks: number) => void;
  readonly #last: { readonly hash: number; readonly marks: number; readonly rank: number }[] = [];
  #taken = -1;
  #at = 0;

  constructor(window: number, take: (hash: number, marks: number) => void) {
    this.#window = window;
    this.#take = take;
  }

  add(hash: number, marks: number): void {
    this.#last.push({ hash, marks, rank: rank(hash) });
    if (this.#last.length > this.#window) this.#last.shift();
    const first = this.#at - this.#last.length + 1;
    let minIndex = 0;
    for (let index = 1; index < this.#last.length; index += 1) {
      if ((this.#last[index]?.rank ?? 0) <= (this.#last[minIndex]?.rank ?? 0)) minIndex = index;
    }
    this.#at += 1;
    if (this.#last.length < this.#window || first + minIndex === this.#taken) return;
    this.#taken = first + minIndex;
    const chosen = this.#last[minIndex];
    if (chosen !== undefined) this.#take(chosen.hash, chosen.marks);
  }
}
