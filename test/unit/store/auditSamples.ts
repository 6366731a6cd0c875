// Sample records and helpers for the tests of the audit log.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../../../src/session/dispatch/audit.ts';
import { type AuditAnchor, AuditLog, type AuditLogOptions } from '../../../src/store/audit/auditLog.ts';
import { type AuditVerdict, verifyAuditLog } from '../../../src/store/audit/auditVerify.ts';

export const key = Buffer.alloc(32, 7);

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

/** A temporary folder, the windows that write into it, and the state that the host keeps elsewhere. */
export class AuditBench {
  /** Created by the first record. */
  readonly folder = join(mkdtempSync(join(tmpdir(), 'svc-audit-')), 'audit');
  readonly anchors = new Map<string, AuditAnchor>();
  readonly #logs: AuditLog[] = [];

  begin(more: Partial<AuditLogOptions> = {}): AuditLog {
    const log = new AuditLog({
      folder: this.folder,
      versions: () => ({ 'svc-coder': '0.1.0' }),
      key: async () => key,
      anchors: { set: async (session, anchor) => void this.anchors.set(session, anchor) },
      ...more,
    });
    this.#logs.push(log);
    return log;
  }

  /** One session: its start, then two requests with their outcomes. */
  async writeFive(): Promise<AuditLog> {
    const log = this.begin();
    for (const entry of [intent('a'), outcome('a'), intent('b'), outcome('b')]) await log.record(entry);
    await log.flush();
    return log;
  }

  /** One session of five files, each with its start and a request. */
  async writeFiveFiles(): Promise<AuditLog> {
    const log = this.begin({ maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c', 'd', 'e']) await log.record(intent(request));
    await log.flush();
    return log;
  }

  files(): string[] {
    return readdirSync(this.folder).sort();
  }

  path(index = 0): string {
    return join(this.folder, this.files()[index] ?? '');
  }

  linesOf(index = 0): string[] {
    return readFileSync(this.path(index), 'utf8').split('\n').slice(0, -1);
  }

  put(lines: readonly string[], index = 0): void {
    writeFileSync(this.path(index), lines.map((line) => `${line}\n`).join(''));
  }

  verify(): Promise<AuditVerdict> {
    return verifyAuditLog({ folder: this.folder, key, anchors: this.anchors });
  }

  /** `<file, counted from 0>:<line> <reason>`. A missing file is named. */
  async breaks(files = this.files()): Promise<string[]> {
    const { breaks } = await this.verify();
    return breaks.map(
      ({ file, line, reason }) => `${files.includes(file) ? files.indexOf(file) : file}:${line} ${reason}`,
    );
  }

  async clear(): Promise<void> {
    for (const log of this.#logs) await log.dispose();
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }
}
