import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashFromBase64 } from '../../src/evidence/base64.ts';
import { checkpointLine, checkpointWords, signCheckpoint } from '../../src/evidence/checkpoint.ts';
import { type LedgerRecord, ledgerLine, parseLedgerRecord } from '../../src/evidence/ledgerRecords.ts';
import { firstPrev, leafOf, lineOf } from '../../src/evidence/line.ts';
import { logIdIn, originOf } from '../../src/evidence/logId.ts';
import { publicKeyOf, type Signer, signerOf } from '../../src/evidence/note.ts';
import { parsePolicy } from '../../src/evidence/policy.ts';
import { GrowingTree } from '../../src/evidence/tree.ts';
import type { Seen } from '../../src/evidence/verify/seen.ts';
import { verifyEvidence } from '../../src/evidence/verify/verify.ts';
import type { Report } from './machines.ts';
import type { State } from './states.ts';

const doubtful: readonly string[] = ['forked', 'rolled-back', 'changed'] satisfies State[];

/** The report's own ledger is not what it signed: nothing that it says may be used. */
export class BrokenLedger extends Error {
  override readonly name = 'BrokenLedger';
}

/** What reports saw of the logs, as a ledger of their own: each report is the measure of the next. */
export class SeenLedger {
  readonly origin: string;
  readonly #path: string;
  readonly #signer: Signer;
  readonly #tree = new GrowingTree();
  readonly #seen = new Map<string, Seen>();
  #prev = firstPrev;

  private constructor(folder: string, seed: Uint8Array) {
    this.origin = originOf(publicKeyOf(seed), 'svc-coder-report');
    this.#signer = signerOf(this.origin, seed);
    this.#path = join(folder, `ledger-${logIdIn(this.origin)}-0001.jsonl`);
  }

  /** Opens the ledger of a folder, with the seed in a file of 64 hex digits. Both are made if they are not there. */
  static async open(folder: string, keyPath: string): Promise<SeenLedger> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const ledger = new SeenLedger(folder, await seedIn(keyPath));
    const text = await readFile(ledger.#path, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    if (text !== '') await ledger.#read(folder, text);
    return ledger;
  }

  /** The largest state of each log that a report saw. */
  get seen(): readonly Seen[] {
    return [...this.#seen.values()];
  }

  async #read(folder: string, text: string): Promise<void> {
    const policy = parsePolicy(Buffer.from(`log ${this.#signer.vkey}\nquorum none\n`));
    const { verdict, isVouchedFor, notes } = await verifyEvidence({ paths: [folder], policy });
    // An unsigned line is the rest of a report that was stopped: what it says was never printed, so it must not stay.
    if (verdict !== 'intact' || !isVouchedFor || notes.length > 0)
      throw new BrokenLedger(`${this.#path}: this is not what earlier reports signed. Run verify.mjs on its folder.`);
    for (const [index, line] of text.trimEnd().split('\n').entries()) {
      if (line.includes('"kind":"checkpoint","note":')) continue;
      this.#push(line);
      const record = parseLedgerRecord(line);
      if (record !== null && record !== 'unknown' && record.kind === 'seen') this.#keep(record, index + 1);
    }
  }

  #keep({ log, size, root, state }: Extract<LedgerRecord, { kind: 'seen' }>, line: number): void {
    // Another history must not become the measure of the next report, or its fork would be seen once alone.
    if (doubtful.includes(state)) return;
    const hash = hashFromBase64(root);
    const known = this.#seen.get(log)?.size ?? 0;
    if (hash !== null && size > known) this.#seen.set(log, { origin: log, size, root: hash, file: this.#path, line });
  }

  #push(line: string): void {
    const leaf = leafOf(line);
    this.#tree.push(leaf);
    this.#prev = leaf.toString('hex');
  }

  #line(time: string, record: LedgerRecord): string {
    const place = { ledger: this.origin, seq: this.#tree.size + 1, time, prev: this.#prev };
    const line = lineOf(ledgerLine(place, record)) ?? '';
    this.#push(line);
    return `${line}\n`;
  }

  /** Records what a report saw, in one write. Returns the words that another party should keep. */
  async record(report: Report): Promise<string> {
    const { time } = report;
    let text = '';
    if (this.#tree.size === 0) text += this.#line(time, { kind: 'opened', vkey: this.#signer.vkey, versions: {} });
    for (const { verdict, state } of report.machines) {
      for (const { origin, size, root } of verdict.ledgers)
        if (root !== null) text += this.#line(time, { kind: 'seen', log: origin, size, root, state });
    }
    const checkpoint = { origin: this.origin, size: this.#tree.size, root: this.#tree.root() };
    const line = checkpointLine(this.origin, signCheckpoint(checkpoint, this.#signer)) ?? '';
    await appendFile(this.#path, `${text}${line}\n`, { mode: 0o600, flush: true });
    return checkpointWords(checkpoint);
  }
}

async function seedIn(path: string): Promise<Buffer> {
  const text = await readFile(path, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) {
    const seed = randomBytes(32);
    await writeFile(path, `${seed.toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true });
    return seed;
  }
  if (!/^[0-9a-f]{64}\n?$/.test(text)) throw new BrokenLedger(`${path}: not a key of 64 hex digits.`);
  return Buffer.from(text.trim(), 'hex');
}
