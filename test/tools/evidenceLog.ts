// Makes signed logs for tests and benches, by the shared modules of lines, trees and notes alone.
import { createHash } from 'node:crypto';
import { checkpointLine, signCheckpoint } from '../../src/evidence/checkpoint.ts';
import { type LedgerRecord, ledgerLine } from '../../src/evidence/ledgerRecords.ts';
import { firstPrev, leafOf, lineOf } from '../../src/evidence/line.ts';
import { logIdIn, originOf } from '../../src/evidence/logId.ts';
import { publicKeyOf, type Signer, signerOf } from '../../src/evidence/note.ts';
import { GrowingTree } from '../../src/evidence/tree.ts';

/** Lines that are numbered, linked and put into a tree. */
class Chain {
  readonly tree = new GrowingTree();
  readonly lines: string[] = [];
  prev = firstPrev;

  add(value: (seq: number, prev: string) => object): string {
    const line = lineOf(value(this.tree.size + 1, this.prev));
    if (line === null) throw new RangeError('The line is too long.');
    const leaf = leafOf(line);
    this.tree.push(leaf);
    this.prev = leaf.toString('hex');
    this.lines.push(line);
    return line;
  }
}

export interface MadeSession {
  readonly id: string;
  readonly lines: readonly string[];
  record(count?: number): void;
  /** Adds a record with these fields. */
  put(fields: object): void;
  head(why?: 'start' | 'lines' | 'end' | 'recovered' | 'unanchored'): void;
  removed(why?: 'retention' | 'purge'): void;
}

/** One ledger with its sessions. Each record is a second later than the one before. */
export class EvidenceLog {
  readonly origin: string;
  readonly signer: Signer;
  readonly sessions: MadeSession[] = [];
  readonly #chain = new Chain();
  /** The lines of the ledger's file. */
  readonly lines: string[] = [];
  readonly #seed: string;
  #time: number;
  #begun = 0;
  /** The last checkpoint. */
  note = '';

  constructor(seed: string, { time = Date.parse('2026-11-02T08:00:00.000Z'), prefix = 'svc-coder' } = {}) {
    const key = seedOf(seed);
    this.#seed = seed;
    this.#time = time;
    this.origin = originOf(publicKeyOf(key), prefix);
    this.signer = signerOf(this.origin, key);
  }

  now(): string {
    this.#time += 1_000;
    return new Date(this.#time).toISOString();
  }

  /** Sets the time of the next entry, in milliseconds since the epoch. */
  skipTo(time: number): void {
    this.#time = time;
  }

  open(follows?: { origin: string; size: number; root: string }): this {
    this.add({
      kind: 'opened',
      vkey: this.signer.vkey,
      versions: { 'svc-coder': '0.3.0' },
      ...(follows && { follows }),
    });
    return this;
  }

  add(record: LedgerRecord): void {
    const time = this.now();
    this.lines.push(this.#chain.add((seq, prev) => ledgerLine({ ledger: this.origin, seq, time, prev }, record)));
  }

  /** Signs what is there. */
  sign(): string {
    const { size } = this.#chain.tree;
    this.note = signCheckpoint({ origin: this.origin, size, root: this.#chain.tree.root() }, this.signer);
    this.lines.push(checkpointLine(this.origin, this.note) ?? '');
    return this.note;
  }

  /** The words of the last state. */
  words(): string {
    return `${this.origin} ${this.#chain.tree.size} ${this.#chain.tree.root().toString('base64')}`;
  }

  session(): MadeSession {
    const id = uuidOf(`${this.#seed} ${this.#begun++}`);
    const chain = new Chain();
    const started = { kind: 'session-started', ledger: this.origin, versions: { 'svc-coder': '0.3.0' }, pid: 4000 };
    const put = (fields: object): void =>
      void chain.add((seq, prev) => ({ v: 2, session: id, seq, time: this.now(), ...fields, prev }));
    put(started);
    const ledgerRecord = () => ({ session: id, size: chain.tree.size, root: chain.tree.root().toString('base64') });
    const session: MadeSession = {
      id,
      lines: chain.lines,
      put,
      record: (count = 1) => {
        for (let at = 0; at < count; at += 1) put(recordOf(chain.tree.size));
      },
      head: (why = 'lines') => this.add({ kind: 'head', ...ledgerRecord(), why }),
      removed: (why = 'retention') => this.add({ kind: 'removed', ...ledgerRecord(), why }),
    };
    this.sessions.push(session);
    return session;
  }

  get ledgerFile(): string {
    return `ledger-${logIdIn(this.origin)}-0001.jsonl`;
  }

  /** The files of the log with their lines; a session's in parts of so many. */
  files({ partLines = 1_000_000 } = {}): Map<string, readonly string[]> {
    const files = new Map<string, readonly string[]>();
    for (const [index, { id, lines }] of this.sessions.entries()) {
      for (let part = 0; part * partLines < lines.length; part += 1) {
        const name = `20261102T${String(80000 + index).padStart(6, '0')}Z-${id}-${String(part + 1).padStart(4, '0')}.jsonl`;
        files.set(name, lines.slice(part * partLines, (part + 1) * partLines));
      }
    }
    return files.set(this.ledgerFile, this.lines);
  }
}

/** A log of some sessions that write in turns, with a head and a checkpoint every so many records. */
export function sampleLog(
  seed: string,
  { sessions = 3, records = 20, every = 8, time = undefined as number | undefined } = {},
): EvidenceLog {
  const log = new EvidenceLog(seed, time === undefined ? {} : { time }).open();
  const made = Array.from({ length: sessions }, () => {
    const session = log.session();
    session.head('start');
    log.sign();
    return session;
  });
  for (let done = 0; done < records; done += every) {
    for (const session of made) {
      session.record(Math.min(every, records - done));
      session.head();
      log.sign();
    }
  }
  return log;
}

/** A record as the extension writes it, alternately before and after a request. */
function recordOf(number: number): object {
  const request = uuidOf(`request ${number >> 1}`);
  if (number % 2 === 1) {
    const headers = [{ name: 'Svc-Security-Level', value: 'maximum', setBy: [{ layer: 'managed' }] }];
    const place = { action: 'chat', origin: 'https://svc.example.com', model: 'svc/auto', headers };
    const counts = { files: 3, bytes: 1000 + number, maskings: 1, unmasked: 0, exclusions: 2, previewed: true };
    return { kind: 'request-intent', request, ...place, ...counts };
  }
  const tokens = { promptTokens: 900, completionTokens: number, totalTokens: 900 + number };
  const answer = { outcome: 'complete', status: 200, requestId: `req_${number}`, finishReason: 'stop', ...tokens };
  return { kind: 'request-outcome', request, ...answer, durationMs: 2310, retries: 0, confirmation: 'confirmed' };
}

export function seedOf(text: string): Buffer {
  return createHash('sha256').update(`seed of a test: ${text}`).digest();
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
