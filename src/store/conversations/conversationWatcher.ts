import { type FSWatcher, watch } from 'node:fs';
import type { DisposableLike } from '../../util/disposable.ts';
import type { Logger } from '../../util/logger.ts';

/** The time in milliseconds for which events are collected: one save causes several, and a window may save every second. */
const gatherForMs = 100;

/** Reports which files of a folder have changed: their names, or null if the system does not report them. */
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

  /** Starts to watch the folder, which must exist. Does nothing if it is already watched. */
  start(): void {
    if (this.#watcher !== undefined || this.#isDisposed) return;
    try {
      const watcher = watch(this.#folder, { persistent: false }, (_, name) => this.#gather(name));
      this.#watcher = watcher;
      watcher.on('error', () => this.#stop());
    } catch {
      // Some network disks cannot be watched: a list that is requested is still correct.
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
    // Later events do not postpone the report, or the changes of a window that keeps saving would never be reported.
    this.#timer ??= setTimeout(() => {
      const names = this.#names;
      this.#timer = undefined;
      this.#names = new Set();
      this.#onChange(names);
    }, gatherForMs).unref();
  }
}
