export interface DisposableLike {
  dispose(): unknown;
}

/** Owns the disposables that it registers and disposes of them, last first, when it is disposed of. */
export abstract class Disposable {
  readonly #owned: DisposableLike[] = [];
  #isDisposed = false;

  protected _register<T extends DisposableLike>(item: T): T {
    if (this.#isDisposed) item.dispose();
    else this.#owned.push(item);
    return item;
  }

  /** Whether this is disposed of: work that is still running then must not use its result. */
  protected get _isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    for (const item of this.#owned.reverse()) item.dispose();
    this.#owned.length = 0;
  }
}
