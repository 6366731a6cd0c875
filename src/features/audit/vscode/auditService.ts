import { hostname } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { showLastingError } from '../../../platform/messages/show.ts';
import type { DayLimits } from '../../../policy/managed/dayLimits.ts';
import type { EvidencePolicy } from '../../../policy/managed/evidencePolicy.ts';
import type { Card } from '../../../protocol/card.ts';
import type { AuditEntry, AuditEntryOf, AuditTrail, KeyUser, RecordPlace } from '../../../send/audit.ts';
import {
  type AuditContent,
  auditAsCsv,
  auditAsJsonl,
  type Exported,
  readAuditLog,
} from '../../../store/audit/auditExport.ts';
import { bundleName, listAuditFiles } from '../../../store/audit/auditFiles.ts';
import { type SecretSlots, withReadLimit } from '../../../store/audit/auditSecrets.ts';
import type { DayCounter } from '../../../store/audit/dayLimits.ts';
import { Delivery, type DeliveryParts, type DeliveryStatus } from '../../../store/audit/delivery/delivery.ts';
import { EvidenceLog } from '../../../store/audit/evidenceLog.ts';
import type { LedgerEnd } from '../../../store/audit/ledger/ledger.ts';
import { LogTail, type LogTaker } from '../../../store/audit/logTail.ts';
import type { AuditVerdict } from '../../../store/audit/verifyLog.ts';
import { type DayLimitReached, isServiceError } from '../../../util/errors.ts';
import { Lazy } from '../../../util/lazy.ts';
import type { Logger } from '../../../util/logger.ts';
import { rolledBackWords, type Signing } from './signingWords.ts';

const t = vscode.l10n.t;

export type AuditFormat = AuditEntryOf<'log-exported'>['format'];

interface AuditParts {
  readonly storage: vscode.Uri;
  readonly extensionUri: vscode.Uri;
  readonly secrets: vscode.SecretStorage;
  readonly versions: () => Readonly<Record<string, string>>;
  /** Returns the user that a record names, or undefined if it names none. `of` is the user of the request that it belongs to. */
  readonly user: (of: KeyUser | undefined) => string | undefined;
  /** Shows that most of a daily limit is used, or no longer shows it if `card` is null. `id` names the limit, and `topic` its value and day. */
  readonly tell: (id: string, card: Card | null, topic?: string) => void;
  /** The managed policy's settings for the log. */
  readonly policy: () => EvidencePolicy;
  /** Sends lines to the collector of the managed policy. */
  readonly send: DeliveryParts['send'];
  /** The version of the extension. */
  readonly version: string;
  readonly logger: Logger;
}

/** The audit log of this machine. Its files are in global storage; its key and its anchors are in SecretStorage. */
export class AuditService implements AuditTrail, vscode.Disposable {
  readonly folder: string;
  readonly #parts: AuditParts;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when an entry was recorded or signed in this window. */
  readonly onDidChange = this.#changed.event;
  readonly #log: EvidenceLog;
  readonly #delivery: Delivery;
  readonly #counter: Lazy<DayCounter>;
  /** Whether the last attempt to sign failed. */
  #hasFailed = false;

  constructor(parts: AuditParts) {
    this.#parts = parts;
    const { storage, secrets, versions, user, policy } = parts;
    this.folder = join(storage.fsPath, 'audit');
    const { send, version, logger } = parts;
    this.#counter = new Lazy(async () => {
      const { DayCounter } = await import('../../../store/audit/dayLimits.ts');
      return new DayCounter({ folder: this.folder, lockFolder: storage.fsPath });
    });
    this.#delivery = new Delivery({
      folder: this.folder,
      stateFolder: join(storage.fsPath, 'delivery'),
      send,
      version,
      logger,
      collector: () => policy().otlp,
      written: () => this.#log.written,
      onDidChange: () => this.#changed.fire(),
    });
    this.#log = new EvidenceLog({
      folder: this.folder,
      place: placeOf(this.folder),
      secrets: secretSlots(secrets),
      versions,
      user,
      keepDays: () => policy().keepDays,
      prefix: () => policy().origin,
      mayRemove: (names) => this.#delivery.isDelivered(names),
      onDidRollBack: (origin) => this.#onRollBack(origin),
      onDidSign: () => {
        this.#hasFailed = false;
        this.#onWritten();
      },
      onDidFail: () => {
        this.#hasFailed = true;
        parts.logger.warn('The audit log could not be signed; it is signed later.');
        this.#changed.fire();
      },
    });
  }

  /** The number of days for which the managed policy keeps the logs of closed windows, or undefined if it sets none. */
  get keepDays(): number | undefined {
    return this.#parts.policy().keepDays;
  }

  /** The lines of this window that are not signed yet. */
  get signing(): Signing {
    const state = this.#log.isSigning ? (this.#hasFailed ? 'failed' : 'signing') : 'impossible';
    return { unsigned: this.#log.unsigned, state };
  }

  async record(entry: AuditEntry, of?: KeyUser): Promise<RecordPlace> {
    const place = await this.#log.record(entry, of);
    this.#onWritten();
    return place;
  }

  /**
   * Records a request if it is within the daily limits. The user is told when 80 % of a limit is used. Throws a ServiceError
   * if a limit is reached, or if the log cannot be read or written.
   */
  async reserve(limits: DayLimits, record: () => Promise<unknown>): Promise<void> {
    const counter = await this.#counter.get();
    const near = await counter.reserve(limits, record).catch(async (error: unknown) => {
      const reached = isServiceError(error) && error.kind === 'gate' ? error.details.dayLimit : undefined;
      if (reached !== undefined) await this.#tellNear(reached, limits);
      throw error;
    });
    // A new day may have begun.
    const others = (['requests', 'tokens'] as const).filter((one) => near.every(({ what }) => what !== one));
    for (const what of others) this.#parts.tell(`day-limit-${what}`, null);
    for (const found of near) await this.#tellNear(found, limits);
  }

  async #tellNear(found: DayLimitReached, { file }: DayLimits): Promise<void> {
    const { nearLimitCard } = await import('./limitWords.ts');
    const { what, limit, endsAt } = found;
    this.#parts.tell(`day-limit-${what}`, nearLimitCard(found, file), `${limit} ${endsAt}`);
  }

  /** Returns the state of the delivery, or null if nothing is to be delivered. */
  async delivery(): Promise<DeliveryStatus | null> {
    await this.#delivery.backlog();
    return this.#delivery.status;
  }

  /** Throws a ServiceError (`gate`, code `not-delivered`) while too much of the log is undelivered. */
  requireDelivery(signal?: AbortSignal): Promise<void> {
    return this.#delivery.require(signal);
  }

  /**
   * Called before logs are deleted. Throws a ServiceError (`storage`, code `not-delivered`) if the policy forbids this
   * before delivery.
   */
  async requireDelivered(): Promise<void> {
    if (this.#parts.policy().required !== true) return;
    await this.#log.sign();
    await this.#delivery.requireAll();
  }

  /** Records an action that has already happened: a failure to write is logged and not thrown. */
  async note(entry: AuditEntry): Promise<void> {
    await this.noteAt(entry);
  }

  /** Like note(), but returns the place of the record, or null if it could not be written. */
  async noteAt(entry: AuditEntry): Promise<RecordPlace | null> {
    try {
      return await this.record(entry);
    } catch {
      this.#parts.logger.warn('The audit log could not be written.');
      return null;
    }
  }

  /** Signs everything that is on the disk. Returns null if that is not possible now. */
  sign(why: 'lines' | 'commit'): Promise<LedgerEnd | null> {
    return this.#log.sign(why);
  }

  /** Returns a reader for the records, and then for new ones. */
  follow(taker: LogTaker): LogTail {
    return new LogTail(this.folder, taker);
  }

  read(): Promise<AuditContent> {
    return readAuditLog(this.folder);
  }

  /** Signs and verifies all entries on disk, and then records the verification. */
  async verify(): Promise<AuditVerdict> {
    const verdict = await this.#log.verify();
    const { verdict: found, files, records } = verdict;
    await this.note({ kind: 'log-verified', verdict: found, files, records });
    return verdict;
  }

  /** Returns the name of a bundle that is exported now. */
  async bundleName(): Promise<string> {
    return bundleName(await this.#log.origin(), new Date());
  }

  /**
   * Exports the log. The number of records includes the record of the export itself, so that it matches the number of a
   * verification.
   */
  async export(format: AuditFormat): Promise<Exported> {
    const { records, badLines } = await this.read();
    // The export adds its own record, and, if it is the first of this session, the record of the session before it.
    const ownRecords = this.#log.written === null ? 2 : 1;
    await this.record({ kind: 'log-exported', format, records: records.length + badLines + ownRecords });
    switch (format) {
      case 'evidence':
        return this.#log.bundle(async () =>
          vscode.workspace.fs.readFile(vscode.Uri.joinPath(this.#parts.extensionUri, 'dist', 'verify.mjs')),
        );
      case 'jsonl':
        return auditAsJsonl(this.folder);
      case 'csv':
        return auditAsCsv((await this.read()).records);
      case 'usage': {
        const { usageAsCsv } = await import('../../../store/audit/usageExport.ts');
        return usageAsCsv((await this.read()).records);
      }
    }
  }

  /** Ends the ledger, and begins a new one with a new key. */
  startLedger(): Promise<void> {
    return this.#log.startLedger();
  }

  /** Returns the number of files that purge() would remove, without the files of ledgers. */
  async countFiles(): Promise<number> {
    return (await listAuditFiles(this.folder)).length;
  }

  /** Removes the files of all sessions, and with `isWhole` the ledger and its key; returns the number of files removed. */
  async purge(isWhole: boolean): Promise<number> {
    const removed = await this.#log.purge(isWhole);
    this.#changed.fire();
    return removed;
  }

  /** Resolves when pending entries are on disk and signed. */
  async close(): Promise<void> {
    await this.#log.close();
    await this.#delivery.finish();
  }

  dispose(): void {
    this.#delivery.dispose();
    this.#changed.dispose();
  }

  /** Called when something was written or signed. It does not wait for the delivery. */
  #onWritten(): void {
    this.#changed.fire();
    this.#delivery.wake();
  }

  #onRollBack(origin: string): void {
    this.#parts.logger.error(`The ledger ${origin} was changed or put back to an earlier state.`);
    void showLastingError(rolledBackWords(), t('Open Audit Log'), 'svc.auditLog.open');
  }
}

/**
 * Returns a text that identifies a folder and, on a remote machine, the machine, because several remote machines share one
 * secret storage. The name of a local machine is not included because it can change.
 */
function placeOf(folder: string): string {
  const { remoteName } = vscode.env;
  return remoteName === undefined ? folder : `${remoteName} ${hostname()} ${folder}`;
}

/** Adapts VS Code's secret storage for the audit log. */
export function secretSlots(secrets: vscode.SecretStorage): SecretSlots {
  return withReadLimit({
    get: async (slot) => secrets.get(slot),
    set: async (slot, value) => secrets.store(slot, value),
    delete: async (slot) => secrets.delete(slot),
    keys: async () => secrets.keys(),
  });
}
