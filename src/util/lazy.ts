/** A value that is created once, on first use. A failed creation is retried on the next use. */
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

  /** Applies `then` to the value if it was created. */
  async ifMade(then: (made: T) => unknown): Promise<void> {
    const made = await this.#made?.then(
      (value) => ({ value }),
      () => undefined,
    );
    if (made !== undefined) await then(made.value);
  }
}
