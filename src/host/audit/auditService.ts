import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditEntry, AuditTrail } from '../../session/dispatch/audit.ts';
import { type AuditContent, auditAsCsv, auditAsJsonl, readAuditLog } from '../../store/audit/auditExport.ts';
import { makeAuditFolder, purgeAuditFiles } from '../../store/audit/auditFiles.ts';
import { type AuditAnchor, AuditLog } from '../../store/audit/auditLog.ts';
import { type AuditVerdict, verifyAuditLog } from '../../store/audit/auditVerify.ts';
import { withLock } from '../../store/lock.ts';
import type { Logger } from '../../util/logger.ts';

const keySlot = 'svc.audit key';
const anchorPrefix = 'svc.audit anchor ';

export interface AuditParts {
  readonly storage: vscode.Uri;
  readonly secrets: vscode.SecretStorage;
  readonly versions: () => Readonly<Record<string, string>>;
  readonly logger: Logger;
}

/**
 * The audit log of this machine. Its files are in global storage; its key and its last known position are in
 * SecretStorage.
 */
export class AuditService implements AuditTrail, vscode.Disposable {
  readonly folder: string;
  readonly #parts: AuditParts;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when an entry was recorded in this window. */
  readonly onDidChange = this.#changed.event;
  #log: AuditLog;

  constructor(parts: AuditParts) {
    this.#parts = parts;
    this.folder = join(parts.storage.fsPath, 'audit');
    this.#log = this.#begin();
  }

  async record(entry: AuditEntry): Promise<void> {
    await this.#log.record(entry);
    this.#changed.fire();
  }

  /** Records an action that has already happened: a failure to write is logged and not thrown. */
  async note(entry: AuditEntry): Promise<void> {
    try {
      await this.record(entry);
    } catch {
      this.#parts.logger.warn('The audit log could not be written.');
    }
  }

  read(): Promise<AuditContent> {
    return readAuditLog(this.folder);
  }

  /** Verifies all entries on disk, and then records the verification. */
  async verify(): Promise<AuditVerdict> {
    await this.#log.flush();
    const verdict = await verifyAuditLog({
      folder: this.folder,
      key: await this.#key(),
      anchors: await this.#anchors(),
    });
    const { verdict: found, files, records } = verdict;
    await this.note({ kind: 'log-verified', verdict: found, files, records });
    return verdict;
  }

  async export(format: 'jsonl' | 'csv'): Promise<{ readonly text: string; readonly records: number }> {
    await this.#log.flush();
    const { records } = await this.read();
    await this.record({ kind: 'log-exported', format, records: records.length });
    const text = format === 'csv' ? auditAsCsv((await this.read()).records) : await auditAsJsonl(this.folder);
    return { text, records: records.length };
  }

  /** Removes all files and their anchors in SecretStorage; returns the number of files removed. */
  async purge(): Promise<number> {
    await this.#log.dispose();
    this.#log = this.#begin();
    const removed = await purgeAuditFiles(this.folder);
    for (const session of (await this.#anchors()).keys()) await this.#parts.secrets.delete(anchorPrefix + session);
    this.#changed.fire();
    return removed;
  }

  /** Resolves when pending entries are on disk. */
  close(): Promise<void> {
    return this.#log.dispose();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #begin(): AuditLog {
    const { secrets, versions } = this.#parts;
    let key: Promise<Uint8Array> | undefined;
    return new AuditLog({
      folder: this.folder,
      versions,
      key: () => {
        key ??= this.#key().catch((error) => {
          key = undefined;
          throw error;
        });
        return key;
      },
      anchors: {
        set: async (session, { count, head }) => secrets.store(anchorPrefix + session, `${count} ${head}`),
      },
    });
  }

  async #key(): Promise<Uint8Array> {
    const { secrets } = this.#parts;
    const stored = await secrets.get(keySlot);
    if (stored !== undefined) return Buffer.from(stored, 'hex');
    // Two windows that start for the first time at once must not create two keys.
    await makeAuditFolder(this.folder);
    return withLock(join(this.folder, 'key.lock'), async () => {
      const made = (await secrets.get(keySlot)) ?? randomBytes(32).toString('hex');
      await secrets.store(keySlot, made);
      return Buffer.from(made, 'hex');
    });
  }

  async #anchors(): Promise<ReadonlyMap<string, AuditAnchor>> {
    const { secrets } = this.#parts;
    const anchors = new Map<string, AuditAnchor>();
    for (const slot of await secrets.keys()) {
      if (!slot.startsWith(anchorPrefix)) continue;
      const [, count, head] = /^(\d+) ([0-9a-f]{64})$/.exec((await secrets.get(slot)) ?? '') ?? [];
      if (head !== undefined) anchors.set(slot.slice(anchorPrefix.length), { count: Number(count), head });
    }
    return anchors;
  }
}
