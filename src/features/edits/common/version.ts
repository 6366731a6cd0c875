/** Numbers the states of something: the number grows whenever one of its parts has been replaced. */
export class Version {
  #parts: readonly unknown[] = [];
  #number = 0;

  of(parts: readonly unknown[]): number {
    const isSame = parts.length === this.#parts.length && parts.every((part, at) => part === this.#parts[at]);
    if (!isSame) this.#number += 1;
    this.#parts = parts;
    return this.#number;
  }
}
