import type { DisposableLike } from './disposable.ts';

export type Event<T> = (listener: (value: T) => void) => DisposableLike;

/** A minimal event source in VS Code's style (`onDidX`), for the folders that cannot import vscode. */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    const registered = (value: T): void => listener(value);
    this.#listeners.add(registered);
    return { dispose: () => this.#listeners.delete(registered) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
