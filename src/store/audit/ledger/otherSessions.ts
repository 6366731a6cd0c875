import type { Head } from '../../../evidence/ledgerRecords.ts';
import { type AuditFileName, listAuditFiles } from '../auditFiles.ts';
import { isRunning } from '../auditRecovery.ts';
import type { LinePlace, SessionAnchor, SessionAnchors } from '../sessionAnchors.ts';
import { auditSessions, ledgerOf, readSession, type SessionRead } from '../sessionFiles.ts';
import type { LedgerView } from './ledger.ts';
import { headOf } from './ledgerTurns.ts';

export interface OtherSessions {
  /** Of windows that were killed before they signed their last lines. */
  readonly killed: readonly Head[];
  /** The first lines of running windows that have not signed anything yet. */
  readonly begun: readonly Head[];
  /** Sessions of windows that have just started, or that only seem to: nothing vouches for them yet. */
  readonly unsure: readonly string[];
  /** Sessions whose lines were all signed before, so that their anchors are no longer needed. */
  readonly signed: readonly string[];
  /** All sessions that had lines when the anchors were looked at. */
  readonly present: ReadonlySet<string>;
}

/**
 * The sessions of other windows that the ledger does not know completely. A session that ended has no anchor. If the
 * anchor of a killed window matches the lines, they are those that the window wrote; otherwise they were changed since,
 * and are recorded as unanchored. So are those of a window whose anchor could never be stored. A window counts as running
 * only if lines that the anchor vouches for name its process. An unreadable session is left for the next start.
 */
export async function otherSessions(
  folder: string,
  anchors: Pick<SessionAnchors, 'sessions' | 'get' | 'isOwn'>,
  { origin, heads, removed }: Pick<LedgerView, 'origin' | 'heads' | 'removed'>,
): Promise<OtherSessions> {
  // What begins later than this look at the anchors cannot be judged by them.
  const before = new Set((await listAuditFiles(folder)).map(({ session }) => session));
  const sessions = (await anchors.sessions()).filter((session) => !anchors.isOwn(session));
  const known = new Map<string, SessionAnchor | null>();
  for (const session of sessions) known.set(session, await anchors.get(session));
  // Listed after the anchors, because running windows add files.
  const { evidence: files, hmac } = await auditSessions(folder);
  const present = new Set([...files.keys(), ...hmac.keys()].filter((session) => before.has(session)));
  const [killed, begun, signed, unsure]: readonly [Head[], Head[], string[], string[]] = [[], [], [], []];
  const take = (session: string, anchor: SessionAnchor | null, { read, is, reached }: Looked): void => {
    const head = heads.get(session);
    const isKnown = head !== undefined || removed.has(session);
    if (isEmpty(read)) present.delete(session);
    if (read?.size === 0 && isKnown) signed.push(session);
    if (read === null || read.size === 0) return;
    const all = headOf({ session, size: read.size, root: read.root }, is === 'open' ? 'start' : is);
    // The anchor of a window that ended is deleted after the ledger has all of its lines.
    const isEnded = anchor === null && head?.size === read.size && head.root === all.root;
    if (isEnded || (is === 'recovered' && head?.size === read.size)) signed.push(session);
    else if (is !== 'open') killed.push(all);
    else if (isKnown) return;
    else if (reached === undefined) unsure.push(session);
    else begun.push(headOf({ session, ...reached }, 'start'));
  };
  for (const [session, anchor] of known)
    take(session, anchor, await lookAt(folder, anchors, session, { anchor, files: files.get(session) ?? [] }));
  for (const [session, parts] of files) {
    const isKnown = known.has(session) || heads.has(session) || removed.has(session) || anchors.isOwn(session);
    if (isKnown || (await ledgerOf(folder, parts).catch(() => null)) !== origin) continue;
    // Its window may have begun after the first look, and may have been killed since.
    const anchor = await anchors.get(session);
    const looked =
      anchor === null ? lookWithout(folder, parts) : lookAt(folder, anchors, session, { anchor, files: parts });
    take(session, anchor, await looked);
  }
  return { killed, begun, unsure, signed, present };
}

/** How a session stands that has no anchor: one that says that its window runs may still get one. */
async function lookWithout(folder: string, files: readonly AuditFileName[]): Promise<Looked> {
  const read = await readSession(folder, files).catch(() => null);
  return { read, is: read?.starts.some(({ pid, time }) => isRunning(pid, time)) === true ? 'open' : 'unanchored' };
}

/** Nothing was written yet, or only a part of the first line. */
function isEmpty(read: SessionRead | null): boolean {
  return read?.size === 0 && read.isWhole;
}

interface Looked {
  /** Null if it cannot be read. */
  readonly read: SessionRead | null;
  /** `open`: its window is running, or has ended its session meanwhile. */
  readonly is: 'open' | 'recovered' | 'unanchored';
  /** The lines of a running window that are known to be on the disk. */
  readonly reached?: Pick<SessionRead, 'size' | 'root'> | undefined;
}

/**
 * How a session stands. Its window may go on between the look at its anchor and the look at its lines, and be killed then.
 * So it is judged by what is there once its window is known to be gone (`isOver`), and lines that do not fit count only if
 * the anchor is still the same.
 */
async function lookAt(
  folder: string,
  anchors: Pick<SessionAnchors, 'get'>,
  session: string,
  { anchor, files }: { readonly anchor: SessionAnchor | null; readonly files: readonly AuditFileName[] },
  isOver = false,
): Promise<Looked> {
  const { reached, expected = reached } = anchor ?? {};
  const sizes = [reached, expected].flatMap((place) => (place === undefined ? [] : [place.size]));
  const read = await readSession(folder, files, sizes).catch(() => null);
  if (read === null || read.size === 0) return { read, is: 'open' };
  if (anchor === null) return { read, is: 'unanchored' };
  if (!isOver && stillRuns(read, anchor)) return { read, is: 'open', reached: reachedIn(read, anchor) };
  if (isOver && fits(read, anchor)) return { read, is: 'recovered' };
  const later = await anchors.get(session);
  if (later === null) return { read, is: 'open' };
  if (isOver && isSame(later, anchor)) return { read, is: 'unanchored' };
  const { evidence } = await auditSessions(folder);
  return lookAt(folder, anchors, session, { anchor: later, files: evidence.get(session) ?? [] }, true);
}

function isSame(one: SessionAnchor, other: SessionAnchor): boolean {
  const placeOf = ({ size, leaf }: LinePlace): string => `${size} ${leaf}`;
  const placesOf = ({ reached, expected = reached }: SessionAnchor): string =>
    `${placeOf(reached)} ${placeOf(expected)}`;
  return placesOf(one) === placesOf(other);
}

function reachedIn({ at }: SessionRead, { reached: { size } }: SessionAnchor): Looked['reached'] {
  const root = at.get(size)?.root;
  return root === undefined ? undefined : { size, root };
}

/** Whether its window is running, according to lines that the anchor covers: it is set after the lines are on the disk. */
function stillRuns(read: SessionRead, { reached }: SessionAnchor): boolean {
  const isNew = reached.size === 0;
  return (
    reaches(read, reached) && read.starts.some((at) => (isNew || at.seq <= reached.size) && isRunning(at.pid, at.time))
  );
}

function reaches({ at }: SessionRead, { size, leaf }: LinePlace): boolean {
  return size === 0 || at.get(size)?.leaf === leaf;
}

/** Whether the lines are those that were on the disk, followed by at most those that were being written. */
function fits(read: SessionRead, { reached, expected = reached }: SessionAnchor): boolean {
  if (!read.isWhole || read.size > expected.size || !reaches(read, reached)) return false;
  // An interrupted write leaves only some of its lines; a complete write must have the expected leaf.
  return read.size < expected.size || reaches(read, expected);
}
