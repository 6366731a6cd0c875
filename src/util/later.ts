/** Something that is made when it is first wanted, and once. */
export class Later<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  get(): Promise<T> {
    this.#made ??= this.#make();
    return this.#made;
  }

  /** Does something to it, where it was made. */
  async ifMade(then: (made: T) => unknown): Promise<void> {
    if (this.#made !== undefined) await then(await this.#made);
  }
}
