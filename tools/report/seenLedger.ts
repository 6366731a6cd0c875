import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFromBase64 } from '../../src/evidence/base64.ts';
import { checkpointWords } from '../../src/evidence/checkpoint.ts';
import type { Seen as SeenRecord } from '../../src/evidence/ledgerRecords.ts';
import { parsePolicy } from '../../src/evidence/policy.ts';
import type { SeenCheckpoint } from '../../src/evidence/verify/seen.ts';
import { verifyEvidence } from '../../src/evidence/verify/verify.ts';
import type { Report } from './machines.ts';
import { OwnLedger, type ReadRecord } from './ownLedger.ts';
import type { State } from './states.ts';

const doubtful: readonly string[] = ['forked', 'rolled-back', 'changed'] satisfies State[];
/** The number of lines after which a ledger is replaced with a new one. The number of a line can be up to 1,000,000. */
const defaultMaxLines = 250_000;

/** The error if the report's own ledger cannot be used. The message tells the user what to do. */
export class UnusableLedger extends Error {
  override readonly name = 'UnusableLedger';
}

/** A ledger with the states of the logs that reports saw. Each report is compared with the one before it. */
export class SeenLedger implements AsyncDisposable {
  readonly #folder: string;
  readonly #keyPath: string;
  readonly #maxLines: number;
  /** The largest state of each log, with the record that states it. */
  readonly #seen = new Map<string, SeenCheckpoint & { readonly record: SeenRecord }>();
  #ledger: OwnLedger;

  private constructor(folder: string, keyPath: string, ledger: OwnLedger, maxLines: number) {
    this.#folder = folder;
    this.#keyPath = keyPath;
    this.#ledger = ledger;
    this.#maxLines = maxLines;
  }

  /**
   * Opens the ledger of a folder, with the seed in a file of 64 hex digits. Creates both if neither exists. No other report can
   * use the ledger until it is disposed of.
   */
  static async open(folder: string, keyPath: string, { maxLines = defaultMaxLines } = {}): Promise<SeenLedger> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await lock(folder);
    try {
      const seed = await seedIn(keyPath);
      const { own, records } = seed === null ? await begin(folder, keyPath) : await reopen(folder, keyPath, seed);
      await verify(folder, own);
      const ledger = new SeenLedger(folder, keyPath, own, maxLines);
      for (const { record, line } of records) if (record.kind === 'seen') ledger.#keep(record, line);
      return ledger;
    } catch (error) {
      await unlock(folder);
      throw error;
    }
  }

  /** The largest state of each log that a report saw. */
  get seen(): readonly SeenCheckpoint[] {
    return [...this.#seen.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await unlock(this.#folder);
  }

  /** Records what a report saw, in one write. Returns the checkpoint as text, which another party should keep. */
  async record({ machines, time }: Pick<Report, 'machines' | 'time'>): Promise<string> {
    const records = machines.flatMap(({ verdict, state }) =>
      verdict.ledgers.flatMap(({ origin, size, root }) =>
        root === null ? [] : [{ kind: 'seen', log: origin, size, root, state } as const],
      ),
    );
    if (this.#ledger.end.size + records.length > this.#maxLines) await this.#rotate(time);
    await this.#ledger.add(records, time);
    for (const record of records) this.#keep(record, 0);
    return checkpointWords(this.#ledger.end);
  }

  #keep({ kind, log, size, root, state }: SeenRecord, line: number): void {
    // The next report must not be compared with a different history, or the fork would be reported only once.
    if (doubtful.includes(state)) return;
    const hash = hashFromBase64(root);
    const known = this.#seen.get(log)?.size ?? 0;
    if (hash !== null && size > known)
      this.#seen.set(log, {
        origin: log,
        size,
        root: hash,
        file: this.#ledger.path,
        line,
        record: { kind, log, size, root, state },
      });
  }

  /**
   * Closes the ledger, and starts a new one with a new key and the states that later reports are compared with. Everything
   * that the new ledger needs is on the disk before the old one is closed.
   */
  async #rotate(time: string): Promise<void> {
    const old = this.#ledger;
    const seed = randomBytes(32);
    const next = new OwnLedger(this.#folder, seed);
    await writeFile(nextOf(this.#keyPath), textOf(seed), { mode: 0o600, flush: true });
    const closed = old.sign([{ kind: 'closed', next: next.vkey }], time);
    const { origin, size, root } = old.end;
    const follows = { origin, size, root: root.toString('base64') };
    const opened = { kind: 'opened', vkey: next.vkey, versions: {}, follows } as const;
    const known = [...this.#seen.values()].map(({ record }) => record);
    await writeFile(nextOf(next.path), next.sign([opened, ...known], time), { mode: 0o600, flush: true });
    await appendFile(old.path, closed, { flush: true });
    await takeOver(next, this.#keyPath);
    this.#ledger = next;
  }
}

interface OpenLedger {
  readonly own: OwnLedger;
  readonly records: readonly ReadRecord[];
}

async function begin(folder: string, keyPath: string): Promise<OpenLedger> {
  if ((await readdir(folder)).some((name) => /^ledger-.*\.jsonl$/.test(name)))
    throw new UnusableLedger(
      `${folder}: the ledger is here, and its key ${keyPath} is not. Put the key back, or move the ledger to another folder to begin anew.`,
    );
  const seed = randomBytes(32);
  const own = new OwnLedger(folder, seed);
  await writeFile(keyPath, textOf(seed), { mode: 0o600, flag: 'wx', flush: true });
  await own.add([{ kind: 'opened', vkey: own.vkey, versions: {} }], new Date().toISOString());
  return { own, records: [] };
}

async function reopen(folder: string, keyPath: string, seed: Buffer): Promise<OpenLedger> {
  const own = new OwnLedger(folder, seed);
  const records = await own.read();
  if (records === null)
    throw new UnusableLedger(
      `${own.path}: the key ${keyPath} is here, and what it signed is not. Put the ledger back, or delete the key to begin anew: what earlier reports saw is then not compared.`,
    );
  const seedAfter = await seedIn(nextOf(keyPath));
  const last = records.at(-1)?.record;
  const isClosed = last?.kind === 'closed';
  if (seedAfter === null && !isClosed) return { own, records };
  if (seedAfter === null)
    throw new UnusableLedger(`${own.path}: it is closed, and the next key, ${nextOf(keyPath)}, is not here.`);
  const after = new OwnLedger(folder, seedAfter);
  if (isClosed && last.next === after.vkey) {
    await takeOver(after, keyPath);
    return await reopen(folder, keyPath, seedAfter);
  }
  // The report that began it was stopped before the old ledger was closed.
  await rm(nextOf(after.path), { force: true });
  await rm(nextOf(keyPath));
  return { own, records };
}

/** Renames the new files to their final names. Can be repeated if it was interrupted. */
async function takeOver(next: OwnLedger, keyPath: string): Promise<void> {
  await rename(nextOf(next.path), next.path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(nextOf(keyPath), keyPath);
}

/** Verifies the ledger and its predecessors. Throws an UnusableLedger if one is broken, or if there is any other ledger. */
async function verify(folder: string, own: OwnLedger): Promise<void> {
  const policy = parsePolicy(Buffer.from(`log ${own.vkey}\nquorum none\n`));
  const { verdict, ledgers, notes } = await verifyEvidence({ paths: [folder], policy });
  const chain = new Map(ledgers.map((ledger) => [ledger.origin, ledger]));
  let at = chain.get(own.origin);
  const isOwn = at?.isVouchedFor === true;
  for (; at !== undefined; at = chain.get(at.follows ?? '')) chain.delete(at.origin);
  const isWell = notes.every(({ reason }) => reason === 'clock-back');
  if (verdict !== 'intact' || !isOwn || chain.size > 0 || !isWell)
    throw new UnusableLedger(`${own.path}: this is not what earlier reports signed. Run verify.mjs on its folder.`);
}

/** Returns the path of the new version of a file, which is written beside it and then replaces it. */
function nextOf(path: string): string {
  return `${path}.next`;
}

async function lock(folder: string): Promise<void> {
  const path = lockOf(folder);
  await writeFile(path, `${process.pid}\n`, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new UnusableLedger(
      `${path}: another report is being made, or one was stopped. If none is, delete this file.`,
    );
  });
}

async function unlock(folder: string): Promise<void> {
  await rm(lockOf(folder), { force: true });
}

function lockOf(folder: string): string {
  return join(folder, 'report.lock');
}

function textOf(seed: Buffer): string {
  return `${seed.toString('hex')}\n`;
}

/** Returns the seed in a file, or null if there is no file. */
async function seedIn(path: string): Promise<Buffer | null> {
  const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text !== null && !/^[0-9a-f]{64}\n?$/.test(text))
    throw new UnusableLedger(`${path}: not a key of 64 hex digits.`);
  return text === null ? null : Buffer.from(text.trim(), 'hex');
}
