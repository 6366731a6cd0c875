// Files as earlier versions wrote them, with an HMAC in each line.
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../../../../src/session/dispatch/audit.ts';
import { auditFileName } from '../../../../src/store/audit/auditFiles.ts';
import type { AuditRecord } from '../../../../src/store/audit/auditLine.ts';
import { chainStart, macOf } from '../../../../src/store/audit/hmac/hmacLine.ts';
import { type HmacAnchor, type HmacVerdict, verifyHmac } from '../../../../src/store/audit/hmac/hmacVerify.ts';
import { intent, linesIn, outcome } from '../auditSamples.ts';

export const key = Buffer.alloc(32, 7);

export function signedLine(record: AuditRecord, by: Uint8Array): { readonly line: string; readonly mac: string } {
  const text = JSON.stringify(record);
  const mac = macOf(text, by);
  return { line: `${text.slice(0, -1)},"mac":"${mac}"}`, mac };
}

/** The writer of that time. */
class HmacLog {
  readonly session: string = randomUUID();
  readonly #folder: string;
  readonly #anchors: Map<string, HmacAnchor>;
  readonly #maxLines: number;
  #part = 0;
  #seq = 0;
  #inFile = 0;
  #head = chainStart;

  constructor(folder: string, anchors: Map<string, HmacAnchor>, maxLines: number) {
    this.#folder = folder;
    this.#anchors = anchors;
    this.#maxLines = maxLines;
  }

  record(entry: AuditEntry): void {
    mkdirSync(this.#folder, { recursive: true });
    if (this.#part === 0 || this.#inFile >= this.#maxLines) {
      this.#part += 1;
      this.#inFile = 0;
      // A process that has ended.
      this.#add({ kind: 'session-started', versions: { 'svc-coder': '0.1.0' }, pid: 2 ** 30 });
    }
    this.#add(entry);
    this.#anchors.set(this.session, { count: this.#seq, head: this.#head });
  }

  #add(entry: AuditEntry): void {
    this.#seq += 1;
    this.#inFile += 1;
    const where = { seq: this.#seq, time: '2026-10-30T09:00:00.000Z', session: this.session };
    const { line, mac } = signedLine({ ...where, ...entry, prev: this.#head } as AuditRecord, key);
    this.#head = mac;
    appendFileSync(join(this.#folder, auditFileName('20261030T090000Z', this.session, this.#part)), `${line}\n`);
  }
}

/** A folder of that time. */
export class HmacBench {
  readonly folder: string;
  readonly anchors = new Map<string, HmacAnchor>();

  constructor(folder = join(mkdtempSync(join(tmpdir(), 'svc-hmac-')), 'audit')) {
    this.folder = folder;
  }

  begin(maxLines = Number.POSITIVE_INFINITY): HmacLog {
    return new HmacLog(this.folder, this.anchors, maxLines);
  }

  /** One session: its start, then two requests with their outcomes. */
  writeFive(): HmacLog {
    const log = this.begin();
    for (const entry of [intent('a'), outcome('a'), intent('b'), outcome('b')]) log.record(entry);
    return log;
  }

  /** One session of five files, each with its start and a request. */
  writeFiveFiles(): HmacLog {
    const log = this.begin(2);
    for (const request of ['a', 'b', 'c', 'd', 'e']) log.record(intent(request));
    return log;
  }

  files(): string[] {
    return readdirSync(this.folder).sort();
  }

  path(index = 0): string {
    return join(this.folder, this.files()[index] ?? '');
  }

  linesOf(index = 0): string[] {
    return linesIn(this.path(index));
  }

  put(lines: readonly string[], index = 0): void {
    writeFileSync(this.path(index), lines.map((line) => `${line}\n`).join(''));
  }

  verify(): Promise<HmacVerdict> {
    return verifyHmac({ folder: this.folder, key, anchors: this.anchors });
  }

  /** `<file, counted from 0>:<line> <reason>`. A missing file is named. */
  async breaks(files = this.files()): Promise<string[]> {
    const { breaks } = await this.verify();
    return breaks.map(
      ({ file, line, reason }) => `${files.includes(file) ? files.indexOf(file) : file}:${line} ${reason}`,
    );
  }

  clear(): void {
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }
}
