import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeAtomically } from '../files.ts';

/** The maximum number of edits that are kept, and the time for which they are kept. The oldest are removed first. */
const maxEdits = 500;
const keptMs = 30 * 24 * 60 * 60 * 1000;

const base64 = z.string().check(z.maxLength(500_000), z.regex(/^[A-Za-z0-9+/]*={0,2}$/));
const word = z.string().check(z.maxLength(300));
const uuid = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/));

const pendingEdit = z.object({
  v: z.literal(1),
  edit: uuid,
  request: uuid,
  model: word,
  /** The time at which it was recorded (epoch, milliseconds). */
  time: z.number(),
  /** The name of the log that contains its record. */
  log: word,
  session: uuid,
  seq: z.int().check(z.positive()),
  /** The tags of its lines: see evidence/provenance/lineKeys.ts. */
  tags: base64,
  matches: base64,
});

/** The facts of an accepted edit that are kept until its lines are committed. Without the key, they do not reveal the lines. */
export type PendingEdit = Omit<z.infer<typeof pendingEdit>, 'v'>;

/** Stores one file for each edit, so that windows need no lock. A file that cannot be read is treated as missing. */
export class PendingEdits {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  async put(edit: PendingEdit): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await chmod(this.#folder, 0o700).catch(() => undefined);
    await writeAtomically(this.#path(edit.edit), JSON.stringify({ v: 1, ...edit }), { mode: 0o600 });
  }

  /** Returns the edits, the newest first. Removes edits that are too old or too many. */
  async all(): Promise<readonly PendingEdit[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(extension));
    const read = await Promise.all(names.map((name) => this.#read(name)));
    const found = read.filter((edit) => edit !== null).sort((a, b) => b.time - a.time);
    const kept = found.slice(0, maxEdits).filter(({ time }) => this.#now() - time < keptMs);
    const isKept = new Set(kept.map(({ edit }) => edit));
    await this.remove(found.filter(({ edit }) => !isKept.has(edit)).map(({ edit }) => edit));
    return kept;
  }

  async remove(edits: readonly string[]): Promise<void> {
    for (const edit of edits) await rm(this.#path(edit), { force: true });
  }

  async clear(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((each) => each.endsWith(extension)))
      await rm(join(this.#folder, name), { force: true });
  }

  async #read(name: string): Promise<PendingEdit | null> {
    try {
      const { v: _, ...edit } = pendingEdit.parse(JSON.parse(await readFile(join(this.#folder, name), 'utf8')));
      return `${edit.edit}${extension}` === name ? edit : null;
    } catch {
      return null;
    }
  }

  #path(edit: string): string {
    return join(this.#folder, edit + extension);
  }
}

const extension = '.json';
