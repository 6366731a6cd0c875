import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeAtomically } from '../files.ts';

/** How many edits are kept at most, and for how long. The oldest go first. */
const most = 500;
const keptMs = 30 * 24 * 60 * 60 * 1000;

const base64 = z.string().check(z.maxLength(500_000), z.regex(/^[A-Za-z0-9+/]*={0,2}$/));
const word = z.string().check(z.maxLength(300));
const uuid = z.string().check(z.regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/));

const pendingEdit = z.object({
  v: z.literal(1),
  edit: uuid,
  request: uuid,
  model: word,
  /** When it was recorded: epoch, milliseconds. */
  time: z.number(),
  /** Where its record is in the log. */
  log: word,
  session: uuid,
  seq: z.int().check(z.positive()),
  /** See evidence/provenance/lineKeys.ts. */
  tags: base64,
  matches: base64,
});

/** What this machine keeps of an accepted edit until its lines are committed. None of it reveals the lines without the key. */
export type PendingEdit = Omit<z.infer<typeof pendingEdit>, 'v'>;

/** One file an edit, so that windows need no lock. A file that cannot be read is as if it were not there. */
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

  /** The newest first. Removes what is too old, or too much. */
  async all(): Promise<readonly PendingEdit[]> {
    const names = (await readdir(this.#folder).catch(() => [])).filter((name) => name.endsWith(extension));
    const read = await Promise.all(names.map((name) => this.#read(name)));
    const found = read.filter((edit) => edit !== null).sort((a, b) => b.time - a.time);
    const kept = found.slice(0, most).filter(({ time }) => this.#now() - time < keptMs);
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
