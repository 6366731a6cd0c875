import { randomUUID } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { sha256Hex } from '../../../util/sha256.ts';
import { writeAtomically } from '../../files.ts';
import { processExists, withLock } from '../../lock.ts';

/** The position up to which a file is delivered. */
export interface FilePosition {
  /** The offset in bytes after the last line that was accepted. */
  readonly at: number;
  /** The offset in bytes before which nothing needs delivery. Greater than `at` only if an incomplete line follows. */
  readonly end: number;
  /** Identifies the bytes before `at`; empty at the beginning. */
  readonly mark: string;
}

/** The position in each file, by the name of the file. */
export type Positions = ReadonlyMap<string, FilePosition>;

const offset = z.int().check(z.nonnegative());
const stored = z.object({
  v: z.literal(1),
  holder: z.nullable(
    z.object({ id: z.string(), host: z.string(), pid: z.int().check(z.positive()), until: z.number() }),
  ),
  files: z.record(z.string(), z.tuple([offset, offset, z.string().check(z.regex(/^([0-9a-f]{32})?$/))])),
});
type Stored = z.infer<typeof stored>;

const nothing: Stored = { v: 1, holder: null, files: {} };

/** The duration of a lease in milliseconds, which is longer than a batch takes. */
const leaseMs = 60_000;

/**
 * The progress of the delivery to one collector. One window at a time delivers: it holds a lease, which ends with its process. A
 * state that cannot be read is treated as empty: everything is then sent again, and the collector can recognize the lines that it
 * already has.
 */
export class DeliveryState {
  readonly #folder: string;
  readonly #name: string;
  readonly #now: () => number;
  readonly #id = randomUUID();

  constructor(folder: string, url: string, now: () => number) {
    this.#folder = folder;
    this.#name = sha256Hex(url).slice(0, 16);
    this.#now = now;
  }

  async positions(): Promise<Positions> {
    return positionsIn(await this.#read());
  }

  /** Takes the lease. Returns null if another window holds it. Throws errors of the disk and of withLock. */
  async claim(): Promise<Positions | null> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return this.#locked(async (state) => {
      if (this.#isHeldByOther(state)) return null;
      await this.#write({ ...state, holder: this.#lease() });
      return positionsIn(state);
    });
  }

  /** Stores the positions in files; null for a file that no longer exists. Returns false if another window has taken over. */
  commit(changes: ReadonlyMap<string, FilePosition | null>): Promise<boolean> {
    return this.#locked(async (state) => {
      if (this.#isHeldByOther(state)) return false;
      const files = new Map(Object.entries(state.files));
      for (const [name, position] of changes) {
        if (position === null) files.delete(name);
        else files.set(name, [position.at, position.end, position.mark]);
      }
      await this.#write({ v: 1, holder: this.#lease(), files: Object.fromEntries(files) });
      return true;
    });
  }

  async release(): Promise<void> {
    await this.#locked(async (state) => {
      if (state.holder?.id === this.#id) await this.#write({ ...state, holder: null });
    });
  }

  #lease(): NonNullable<Stored['holder']> {
    return { id: this.#id, host: hostname(), pid: process.pid, until: this.#now() + leaseMs };
  }

  #isHeldByOther({ holder }: Stored): boolean {
    if (holder === null || holder.id === this.#id) return false;
    const leftMs = holder.until - this.#now();
    // A lease with an end too far in the future is ignored: a clock that was set back must not stop the delivery.
    if (leftMs <= 0 || leftMs > leaseMs) return false;
    return holder.host !== hostname() || processExists(holder.pid);
  }

  #locked<T>(task: (state: Stored) => Promise<T>): Promise<T> {
    return withLock(join(this.#folder, `${this.#name}.lock`), async () => task(await this.#read()));
  }

  async #read(): Promise<Stored> {
    try {
      const parsed = stored.safeParse(JSON.parse(await readFile(this.#path, 'utf8')));
      return parsed.success ? parsed.data : nothing;
    } catch {
      return nothing;
    }
  }

  #write(state: Stored): Promise<void> {
    return writeAtomically(this.#path, JSON.stringify(state), { mode: 0o600 });
  }

  get #path(): string {
    return join(this.#folder, `${this.#name}.json`);
  }
}

function positionsIn({ files }: Stored): Positions {
  return new Map(Object.entries(files).map(([name, [at, end, mark]]) => [name, { at, end, mark }]));
}
