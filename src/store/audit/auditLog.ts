import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { maxSeq } from '../../evidence/line.ts';
import type { AuditEntry, AuditTrail, KeyUser, RecordPlace } from '../../send/audit.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import { ServiceError } from '../../util/errors.ts';
import { append, mend, type OpenAuditFile } from './auditAppend.ts';
import { auditFileName, makeAuditFolder, type OpenAppendFile, openAppendFile, stampOf } from './auditFiles.ts';
import { SessionChain, type SessionPosition } from './auditLine.ts';
import { type EntryOfUser, unfinishedRequests } from './auditRecovery.ts';
import type { SessionAnchors } from './sessionAnchors.ts';

interface AuditLogOptions {
  readonly folder: string;
  /**
   * The name of the ledger that signs this log. Requested with each record; another name ends the session. `isNew` means that a
   * session begins, so the current name is needed even if another window has just changed it.
   */
  readonly ledger: (isNew: boolean) => Promise<string>;
  readonly anchors: {
    readonly expect: (...at: Parameters<SessionAnchors['expect']>) => Promise<void> | undefined;
    readonly reach: (...at: Parameters<SessionAnchors['reach']>) => void;
    readonly delete: (...of: Parameters<SessionAnchors['delete']>) => Promise<void>;
  };
  /** Returns the versions of the writer and of its policy. Called when a file begins. */
  readonly versions: () => Readonly<Record<string, string>>;
  /** Returns the user that a record names, or undefined if it names none. `of` is the user of the request that it belongs to. */
  readonly user?: ((of: KeyUser | undefined) => string | undefined) | undefined;
  readonly now?: (() => Date) | undefined;
  readonly openFile?: OpenAppendFile | undefined;
  /** The size in bytes at which the next file begins; default 5 MiB. */
  readonly maxFileBytes?: number | undefined;
  /** The number of lines at which the next session begins; default a little below the highest possible number. */
  readonly maxLines?: number | undefined;
  /** Called when lines are on the disk. `isDue`: a file is complete, or the lines should be signed immediately. */
  readonly onDidWrite?: ((isDue: boolean) => void) | undefined;
  /** Called when no more lines will follow in a session whose lines are on the disk. */
  readonly onDidEnd?: ((position: PlacedSession) => void) | undefined;
}

interface Waiting extends EntryOfUser {
  readonly done: (place: RecordPlace) => void;
  readonly fail: (error: unknown) => void;
}

/** The position of a session, and the ledger that it names. */
export interface PlacedSession extends SessionPosition {
  readonly ledger: string;
}

/** The current session. */
interface Running {
  readonly chain: SessionChain;
  readonly ledger: string;
  readonly startedAt: Date;
  readonly part: number;
}

/** Records that are signed immediately, because they end the time in which an earlier state applied. */
const dueKinds: readonly AuditEntry['kind'][] = ['key-set', 'key-removed', 'policy-changed', 'data-purged'];

/**
 * The log of one extension host, in separate files: two windows never write the same one, so no lock is needed. Touches
 * nothing before the first record. Records that wait together are written and synced together.
 */
export class AuditLog implements AuditTrail, DisposableLike {
  readonly #options: AuditLogOptions;
  readonly #now: () => Date;
  #waiting: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  #current: OpenAuditFile | undefined;
  #running: Running | undefined;
  #hasRecovered = false;
  /** Whether the last file was full, or from another day. */
  #hasEndedFile = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
  }

  /** The position of the current session on the disk; null before its first line. */
  get position(): PlacedSession | null {
    if (this.#running === undefined || this.#running.chain.size === 0) return null;
    // A chain in #running does not change, because lines are added to copies.
    const { chain, ledger } = this.#running;
    const { session, size } = chain;
    return {
      session,
      size,
      ledger,
      get root() {
        return chain.root;
      },
    };
  }

  /** The session whose file is open, and the number of its lines that are known to be on the disk. The file may have more. */
  get written(): Pick<SessionPosition, 'session' | 'size'> | null {
    return this.#running?.chain ?? null;
  }

  /** Resolves when the entry is on the disk. Throws a ServiceError: `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry, of?: KeyUser): Promise<RecordPlace> {
    const { promise, resolve, reject } = Promise.withResolvers<RecordPlace>();
    this.#waiting.push({ entry, of, done: resolve, fail: reject });
    this.#pumping ??= this.#pump();
    return promise;
  }

  /** Resolves when all recorded entries are on the disk. */
  async flush(): Promise<void> {
    await this.#pumping;
  }

  /** Ends the session. A later record begins a new one. */
  async dispose(): Promise<void> {
    await this.flush();
    await this.#end();
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        const last = await this.#write(batch);
        const first = last.seq - batch.length + 1;
        for (const [index, { done }] of batch.entries()) done({ ...last, seq: first + index });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const failure = new ServiceError('gate', 'The audit log cannot be written.', {
          code: 'audit-unwritable',
          reason: code,
          file: this.#options.folder,
          cause: error,
        });
        for (const { fail } of batch) fail(failure);
      }
    }
    // No other code runs between the check of the queue and this line, so a later record starts a new pump.
    this.#pumping = undefined;
  }

  /** Returns the place of the last entry. */
  async #write(entries: readonly EntryOfUser[]): Promise<RecordPlace> {
    const { maxLines = maxSeq - 10_000 } = this.#options;
    const ledger = await this.#options.ledger(this.#running === undefined);
    const running = this.#running;
    if (running !== undefined && (running.ledger !== ledger || running.chain.size >= maxLines)) await this.#end();
    if (await this.#add(entries, ledger)) return this.#place(ledger);
    const next = await this.#afterLoss();
    if (!(await this.#add(entries, next))) throw Object.assign(new Error('The file was removed.'), { code: 'ENOENT' });
    return this.#place(next);
  }

  /**
   * Returns the ledger to use after another window purged the log, or the file was removed. The old ledger shows the loss,
   * unless it was purged, too.
   */
  async #afterLoss(): Promise<string> {
    const lost = this.#running;
    await this.#closeFile();
    this.#running = undefined;
    const ledger = await this.#options.ledger(true);
    // The anchor of the lost session was set again after the purge.
    if (lost !== undefined && lost.ledger !== ledger) await this.#options.anchors.delete(lost.chain.session);
    return ledger;
  }

  #place(log: string): RecordPlace {
    const { session = '', size = 0 } = this.position ?? {};
    return { log, session, seq: size };
  }

  /** Returns false if the file was removed, so that nothing in it is kept. */
  async #add(entries: readonly EntryOfUser[], ledger: string): Promise<boolean> {
    const found = await this.#fileFor(ledger);
    if (found === null) return false;
    const { file, fresh } = found;
    const recovered = this.#hasRecovered ? [] : await this.#recovered();
    const running = this.#running;
    if (running === undefined) throw new Error('A file without a session.');
    const { anchors } = this.#options;
    const chain = running.chain.copy();
    const text = [...fresh, ...recovered, ...entries]
      .map(({ entry, of }) => `${chain.add(entry, this.#time(), this.#options.user?.(of))}\n`)
      .join('');
    await anchors.expect(chain.session, running.chain, chain, this.#now().getTime());
    if (!(await append(file, Buffer.from(text)))) return false;
    this.#running = { ...running, chain };
    this.#hasRecovered = true;
    anchors.reach(chain.session, chain);
    this.#options.onDidWrite?.(this.#hasEndedFile || entries.some(({ entry }) => dueKinds.includes(entry.kind)));
    this.#hasEndedFile = false;
    return true;
  }

  #time(): string {
    return this.#now().toISOString();
  }

  /** Searches once for unfinished requests of earlier sessions. A failed search does not prevent sending. */
  #recovered(): Promise<readonly EntryOfUser[]> {
    return unfinishedRequests(this.#options.folder, this.#running?.chain.session ?? '', this.#now()).catch(() => []);
  }

  /** Returns the file to write to and, for a new file, its first records. Returns null if the previous file was removed. */
  async #fileFor(
    ledger: string,
  ): Promise<{ readonly file: OpenAuditFile; readonly fresh: readonly EntryOfUser[] } | null> {
    const { folder, versions, openFile = openAppendFile, maxFileBytes = 5 * 1024 * 1024 } = this.#options;
    const day = this.#time().slice(0, 10);
    const started: EntryOfUser = {
      entry: { kind: 'session-started', ledger, versions: versions(), pid: process.pid },
    };
    if (this.#current !== undefined) {
      const { day: begun, size } = this.#current;
      // A file whose first write failed is still empty.
      if (begun === day && size < maxFileBytes) return { file: this.#current, fresh: size === 0 ? [started] : [] };
      await mend(this.#current);
      this.#hasEndedFile = true;
    }
    const before = this.#current?.file;
    await this.#closeFile();
    await makeAuditFolder(folder);
    const fresh = { chain: new SessionChain(randomUUID()), startedAt: this.#now(), part: 0 };
    const { chain, startedAt, part } = this.#running ?? fresh;
    const name = auditFileName(stampOf(startedAt), chain.session, part + 1);
    const path = join(folder, name);
    this.#current = { file: await openFile(path), day, size: 0, isTorn: false };
    // Another window has removed the session: a file that is added to it now would never be removed.
    if (before !== undefined && !(await before.isThere())) {
      await this.#closeFile();
      await rm(path, { force: true });
      return null;
    }
    this.#running = { chain, ledger, startedAt, part: part + 1 };
    return { file: this.#current, fresh: [started] };
  }

  async #end(): Promise<void> {
    const { position } = this;
    await this.#closeFile();
    this.#running = undefined;
    if (position !== null) this.#options.onDidEnd?.(position);
  }

  async #closeFile(): Promise<void> {
    const closing = this.#current;
    this.#current = undefined;
    if (closing === undefined) return;
    await mend(closing).catch(() => undefined);
    await closing.file.close().catch(() => undefined);
  }
}
