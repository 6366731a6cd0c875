/** Something that is made when it is first wanted, and once. What could not be made is tried again when next wanted. */
export class Lazy<T> {
  readonly #make: () => Promise<T>;
  #made: Promise<T> | undefined;

  constructor(make: () => Promise<T>) {
    this.#make = make;
  }

  get(): Promise<T> {
    if (this.#made !== undefined) return this.#made;
    const made = this.#make();
    this.#made = made;
    made.catch(() => {
      this.#made = undefined;
    });
    return made;
  }

  /** Does something to it, where it was made. */
  async ifMade(then: (made: T) => unknown): Promise<void> {
    const made = await this.#made?.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (made !== undefined) await then(made.value);
  }
}
