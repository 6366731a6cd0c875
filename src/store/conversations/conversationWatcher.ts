import { type FSWatcher, watch } from 'node:fs';
import type { DisposableLike } from '../../util/disposable.ts';
import type { Logger } from '../../util/logger.ts';

/** One save is several events, and the other window may save every second, in milliseconds. */
const gatherForMs = 100;

/** Tells which files of a folder have changed: their names, or null where the system does not say. */
export class FolderWatcher implements DisposableLike {
  readonly #folder: string;
  readonly #onChange: (names: ReadonlySet<string> | null) => void;
  readonly #logger: Logger;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #names: Set<string> | null = new Set();
  #isDisposed = false;

  constructor(folder: string, onChange: (names: ReadonlySet<string> | null) => void, logger: Logger) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#logger = logger;
  }

  /** The folder must be there. Does nothing where it is watched already. */
  start(): void {
    if (this.#watcher !== undefined || this.#isDisposed) return;
    try {
      const watcher = watch(this.#folder, { persistent: false }, (_, name) => this.#gather(name));
      this.#watcher = watcher;
      watcher.on('error', () => this.#stop());
    } catch {
      // Some network disks cannot be watched: a list that is asked for is right all the same.
      this.#logger.warn('The folder of conversations cannot be watched.');
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#stop();
  }

  #stop(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #gather(name: string | null): void {
    if (this.#isDisposed) return;
    if (name === null) this.#names = null;
    else this.#names?.add(name);
    // Not put off by what follows, or a window that keeps saving would never be heard.
    this.#timer ??= setTimeout(() => {
      const names = this.#names;
      this.#timer = undefined;
      this.#names = new Set();
      this.#onChange(names);
    }, gatherForMs).unref();
  }
}
