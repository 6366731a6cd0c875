// Sample records and helpers for the tests of the audit log.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpointLine } from '../../../src/evidence/checkpoint.ts';
import { type LedgerRecord, parseLedgerRecord } from '../../../src/evidence/ledgerRecords.ts';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { auditSlots, type SecretSlots } from '../../../src/store/audit/auditSecrets.ts';
import { EvidenceLog, type EvidenceLogParts } from '../../../src/store/audit/evidenceLog.ts';
import { Ledger } from '../../../src/store/audit/ledger/ledger.ts';
import { type AuditVerdict, verifyLog } from '../../../src/store/audit/verifyLog.ts';

export const intent = (request: string, model = 'svc/auto'): AuditEntry => ({
  kind: 'request-intent',
  request,
  action: 'chat',
  origin: 'https://svc.example.com',
  model,
  headers: [{ name: 'Svc-Security-Level', value: 'high', setBy: [{ layer: 'user' }] }],
  files: 1,
  bytes: 100,
  maskings: 0,
  unmasked: 0,
  exclusions: 0,
  previewed: false,
});

export const outcome = (request: string): AuditEntry => ({
  kind: 'request-outcome',
  request,
  outcome: 'complete',
  status: 200,
  totalTokens: 7,
  durationMs: 12,
  retries: 0,
  confirmation: 'confirmed',
});

export class MemorySecrets implements SecretSlots {
  readonly slots = new Map<string, string>();

  async get(slot: string): Promise<string | undefined> {
    return this.slots.get(slot);
  }

  async set(slot: string, value: string): Promise<void> {
    this.slots.set(slot, value);
  }

  async delete(slot: string): Promise<void> {
    this.slots.delete(slot);
  }

  async keys(): Promise<readonly string[]> {
    return [...this.slots.keys()];
  }
}

/** Shared by processes, as VS Code's secret storage is by windows: each slot is a file. */
export class FileSecrets implements SecretSlots {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  #path(slot: string): string {
    return join(this.#folder, Buffer.from(slot).toString('hex'));
  }

  async get(slot: string): Promise<string | undefined> {
    try {
      return readFileSync(this.#path(slot), 'utf8');
    } catch {
      return undefined;
    }
  }

  async set(slot: string, value: string): Promise<void> {
    // Whole, even if the process is killed.
    const beside = join(this.#folder, '..', `.${randomUUID()}`);
    writeFileSync(beside, value);
    renameSync(beside, this.#path(slot));
  }

  async delete(slot: string): Promise<void> {
    rmSync(this.#path(slot), { force: true });
  }

  async keys(): Promise<readonly string[]> {
    return readdirSync(this.#folder).map((name) => Buffer.from(name, 'hex').toString());
  }
}

export const place = 'this folder';
export const slots = auditSlots(place);

/** A temporary folder, the windows that write into it, and the state that the host keeps elsewhere. */
export class AuditBench<Secrets extends SecretSlots = MemorySecrets> {
  readonly root = mkdtempSync(join(tmpdir(), 'svc-audit-'));
  /** Created by the first record. */
  readonly folder = join(this.root, 'audit');
  readonly secrets: Secrets;
  /** The ledgers that were found to be rolled back, and the errors of turns. */
  readonly rolledBack: string[] = [];
  readonly failed: unknown[] = [];
  readonly #logs: EvidenceLog[] = [];

  constructor(secrets?: (root: string) => Secrets) {
    this.secrets = secrets?.(this.root) ?? (new MemorySecrets() as unknown as Secrets);
  }

  begin(more: Partial<EvidenceLogParts> = {}): EvidenceLog {
    const log = new EvidenceLog({
      ...{ folder: this.folder, place, secrets: this.secrets },
      versions: () => ({ 'svc-coder': '0.1.0' }),
      onDidRollBack: (origin) => void this.rolledBack.push(origin),
      onDidFail: (error) => void this.failed.push(error),
      ...more,
    });
    this.#logs.push(log);
    return log;
  }

  /** Unpacks a bundle with the tar of the system. Returns the folder. */
  unpack(bytes: Uint8Array): string {
    const folder = mkdtempSync(join(this.root, 'unpacked-'));
    execFileSync('tar', ['xzf', '-', '-C', folder], { input: bytes });
    return folder;
  }

  /** One session that goes on: its start, then two requests with their outcomes, signed at lines 2 and 5. */
  async writeFive(): Promise<EvidenceLog> {
    const log = this.begin();
    await log.record(intent('a'));
    await log.sign();
    for (const entry of [outcome('a'), intent('b'), outcome('b')]) await log.record(entry);
    await log.sign();
    return log;
  }

  /** One session of five files, each with its start and a request, signed. */
  async writeFiveFiles(): Promise<EvidenceLog> {
    const log = this.begin({ maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c', 'd', 'e']) await log.record(intent(request));
    await log.sign();
    return log;
  }

  /** The files of sessions. */
  files(): string[] {
    return readdirSync(this.folder)
      .filter((name) => /^\d{8}T.*\.jsonl$/.test(name))
      .sort();
  }

  ledgers(): string[] {
    return readdirSync(this.folder).filter((name) => name.startsWith('ledger-') && name.endsWith('.jsonl'));
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

  ledgerPath(index = 0): string {
    return join(this.folder, this.ledgers()[index] ?? '');
  }

  /** What a ledger says, without its checkpoints. */
  records(index = 0): LedgerRecord[] {
    return linesIn(this.ledgerPath(index)).flatMap((line) => {
      const record = parseLedgerRecord(line);
      return record === null || record === 'unknown' || parseCheckpointLine(line) !== null ? [] : [record];
    });
  }

  /** `<kind or why> <size>` of the records of a ledger. */
  says(index = 0): string[] {
    return this.records(index).map((record) => {
      if (record.kind === 'head') return `${record.why} ${record.size}`;
      return record.kind === 'removed' ? `removed ${record.size} ${record.why}` : record.kind;
    });
  }

  /** What is on the disk, without signing or recording anything. */
  async verify(): Promise<AuditVerdict> {
    const { folder, secrets } = this;
    const ledger = new Ledger({ folder, secrets, slots, versions: () => ({}), onDidRollBack: () => undefined });
    return verifyLog({
      folder,
      end: null,
      present: null,
      anchor: await ledger.anchor(),
      lost: [],
      isSigning: true,
    });
  }

  /** `<file of a session, counted from 0>:<line> <reason>`. Others are named. */
  async breaks(files = this.files()): Promise<string[]> {
    const { breaks } = await this.verify();
    return breaks.map(
      ({ file, line, reason }) => `${files.includes(file) ? files.indexOf(file) : file}:${line} ${reason}`,
    );
  }

  async clear(): Promise<void> {
    for (const log of this.#logs) await log.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export function linesIn(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1);
}
