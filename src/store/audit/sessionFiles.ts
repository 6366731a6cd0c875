import { join } from 'node:path';
import { firstPrev, frameOf, leafOf, ledgerNamedAt } from '../../evidence/line.ts';
import { GrowingTree } from '../../evidence/tree.ts';
import { addTo } from '../../util/groups.ts';
import { type AuditFileName, listAuditFiles } from './auditFiles.ts';
import { withAuditFile } from './auditRead.ts';
import { eachLine } from './fileLines.ts';

/** The files of sessions that have content, by session, oldest first. A file that is removed in the meantime is left out. */
export async function auditSessions(folder: string): Promise<AuditSessions> {
  const sessions = new Map<string, AuditFileName[]>();
  const filled = new Set<string>();
  for (const file of await listAuditFiles(folder)) {
    addTo(sessions, file.session, file);
    if (await hasContent(join(folder, file.name)).catch(() => false)) filled.add(file.session);
  }
  return new Map([...sessions].filter(([session]) => filled.has(session)));
}

async function hasContent(path: string): Promise<boolean> {
  return (await withAuditFile(path, async (_, size) => size > 0, Number.POSITIVE_INFINITY)) ?? false;
}

/** The files of each session, in the order of their parts. */
export type AuditSessions = ReadonlyMap<string, readonly AuditFileName[]>;

/** The content of a session's files. */
export interface SessionRead {
  /** The number of lines up to the first that does not follow from the one before. */
  readonly size: number;
  /** The root of the tree of these lines. */
  readonly root: Buffer;
  /** The place at each requested size: the leaf hash of the last line in hex, its time, and the root. */
  readonly at: ReadonlyMap<number, SessionPlace>;
  /** Whether every line follows from the one before. */
  readonly isWhole: boolean;
  /** The time of the last line; empty if there is none. */
  readonly lastTime: string;
  /** The processes that wrote it, each with the line that names it. */
  readonly starts: readonly SessionStart[];
}

interface SessionPlace {
  readonly leaf: string;
  readonly root: Buffer;
  readonly time: string;
}

interface SessionStart {
  readonly seq: number;
  readonly pid: number;
  readonly time: string;
}

/** The ledger that the first line of a session names; null if it names none. */
export async function ledgerOf(folder: string, [first]: readonly AuditFileName[]): Promise<string | null> {
  let ledger: string | null = null;
  const take = (line: Buffer): boolean => {
    ledger = ledgerNamedAt(line, 0, line.length);
    return false;
  };
  if (first !== undefined) await eachLine(join(folder, first.name), take);
  return ledger;
}

/** Reads all files of a session in the order of their parts. */
export async function readSession(
  folder: string,
  files: readonly AuditFileName[],
  sizes: readonly number[] = [],
): Promise<SessionRead> {
  const tree = new GrowingTree();
  const at = new Map<number, SessionPlace>();
  const starts: SessionStart[] = [];
  let prev = firstPrev;
  let lastTime = '';
  let isWhole = true;
  for (const { name, session } of files) {
    await eachLine(join(folder, name), (line) => {
      const frame = frameOf(line);
      isWhole &&= frame?.name === session && frame.seq === tree.size + 1 && frame.prev === prev;
      if (frame === null || !isWhole) return false;
      const leaf = leafOf(line);
      tree.push(leaf);
      prev = leaf.toString('hex');
      lastTime = frame.time;
      if (sizes.includes(tree.size)) at.set(tree.size, { leaf: prev, root: tree.root(), time: frame.time });
      if (frame.kind === 'session-started') starts.push({ seq: frame.seq, pid: pidIn(line), time: frame.time });
      return true;
    });
  }
  return { size: tree.size, root: tree.root(), at, isWhole, lastTime, starts };
}

function pidIn(line: Buffer): number {
  return Number(/"pid":(\d{1,10})[,}]/.exec(line.toString('latin1'))?.[1] ?? 0);
}
