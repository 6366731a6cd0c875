import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AuditEntry, AuditTrail } from '../../session/dispatch/audit.ts';
import type { DisposableLike } from '../../util/disposable.ts';
import { ServiceError } from '../../util/errors.ts';
import { append, mend, type OpenAuditFile } from './auditAppend.ts';
import { auditFileName, makeAuditFolder, type OpenAppendFile, openAppendFile, stampOf } from './auditFiles.ts';
import { type AuditRecord, chainStart, signedLine } from './auditLine.ts';
import { unfinishedRequests } from './auditRecovery.ts';

/** The length of a session's log, stored apart from the files, so that a removed tail is noticed. */
export interface AuditAnchor {
  readonly count: number;
  /** The mac of the last line. */
  readonly head: string;
}

/** One slot per session, so that two windows never write the same one. */
export interface AuditAnchors {
  set(session: string, anchor: AuditAnchor): Promise<void>;
}

export interface AuditLogOptions {
  readonly folder: string;
  /** 32 bytes, the same for all sessions. Requested with the first record. */
  readonly key: () => Promise<Uint8Array>;
  readonly anchors: AuditAnchors;
  /** Versions of the writer and of its policy; called when a file begins. */
  readonly versions: () => Readonly<Record<string, string>>;
  readonly now?: () => Date;
  readonly openFile?: OpenAppendFile;
  /** The size in bytes at which the next file begins; default 5 MiB. */
  readonly maxFileBytes?: number;
}

interface Waiting {
  readonly entry: AuditEntry;
  readonly done: (error?: unknown) => void;
}

/**
 * The log of one extension host, in separate files: two windows never write the same one. Touches nothing before the
 * first record. Records that wait together are written and synced together.
 */
export class AuditLog implements AuditTrail, DisposableLike {
  readonly #options: AuditLogOptions;
  readonly #now: () => Date;
  #session: string = randomUUID();
  #startedAt: Date;
  #waiting: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  #anchoring: Promise<void> = Promise.resolve();
  #current: OpenAuditFile | undefined;
  #part = 0;
  #seq = 0;
  #head = chainStart;
  #hasRecovered = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#startedAt = this.#now();
  }

  /** The session of the current chain. */
  get session(): string {
    return this.#session;
  }

  /** Resolves when the entry is on the disk. Throws a ServiceError: `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ entry, done: (error) => (error === undefined ? resolve() : reject(error)) });
    this.#pumping ??= this.#pump();
    return promise;
  }

  /** Resolves when all recorded entries are on the disk and anchored. */
  async flush(): Promise<void> {
    await this.#pumping;
    await this.#anchoring;
  }

  /** Closes the file. A later record begins a new file. */
  async dispose(): Promise<void> {
    await this.flush();
    await this.#leave();
  }

  async #pump(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(batch.map(({ entry }) => entry));
        for (const { done } of batch) done();
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const failure = new ServiceError('gate', 'The audit log cannot be written.', {
          code: 'audit-unwritable',
          reason: code,
          file: this.#options.folder,
          cause: error,
        });
        for (const { done } of batch) done(failure);
      }
    }
    // Synchronous with the check of the queue: a later record starts a new pump.
    this.#pumping = undefined;
  }

  async #write(entries: readonly AuditEntry[]): Promise<void> {
    const key = await this.#options.key();
    // An empty key would produce signatures too, which anyone could forge.
    if (key.length !== 32) throw Object.assign(new Error('No key.'), { code: 'ERR_CRYPTO_INVALID_KEYLEN' });
    if (await this.#add(entries, key)) return;
    // Another window purged the log, or the file was removed: then the anchor of its session shows it.
    await this.#beginAnew();
    if (!(await this.#add(entries, key))) throw Object.assign(new Error('The file is gone.'), { code: 'ENOENT' });
  }

  /** Returns false if the file has lost its name, so that nothing in it is kept. */
  async #add(entries: readonly AuditEntry[], key: Uint8Array): Promise<boolean> {
    const { file, fresh } = await this.#fileFor();
    const recovered = this.#hasRecovered ? [] : await this.#recovered();
    let seq = this.#seq;
    let head = this.#head;
    let text = '';
    for (const entry of [...fresh, ...recovered, ...entries]) {
      seq += 1;
      const where = { seq, time: this.#now().toISOString(), session: this.#session };
      const { line, mac } = signedLine({ ...where, ...entry, prev: head } as AuditRecord, key);
      text += `${line}\n`;
      head = mac;
    }
    await append(file, Buffer.from(text));
    // Checked after the write: an earlier check would miss a removal in between.
    if (!(await file.file.isThere())) return false;
    this.#seq = seq;
    this.#head = head;
    this.#hasRecovered = true;
    this.#anchor(this.#session, { count: seq, head });
    return true;
  }

  /** Searches once for unfinished requests of earlier sessions. A failed search does not prevent sending. */
  #recovered(): Promise<readonly AuditEntry[]> {
    return unfinishedRequests(this.#options.folder, this.#session, this.#now()).catch(() => []);
  }

  async #beginAnew(): Promise<void> {
    await this.#leave();
    this.#session = randomUUID();
    this.#startedAt = this.#now();
    this.#part = 0;
    this.#seq = 0;
    this.#head = chainStart;
  }

  /** Returns the file to write to and, for a new file, its first records. */
  async #fileFor(): Promise<{ readonly file: OpenAuditFile; readonly fresh: readonly AuditEntry[] }> {
    const { folder, versions, openFile = openAppendFile, maxFileBytes = 5 * 1024 * 1024 } = this.#options;
    const day = this.#now().toISOString().slice(0, 10);
    const started: AuditEntry = { kind: 'session-started', versions: versions(), pid: process.pid };
    if (this.#current !== undefined) {
      const { day: begun, size } = this.#current;
      // A file whose first write failed is still empty.
      if (begun === day && size < maxFileBytes) return { file: this.#current, fresh: size === 0 ? [started] : [] };
      await mend(this.#current);
    }
    await this.#leave();
    await makeAuditFolder(folder);
    const name = auditFileName(stampOf(this.#startedAt), this.#session, this.#part + 1);
    this.#current = { file: await openFile(join(folder, name)), day, size: 0, isTorn: false };
    this.#part += 1;
    return { file: this.#current, fresh: [started] };
  }

  async #leave(): Promise<void> {
    const left = this.#current;
    this.#current = undefined;
    if (left === undefined) return;
    await mend(left).catch(() => undefined);
    await left.file.close().catch(() => undefined);
  }

  /** Not awaited: a file that is ahead of its anchor is harmless, it was only written to. */
  #anchor(session: string, anchor: AuditAnchor): void {
    this.#anchoring = this.#anchoring
      .then(() => (anchor.head === this.#head ? this.#options.anchors.set(session, anchor) : undefined))
      .catch(() => undefined);
  }
}
