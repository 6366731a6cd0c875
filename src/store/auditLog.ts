import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { AuditEntry, AuditTrail } from '../session/audit.ts';
import type { DisposableLike } from '../util/disposable.ts';
import { ServiceError } from '../util/errors.ts';
import { type AppendFile, auditFileName, makeAuditFolder, type OpenAppendFile, openAppendFile } from './auditFiles.ts';
import { type AuditRecord, chainStart, signedLine } from './auditLine.ts';
import { unfinishedRequests } from './auditRecovery.ts';

/** How far a session's log had come, kept apart from the files: a tail that was cut off is missed. */
export interface AuditAnchor {
  readonly count: number;
  /** The mac of the last line. */
  readonly head: string;
}

/** One slot a session, so that two windows never write the same one. */
export interface AuditAnchors {
  set(session: string, anchor: AuditAnchor): Promise<void>;
}

export interface AuditLogOptions {
  readonly folder: string;
  /** 32 bytes, the same for all sessions. Asked for with the first record. */
  readonly key: () => Promise<Uint8Array>;
  readonly anchors: AuditAnchors;
  /** Of what writes, and what policy it writes under; asked when a file begins. */
  readonly versions: () => Readonly<Record<string, string>>;
  readonly now?: () => Date;
  readonly openFile?: OpenAppendFile;
  /** Bytes after which the next file begins; 5 MiB unless told. */
  readonly maxFileBytes?: number;
}

interface Waiting {
  readonly entry: AuditEntry;
  readonly done: (error?: unknown) => void;
}

interface Current {
  readonly file: AppendFile;
  readonly path: string;
  readonly day: string;
  size: number;
}

/**
 * The log of one extension host, in files of its own: two windows never write the same one. Nothing is touched before
 * the first record. Records that wait together are written and synced together.
 */
export class AuditLog implements AuditTrail, DisposableLike {
  readonly session = randomUUID();
  readonly #options: AuditLogOptions;
  readonly #now: () => Date;
  readonly #startedAt: Date;
  #waiting: Waiting[] = [];
  #pumping: Promise<void> | undefined;
  #anchoring: Promise<void> = Promise.resolve();
  #current: Current | undefined;
  #part = 0;
  #seq = 0;
  #head = chainStart;
  #hasRecovered = false;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#startedAt = this.#now();
  }

  /** Resolves when the entry is on the disk. Throws a ServiceError: `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ entry, done: (error) => (error === undefined ? resolve() : reject(error)) });
    this.#pumping ??= this.#pump();
    return promise;
  }

  /** Resolves when all that was recorded is on the disk, and anchored. */
  async flush(): Promise<void> {
    await this.#pumping;
    await this.#anchoring;
  }

  /** Closes the file. Nothing can be recorded afterwards without beginning another. */
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
        const { code = 'unknown' } = error as NodeJS.ErrnoException;
        const failure = new ServiceError('gate', 'The audit log cannot be written.', {
          code: 'audit-unwritable',
          reason: code,
          file: this.#options.folder,
          cause: error,
        });
        for (const { done } of batch) done(failure);
      }
    }
    // In the same breath as the look at what waits: whoever comes now starts anew.
    this.#pumping = undefined;
  }

  async #write(entries: readonly AuditEntry[]): Promise<void> {
    const key = await this.#options.key();
    const { file, fresh } = await this.#fileFor();
    const recovered = this.#hasRecovered ? [] : await unfinishedRequests(this.#options.folder, this.session);
    let seq = this.#seq;
    let head = this.#head;
    let text = '';
    for (const entry of [...fresh, ...recovered, ...entries]) {
      seq += 1;
      const where = { seq, time: this.#now().toISOString(), session: this.session };
      const { line, mac } = signedLine({ ...where, ...entry, prev: head } as AuditRecord, key);
      text += `${line}\n`;
      head = mac;
    }
    await append(file, Buffer.from(text));
    this.#seq = seq;
    this.#head = head;
    this.#hasRecovered = true;
    this.#anchor({ count: seq, head });
  }

  /** The file to write to, and what goes first into it where it is a new one. */
  async #fileFor(): Promise<{ readonly file: Current; readonly fresh: readonly AuditEntry[] }> {
    const { folder, versions, openFile = openAppendFile, maxFileBytes = 5 * 1024 * 1024 } = this.#options;
    const day = this.#now().toISOString().slice(0, 10);
    const started: AuditEntry = { kind: 'session-started', versions: versions(), pid: process.pid };
    if (this.#current !== undefined && this.#current.day === day && this.#current.size < maxFileBytes) {
      // A file whose first write failed is still empty.
      return { file: this.#current, fresh: this.#current.size === 0 ? [started] : [] };
    }
    await this.#leave();
    await makeAuditFolder(folder);
    const path = join(folder, auditFileName(this.#startedAt, this.session, this.#part + 1));
    this.#current = { file: await openFile(path), path, day, size: 0 };
    this.#part += 1;
    return { file: this.#current, fresh: [started] };
  }

  async #leave(): Promise<void> {
    const left = this.#current;
    this.#current = undefined;
    await left?.file.close().catch(() => undefined);
  }

  /** Not waited for: a file that is ahead of its anchor is a file that was written to, nothing worse. */
  #anchor(anchor: AuditAnchor): void {
    this.#anchoring = this.#anchoring
      .then(() => (anchor.count === this.#seq ? this.#options.anchors.set(this.session, anchor) : undefined))
      .catch(() => undefined);
  }
}

/** All of it is on the disk, or nothing: what a full disk took in part is taken back. */
async function append(current: Current, bytes: Uint8Array): Promise<void> {
  try {
    const written = await current.file.write(bytes);
    if (written < bytes.length) throw Object.assign(new Error('A short write.'), { code: 'ENOSPC' });
    await current.file.sync();
  } catch (error) {
    await current.file.truncate(current.size).catch(() => undefined);
    throw error;
  }
  current.size += bytes.length;
}
