import { appendFile, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { type Checkpoint, checkpointLine, parseCheckpointLine, signCheckpoint } from '../../src/evidence/checkpoint.ts';
import { type LedgerRecord, ledgerLine, parseLedgerRecord } from '../../src/evidence/ledgerRecords.ts';
import { firstPrev, leafOf, lineOf } from '../../src/evidence/line.ts';
import { logIdIn, originOf } from '../../src/evidence/logId.ts';
import { publicKeyOf, type Signer, signerOf } from '../../src/evidence/note.ts';
import { GrowingTree } from '../../src/evidence/tree.ts';

/** A record, and the line of the file that contains it. */
export interface ReadRecord {
  readonly record: LedgerRecord;
  readonly line: number;
}

/** A ledger in one file that one key signs. */
export class OwnLedger {
  readonly origin: string;
  readonly path: string;
  readonly #signer: Signer;
  readonly #tree = new GrowingTree();
  #prev = firstPrev;

  constructor(folder: string, seed: Uint8Array) {
    this.origin = originOf(publicKeyOf(seed), 'svc-coder-report');
    this.#signer = signerOf(this.origin, seed);
    this.path = join(folder, `ledger-${logIdIn(this.origin)}-0001.jsonl`);
  }

  get vkey(): string {
    return this.#signer.vkey;
  }

  /** The state at the end of the ledger. */
  get end(): Checkpoint {
    return { origin: this.origin, size: this.#tree.size, root: this.#tree.root() };
  }

  /**
   * Reads the file. Returns null if it does not exist, or if nothing in it is signed. Lines after the last checkpoint are the
   * rest of a report that was interrupted and never printed, so they are removed.
   */
  async read(): Promise<readonly ReadRecord[] | null> {
    const text = await readFile(this.path, 'latin1').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    const lines = text.split('\n').slice(0, -1);
    const last = lines.findLastIndex((line) => parseCheckpointLine(line) !== null);
    if (last < 0) return null;
    const signed = lines.slice(0, last + 1);
    const { length } = `${signed.join('\n')}\n`;
    if (length < text.length) await truncate(this.path, length);
    const records: ReadRecord[] = [];
    for (const [index, line] of signed.entries()) {
      if (parseCheckpointLine(line) !== null) continue;
      this.#push(line);
      const record = parseLedgerRecord(line);
      if (record !== null && record !== 'unknown') records.push({ record, line: index + 1 });
    }
    return records;
  }

  /** Returns the lines of records, and the checkpoint that signs them. They must be written before sign() is called again. */
  sign(records: readonly LedgerRecord[], time: string): string {
    let text = '';
    for (const record of records) {
      const place = { ledger: this.origin, seq: this.#tree.size + 1, time, prev: this.#prev };
      const line = lineOf(ledgerLine(place, record)) ?? '';
      this.#push(line);
      text += `${line}\n`;
    }
    return `${text}${checkpointLine(this.origin, signCheckpoint(this.end, this.#signer))}\n`;
  }

  /** Signs records and adds them to the file, in one write. */
  async add(records: readonly LedgerRecord[], time: string): Promise<void> {
    await appendFile(this.path, this.sign(records, time), { mode: 0o600, flush: true });
  }

  #push(line: string): void {
    const leaf = leafOf(line);
    this.#tree.push(leaf);
    this.#prev = leaf.toString('hex');
  }
}
