import { type FileHandle, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { maxLineBytes } from '../../../evidence/line.ts';
import { sha256Hex } from '../../../util/sha256.ts';
import { ledgerFiles, listAuditFiles } from '../auditFiles.ts';
import { safeParseRecord } from '../auditLine.ts';
import { withAuditFile } from '../auditRead.ts';
import { isRunning } from '../auditRecovery.ts';
import type { FilePosition, Positions } from './deliveryState.ts';
import { type DeliverableLine, deliverable } from './logLines.ts';

/** A file with bytes that are not delivered. */
export interface UndeliveredFile {
  readonly name: string;
  /** The session of the file; null for a ledger. */
  readonly session: string | null;
  readonly size: number;
  readonly position: FilePosition;
}

interface FolderScan {
  /** The files to deliver. Ledgers are last, because heads are delivered after the lines that they cover. */
  readonly files: readonly UndeliveredFile[];
  /** The number of bytes to deliver, in all files. */
  readonly bytes: number;
  /** Files with a position that no longer exist. */
  readonly missing: readonly string[];
}

const beginning: FilePosition = { at: 0, end: 0, mark: '' };

/** The time in milliseconds after which an unchanged file no longer grows, because a file has the lines of one day. */
const finishedAfterMs = 25 * 60 * 60 * 1000;

/** Finds the bytes that are not delivered, by comparing the sizes of the files with the positions. */
export class Undelivered {
  readonly #folder: string;
  readonly #now: () => number;
  /** The sizes of files that are delivered and no longer grow. */
  readonly #finished = new Map<string, number>();

  constructor(folder: string, now: () => number) {
    this.#folder = folder;
    this.#now = now;
  }

  async scan(positions: Positions): Promise<FolderScan> {
    // The sizes of the ledgers are read first, so that they contain no head of lines that are written later.
    const ledgers = await ledgerFiles(this.#folder);
    const ledgerSizes = await this.#sizes(ledgers, positions);
    const sessions = await listAuditFiles(this.#folder);
    const sessionSizes = await this.#sizes(
      sessions.map(({ name }) => name),
      positions,
    );
    const files: UndeliveredFile[] = [];
    let bytes = 0;
    const add = (name: string, session: string | null, size = 0): void => {
      const given = positions.get(name) ?? beginning;
      // The rest of a failed write may have been removed.
      const position = given.end > size && given.at <= size ? { ...given, end: given.at } : given;
      if (position.end === size) return;
      const known = position.at > size ? beginning : position;
      files.push({ name, session, size, position: known });
      bytes += size - known.end;
    };
    for (const { name, session } of sessions) add(name, session, sessionSizes.get(name));
    for (const name of ledgers) add(name, null, ledgerSizes.get(name));
    const existing = new Set([...ledgers, ...sessions.map(({ name }) => name)]);
    return { files, bytes, missing: [...positions.keys()].filter((name) => !existing.has(name)) };
  }

  async #sizes(names: readonly string[], positions: Positions): Promise<ReadonlyMap<string, number>> {
    const sizes = new Map<string, number>();
    for (const name of names) {
      const end = positions.get(name)?.end;
      const finished = this.#finished.get(name);
      if (finished !== undefined && finished === end) {
        sizes.set(name, finished);
        continue;
      }
      const found = await stat(join(this.#folder, name)).catch(() => null);
      // Reading a pipe would never end.
      if (found === null || !found.isFile()) continue;
      sizes.set(name, found.size);
      if (found.size === end && this.#now() - found.mtimeMs > finishedAfterMs) this.#finished.set(name, found.size);
    }
    return sizes;
  }
}

interface FileBatch {
  readonly lines: readonly DeliverableLine[];
  readonly bytes: number;
  /** The position after these lines. */
  readonly position: FilePosition;
}

/** The position of this window's session on the disk. */
export interface Written {
  readonly session: string;
  /** The number of the session's lines. */
  readonly size: number;
}

/**
 * Reads the next complete lines of a file, at most `maxBytes`. Lines of a session that may not be on the disk yet are not
 * read: this window's lines after `written`, and all lines of another running window, which delivers them itself. Returns null
 * if there is no such file.
 */
export function readBatch(
  folder: string,
  wanted: UndeliveredFile,
  maxBytes: number,
  written: Written | null,
): Promise<FileBatch | null> {
  const read = (file: FileHandle): Promise<FileBatch> => batchOf(file, wanted, maxBytes, written);
  return withAuditFile(join(folder, wanted.name), read, Number.POSITIVE_INFINITY);
}

async function batchOf(
  file: FileHandle,
  { session, size, position }: UndeliveredFile,
  maxBytes: number,
  written: Written | null,
): Promise<FileBatch> {
  const read = async (from: number, to: number): Promise<Buffer> => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, to - from)), 0, to - from, from);
    return buffer.subarray(0, bytesRead);
  };
  const none = { lines: [], bytes: 0, position };
  const isOwn = session !== null && session === written?.session;
  if (session !== null && !isOwn && isOfOther(await read(0, maxLineBytes + 1))) return none;
  const { at } = position;
  // The file may have been truncated, and may have grown again.
  const marked = await read(Math.max(0, at - markBytes), at);
  const from = at === 0 || markOf(marked) === position.mark ? position : beginning;
  const bytes = await read(from.at, Math.min(size, from.at + maxBytes));
  const end = bytes.lastIndexOf(0x0a) + 1;
  // There is only an incomplete line, or a line that is too long to be ours.
  if (end === 0) return { ...none, position: { ...from, end: size } };
  const before = from.at === 0 ? Buffer.alloc(0) : marked;
  return takeLines(bytes.subarray(0, end), { from, before, maxSeq: isOwn ? written.size : Number.POSITIVE_INFINITY });
}

interface Place {
  readonly from: FilePosition;
  /** The bytes before the position. */
  readonly before: Buffer;
  readonly maxSeq: number;
}

function takeLines(bytes: Buffer, { from, before, maxSeq }: Place): FileBatch {
  const lines: DeliverableLine[] = [];
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    const line = bytes.subarray(start, end);
    const found = deliverable(line);
    if ((found?.frame?.seq ?? 0) > maxSeq) break;
    if (found !== null) lines.push(found);
    start = end + 1;
  }
  if (start === 0) return { lines, bytes: 0, position: from };
  const at = from.at + start;
  return {
    lines,
    bytes: start,
    position: { at, end: at, mark: markOf(Buffer.concat([before, bytes.subarray(0, start)])) },
  };
}

/** Whether a file begins with the record of another process that is still running. */
function isOfOther(start: Buffer): boolean {
  const record = safeParseRecord(start.toString('utf8', 0, Math.max(0, start.indexOf(0x0a))));
  if (record?.kind !== 'session-started' || record.pid === process.pid) return false;
  return isRunning(record.pid, record.time);
}

/** Identifies the bytes before a position: the last of them contain the hash of the previous line, so they are unique. */
function markOf(bytes: Buffer): string {
  return sha256Hex(bytes.subarray(-markBytes)).slice(0, 32);
}

const markBytes = 200;
