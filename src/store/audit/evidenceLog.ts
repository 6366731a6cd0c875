import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Removed } from '../../evidence/ledgerRecords.ts';
import type { AuditEntry, AuditTrail, KeyUser, RecordPlace } from '../../send/audit.ts';
import { ServiceError } from '../../util/errors.ts';
import type { Exported } from './auditExport.ts';
import { ledgerFiles, type OpenAppendFile } from './auditFiles.ts';
import { AuditLog } from './auditLog.ts';
import { auditSlots, type SecretSlots } from './auditSecrets.ts';
import { FolderWork, forgetSessions } from './ledger/folderWork.ts';
import { isOrFollows } from './ledger/followed.ts';
import { Ledger, type LedgerEnd } from './ledger/ledger.ts';
import { LedgerTurns, type TurnReason } from './ledger/ledgerTurns.ts';
import { purgedSessions } from './ledger/removal.ts';
import { canSign } from './ledger/signingKey.ts';
import { SessionAnchors } from './sessionAnchors.ts';
import { auditSessions } from './sessionFiles.ts';
import { withSettledFiles } from './settledFiles.ts';
import type { AuditVerdict, PresentSessions } from './verifyLog.ts';

export interface EvidenceLogParts {
  readonly folder: string;
  /** The name of the folder and its machine, which have their own key and anchors. */
  readonly place: string;
  readonly secrets: SecretSlots;
  /** Returns the versions of the writer and of its policy. Called when a file begins. */
  readonly versions: () => Readonly<Record<string, string>>;
  /** Returns the user that a record names, or undefined if it names none. `of` is the user of the request that it belongs to. */
  readonly user?: ((of: KeyUser | undefined) => string | undefined) | undefined;
  /** Returns the number of days for which ended sessions are kept, or undefined if they are never removed. */
  readonly keepDays?: (() => number | undefined) | undefined;
  /** Returns the prefix of the names of new ledgers; undefined means `svc-coder`. */
  readonly prefix?: (() => string | undefined) | undefined;
  /** Returns whether old files may be removed; by default, all may be. */
  readonly mayRemove?: ((files: readonly string[]) => Promise<boolean>) | undefined;
  readonly onDidRollBack: (origin: string) => void;
  /** Called when lines were signed. */
  readonly onDidSign?: (() => void) | undefined;
  /** Called when lines could not be signed; they are signed later. */
  readonly onDidFail: (error: unknown) => void;
  readonly now?: (() => Date) | undefined;
  /** Whether this build of Node can sign with Ed25519. */
  readonly canSign?: (() => boolean) | undefined;
  readonly openFile?: OpenAppendFile | undefined;
  readonly maxFileBytes?: number | undefined;
  readonly maxSessionLines?: number | undefined;
  readonly maxUnsigned?: number | undefined;
  readonly delayMs?: number | undefined;
  readonly maxLedgerLines?: number | undefined;
}

/** The ledger that a session names if this build cannot sign. */
const unsignedOrigin = `svc-coder/${'0'.repeat(32)}`;

/**
 * The audit log of one window: its records are on the disk before a request is sent, and the ledger of the folder signs them
 * soon after.
 */
export class EvidenceLog implements AuditTrail {
  readonly #parts: EvidenceLogParts;
  readonly #anchors: SessionAnchors;
  readonly #ledger: Ledger;
  readonly #work: FolderWork;
  readonly #turns: LedgerTurns;
  readonly #log: AuditLog;
  readonly #now: () => Date;
  #canSign: boolean | undefined;

  constructor(parts: EvidenceLogParts) {
    this.#parts = parts;
    const { folder, secrets, versions, prefix, onDidRollBack, keepDays = () => undefined } = parts;
    this.#now = parts.now ?? (() => new Date());
    const slots = auditSlots(parts.place);
    this.#anchors = new SessionAnchors(secrets, slots);
    const { now, openFile, maxFileBytes, maxUnsigned, delayMs, maxLedgerLines: maxLines } = parts;
    this.#ledger = new Ledger({ folder, secrets, slots, versions, onDidRollBack, prefix, now, maxLines });
    const { mayRemove = async () => true } = parts;
    this.#work = new FolderWork({
      folder,
      anchors: this.#anchors,
      keepDays,
      mayRemove,
      now: this.#now,
    });
    this.#turns = new LedgerTurns({
      ledger: this.#ledger,
      anchors: this.#anchors,
      onDidFail: parts.onDidFail,
      maxUnsigned,
      delayMs,
      position: () => this.#log.position,
      work: this.#work,
      isOf: ({ ledger }, { origin }) => isOrFollows(folder, origin, ledger),
      onDidSign: () => parts.onDidSign?.(),
    });
    this.#log = new AuditLog({
      folder,
      versions,
      user: parts.user,
      now,
      openFile,
      maxFileBytes,
      maxLines: parts.maxSessionLines,
      anchors: {
        expect: (...at) => (this.isSigning ? this.#anchors.expect(...at) : undefined),
        reach: (...at) => this.isSigning && this.#anchors.reach(...at),
        delete: (session) => this.#anchors.delete(session),
      },
      ledger: (isNew) => this.#origin(isNew),
      onDidWrite: (isDue) => this.isSigning && this.#turns.wrote(isDue),
      onDidEnd: (position) => this.isSigning && this.#turns.ended(position),
    });
  }

  /** Whether this build of Node can sign; if not, the log is written unsigned. */
  get isSigning(): boolean {
    this.#canSign ??= (this.#parts.canSign ?? canSign)();
    return this.#canSign;
  }

  /** The current session, and the number of its lines that are on the disk. */
  get written(): AuditLog['written'] {
    return this.#log.written;
  }

  /** The number of lines of this window that are on the disk and not signed yet. */
  get unsigned(): number {
    return this.isSigning ? this.#turns.unsigned : (this.#log.position?.size ?? 0);
  }

  /** Resolves when the entry is on the disk. Throws a ServiceError: `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry, of?: KeyUser): Promise<RecordPlace> {
    return this.#log.record(entry, of);
  }

  /** The name of the ledger. Creates the key if there is none. */
  origin(): Promise<string> {
    return this.#origin(false);
  }

  async #origin(isNew: boolean): Promise<string> {
    return this.isSigning ? this.#ledger.origin(isNew) : unsignedOrigin;
  }

  /** Signs everything that is on the disk. Returns null if that is not possible now. */
  async sign(why: TurnReason = 'lines'): Promise<LedgerEnd | null> {
    await this.#log.flush();
    return this.isSigning ? this.#turns.take(why) : null;
  }

  /**
   * Also signs the unsigned lines of other windows. A window that has just started is checked again. `present` has the sessions
   * that existed; it is null if they are not known.
   */
  async #signAll(why: TurnReason): Promise<{ readonly end: LedgerEnd | null; readonly present: PresentSessions }> {
    for (let looks = 1; ; looks += 1) {
      this.#work.ask();
      const end = await this.sign(why);
      const { unsure = [], present = null } = this.#work.look ?? {};
      if (end === null || unsure.length === 0 || looks === 10) return { end, present };
      await wait(100);
    }
  }

  /** Signs everything, and verifies all files. Throws errors of reading. */
  verify(): Promise<AuditVerdict> {
    return this.#settled(() => this.#verify());
  }

  async #verify(): Promise<AuditVerdict> {
    const { end, present } = await this.#signAll('lines');
    const anchor = this.isSigning ? await this.#ledger.anchor() : null;
    const { folder } = this.#parts;
    const lost = await this.#anchors.lost(async () => auditSessions(folder));
    const { verifyLog } = await import('./verifyLog.ts');
    return verifyLog({ folder, end, present, anchor, lost, isSigning: this.isSigning });
  }

  /** The bundle that anyone can verify. `verifier` returns the program verify.mjs. Throws if nothing can be signed now. */
  bundle(verifier: () => Promise<Uint8Array>): Promise<Exported<Buffer>> {
    return this.#settled(() => this.#bundle(verifier));
  }

  async #bundle(verifier: () => Promise<Uint8Array>): Promise<Exported<Buffer>> {
    const { folder } = this.#parts;
    const { end, present } = await this.#signAll('export');
    if (end === null) throw notSigned();
    const { makeBundle } = await import('./bundle/bundle.ts');
    return makeBundle({ folder, end, present, verifier, now: this.#now() });
  }

  #settled<T>(task: () => Promise<T>): Promise<T> {
    const { folder, place, secrets } = this.#parts;
    return withSettledFiles(folder, () => secrets.get(auditSlots(place).key).catch(() => undefined), task);
  }

  /** Ends the ledger, and begins another one with a new key. Throws if that is not possible now. */
  async startLedger(): Promise<void> {
    if (!this.isSigning) throw notSigned();
    await this.#log.dispose();
    if ((await this.#turns.take('end')) === null) throw notSigned();
    await this.#ledger.rotate().catch(notSignedBecause);
  }

  /**
   * Removes the files of all sessions, including other windows' sessions, after recording it in the ledger; with `isWhole` also
   * the ledger and its key. Returns the number of files of sessions. Throws if the ledger cannot be written.
   */
  async purge(isWhole: boolean): Promise<number> {
    const { folder } = this.#parts;
    await this.close();
    let removed: readonly Removed[] = [];
    const find = async (heads: Parameters<typeof purgedSessions>[1]): Promise<readonly Removed[]> => {
      removed = await purgedSessions(folder, heads);
      return removed;
    };
    const forget = async (): Promise<number> => {
      const names = new Set(removed.map(({ session }) => session));
      const files = await forgetSessions({ folder, anchors: this.#anchors }, names);
      return files;
    };
    if (isWhole) {
      // The key is deleted first: a window whose file was removed must begin with another key.
      const remove = async (): Promise<number> => {
        await find({ heads: new Map() });
        const files = await forget();
        await this.#removeLedgers();
        return files;
      };
      return this.#ledger.forget(remove).catch(notSignedBecause);
    }
    if (this.isSigning) await this.#ledger.turn(find).catch(notSignedBecause);
    else await find({ heads: new Map() });
    return forget();
  }

  async #removeLedgers(): Promise<void> {
    const { folder } = this.#parts;
    for (const name of await ledgerFiles(folder)) await rm(join(folder, name), { force: true });
  }

  /** Ends the session. Afterwards, everything is on the disk and, if possible, signed. */
  async close(): Promise<void> {
    await this.#log.dispose();
    await this.#turns.settled();
    await this.#anchors.flush();
    this.#turns.dispose();
  }
}

function notSigned(cause?: unknown): ServiceError<'storage'> {
  const { code } = (cause ?? {}) as { readonly code?: string };
  return new ServiceError('storage', 'The log cannot be signed now.', { code: 'not-signed', reason: code, cause });
}

function notSignedBecause(cause: unknown): never {
  throw notSigned(cause);
}
