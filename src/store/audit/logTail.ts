import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { sha256Hex } from '../../util/sha256.ts';
import { listAuditFiles } from './auditFiles.ts';
import { type AuditRecord, safeParseRecord } from './auditLine.ts';
import { ifTooLarge, maxFileBytes } from './auditRead.ts';
import { eachLine } from './fileLines.ts';

/** Receives the records of a log. */
export interface LogTaker {
  /** Called for each line of a file, in order; `record` is null if the line is not a record. */
  take(file: string, record: AuditRecord | null): void;
  /** Called when the records that were taken from a file are no longer in it. */
  drop(file: string): void;
  /** Called when all records of a file were taken. More may follow later. */
  done(file: string): void;
}

/** The position up to which a file was read. */
interface Position {
  /** Identifies the state in which the file was read to its end; empty if it was not. */
  key: string;
  readonly inode: number;
  /** The size of the file when it was read to its end. */
  size: number;
  /** The offset of the last line that was taken; `end` is the offset after it. */
  start: number;
  end: number;
  /** The hash of the last line that was taken; empty if it is not a record. */
  last: string;
  isTooLarge: boolean;
}

interface FoundFile {
  readonly name: string;
  readonly key: string;
  readonly inode: number;
  readonly size: number;
  /** The time of its last write, which any program can set. */
  readonly writtenAt: number;
  /** The time of its last change, of its times too. */
  readonly changedAt: number;
}

/** The number of files whose state is read in parallel. */
const atOnce = 32;
const sliceBytes = 256 * 1024;

/**
 * Reads a log once, and then only what is added to it: the page of the audit log is updated with each record, and a log can
 * have hundreds of megabytes. A file that has not changed is not read again, and one that has grown is read from its last
 * line: only verification finds a change in an earlier line. That line has to be a record, which is unique: other text can
 * be in the same place of a different file, so such a file is read from its beginning. Yields at least every 10 ms.
 */
export class LogTail {
  readonly #folder: string;
  readonly #taker: LogTaker;
  readonly #eachLine: typeof eachLine;
  readonly #since: number;
  /** The names of files that were last changed before that time: they are not looked at again. */
  readonly #old = new Set<string>();
  readonly #files = new Map<string, Position>();

  /** Files that were last changed before `since`, in milliseconds since the epoch, are not read. */
  constructor(folder: string, taker: LogTaker, readLines = eachLine, since = 0) {
    this.#folder = folder;
    this.#taker = taker;
    this.#eachLine = readLines;
    this.#since = since;
  }

  /**
   * Gives everything new to the taker, the newest files first. One call at a time. It ends early if `signal` is aborted, and
   * throws errors of reading: the next call continues from there.
   */
  async read(signal?: AbortSignal): Promise<void> {
    const found = await this.#changed();
    // The time of the last write only decides about the order.
    for (const file of found.sort((a, b) => b.writtenAt - a.writtenAt)) {
      if (signal?.aborted === true) return;
      await this.#readFile(file, signal);
    }
  }

  /** The files that have changed since they were read. Drops files that no longer exist. */
  async #changed(): Promise<FoundFile[]> {
    const names = (await listAuditFiles(this.#folder)).map(({ name }) => name).filter((name) => !this.#old.has(name));
    const removed = new Set(this.#files.keys());
    const changed: FoundFile[] = [];
    for (let at = 0; at < names.length; at += atOnce) {
      const some = await Promise.all(names.slice(at, at + atOnce).map((name) => this.#find(name)));
      for (const file of some) {
        if (file === null) continue;
        removed.delete(file.name);
        if (file.changedAt < this.#since) this.#old.add(file.name);
        else if (this.#files.get(file.name)?.key !== file.key) changed.push(file);
      }
      if (isPauseDue()) await pause();
    }
    for (const name of removed) this.#forget(name);
    return changed;
  }

  async #find(name: string): Promise<FoundFile | null> {
    try {
      const { ino: inode, size, mtimeMs, ctimeMs } = await lstat(join(this.#folder, name));
      const changedAt = Math.max(mtimeMs, ctimeMs);
      return { name, inode, size, writtenAt: mtimeMs, changedAt, key: [inode, size, mtimeMs, ctimeMs].join(' ') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async #readFile(file: FoundFile, signal: AbortSignal | undefined): Promise<void> {
    const { name, inode, size, key } = file;
    const known = this.#files.get(name);
    if (known?.isTooLarge === true && size > maxFileBytes) {
      known.key = key;
      return;
    }
    // A file of the log only grows. Any other change was made by another program, and may be anywhere in the file.
    const isGrown = known !== undefined && !known.isTooLarge && known.inode === inode && size > known.size;
    if (isGrown && (known.end === 0 || known.last !== '') && (await this.#readFrom(known, file, signal))) return;
    if (known !== undefined) this.#forget(name);
    const position = { key: '', inode, size: -1, start: 0, end: 0, last: '', isTooLarge: false };
    this.#files.set(name, position);
    await this.#readFrom(position, file, signal);
  }

  /** Returns false if the last line that was taken is no longer in its place. */
  async #readFrom(position: Position, file: FoundFile, signal: AbortSignal | undefined): Promise<boolean> {
    const { name, key, size } = file;
    let isChecked = position.end === 0;
    let last: Buffer | null | undefined;
    const take = (line: Buffer, end: number): boolean | Promise<boolean> => {
      if (!isChecked) {
        isChecked = end === position.end && sha256Hex(line) === position.last;
        return isChecked;
      }
      const record = safeParseRecord(line.toString());
      this.#taker.take(name, record);
      position.start = position.end;
      position.end = end;
      last = record && line;
      if (!isPauseDue()) return true;
      return pause().then(() => signal?.aborted !== true);
    };
    // If reading fails or is stopped, the next call continues from the last line.
    position.key = '';
    position.size = -1;
    try {
      const read = await this.#eachLine(join(this.#folder, name), take, { from: position.start, sliceBytes }).catch(
        ifTooLarge,
      );
      if (!isChecked) return false;
      if (read === null) this.#takeAsBad(name, position);
    } finally {
      if (last !== undefined) position.last = last === null ? '' : sha256Hex(last);
      this.#taker.done(name);
    }
    if (signal?.aborted === true) return true;
    position.key = key;
    position.size = size;
    return true;
  }

  /** A file that is too large to be ours is treated as one bad line. */
  #takeAsBad(name: string, position: Position): void {
    if (position.end > 0) this.#taker.drop(name);
    this.#taker.take(name, null);
    Object.assign(position, { isTooLarge: true, start: 0, end: 0 });
  }

  #forget(name: string): void {
    this.#files.delete(name);
    this.#taker.drop(name);
  }
}
