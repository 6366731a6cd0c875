import type { Head } from '../../../evidence/ledgerRecords.ts';
import type { AuditFileName } from '../auditFiles.ts';
import { isRunning } from '../auditRecovery.ts';
import type { LinePlace, SessionAnchor, SessionAnchors } from '../sessionAnchors.ts';
import { auditSessions, ledgerOf, readSession, type SessionRead } from '../sessionFiles.ts';
import type { LedgerView } from './ledger.ts';
import { headOf } from './ledgerTurns.ts';

export interface OtherSessions {
  /** Of windows that were killed before they signed their last lines. */
  readonly killed: readonly Head[];
  /** Of windows that run and have signed nothing yet: their first lines. */
  readonly begun: readonly Head[];
  /** Windows that have just begun, or lines that only say so: nothing vouches for them yet. */
  readonly unsure: readonly string[];
  /** Sessions whose lines were all signed before, so that their anchor is not needed any more. */
  readonly signed: readonly string[];
  /** All sessions that had lines. */
  readonly present: ReadonlySet<string>;
}

/**
 * The sessions of other windows, as far as the ledger does not know them. A session that ended has no anchor. Where the
 * anchor of a killed window fits the lines, they are those that the window wrote; else they were changed since, and the
 * ledger says that they are unanchored. So are those of a window whose anchor could never be stored. That a window still
 * runs counts only if it is said by lines that the anchor vouches for. An unreadable session is left for the next start.
 */
export async function otherSessions(
  folder: string,
  anchors: Pick<SessionAnchors, 'sessions' | 'get' | 'isOwn'>,
  { origin, heads, removed }: Pick<LedgerView, 'origin' | 'heads' | 'removed'>,
): Promise<OtherSessions> {
  const sessions = (await anchors.sessions()).filter((session) => !anchors.isOwn(session));
  const known = new Map<string, SessionAnchor | null>();
  for (const session of sessions) known.set(session, await anchors.get(session));
  // After the anchors: windows that run add files.
  const { evidence: files, hmac } = await auditSessions(folder);
  const present = new Set([...files.keys(), ...hmac.keys()]);
  const [killed, begun, signed]: readonly [Head[], Head[], string[]] = [[], [], []];
  const unsure: string[] = [];
  for (const [session, anchor] of known) {
    const { read, is, reached } = await lookAt(folder, anchors, session, { anchor, files: files.get(session) ?? [] });
    const isKnown = heads.has(session) || removed.has(session);
    if (isEmpty(read)) present.delete(session);
    if (read?.size === 0 && isKnown) signed.push(session);
    if (read === null || read.size === 0) continue;
    if (is === 'recovered' && read.size === heads.get(session)?.size) signed.push(session);
    else if (is !== 'open') killed.push(headOf({ session, size: read.size, root: read.root }, is));
    else if (isKnown) continue;
    else if (reached === undefined) unsure.push(session);
    else begun.push(headOf({ session, ...reached }, 'start'));
  }
  for (const [session, parts] of files) {
    const isKnown = known.has(session) || heads.has(session) || removed.has(session) || anchors.isOwn(session);
    if (isKnown || (await ledgerOf(folder, parts).catch(() => null)) !== origin) continue;
    const read = await readSession(folder, parts).catch(() => null);
    if (isEmpty(read)) present.delete(session);
    if (read === null || read.size === 0) continue;
    if (read.starts.some(({ pid, time }) => isRunning(pid, time))) unsure.push(session);
    else killed.push(headOf({ session, size: read.size, root: read.root }, 'unanchored'));
  }
  return { killed, begun, unsure, signed, present };
}

/** Nothing was written yet, or a part of the first line. */
function isEmpty(read: SessionRead | null): boolean {
  return read?.size === 0 && read.isWhole;
}

interface Looked {
  /** Null if it cannot be read. */
  readonly read: SessionRead | null;
  /** `open`: its window runs, or ended by itself meanwhile. */
  readonly is: 'open' | 'recovered' | 'unanchored';
  /** The lines of a window that runs which are known to be on the disk. */
  readonly reached?: Pick<SessionRead, 'size' | 'root'> | undefined;
}

/**
 * How a session stands. Its window may go on between the look at its anchor and the look at its lines, and be killed then:
 * lines that do not fit count only if the anchor is still the same.
 */
async function lookAt(
  folder: string,
  anchors: Pick<SessionAnchors, 'get'>,
  session: string,
  { anchor, files }: { readonly anchor: SessionAnchor | null; readonly files: readonly AuditFileName[] },
): Promise<Looked> {
  const { reached, expected = reached } = anchor ?? {};
  const sizes = [reached, expected].flatMap((place) => (place === undefined ? [] : [place.size]));
  const read = await readSession(folder, files, sizes).catch(() => null);
  if (read === null || read.size === 0) return { read, is: 'open' };
  if (anchor === null) return { read, is: 'unanchored' };
  if (stillRuns(read, anchor)) return { read, is: 'open', reached: reachedIn(read, anchor) };
  if (fits(read, anchor)) return { read, is: 'recovered' };
  const later = await anchors.get(session);
  if (later === null) return { read, is: 'open' };
  if (isSame(later, anchor)) return { read, is: 'unanchored' };
  const { evidence } = await auditSessions(folder);
  return lookAt(folder, anchors, session, { anchor: later, files: evidence.get(session) ?? [] });
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

/** Of the lines of a window that runs only those are known for sure that were on the disk: the anchor comes later. */
function stillRuns(read: SessionRead, { reached }: SessionAnchor): boolean {
  const isNew = reached.size === 0;
  return (
    reaches(read, reached) && read.starts.some((at) => (isNew || at.seq <= reached.size) && isRunning(at.pid, at.time))
  );
}

function reaches({ at }: SessionRead, { size, leaf }: LinePlace): boolean {
  return size === 0 || at.get(size)?.leaf === leaf;
}

/** Whether the lines are those that were on the disk, and at most those that were being written after them. */
function fits(read: SessionRead, { reached, expected = reached }: SessionAnchor): boolean {
  if (!read.isWhole || read.size > expected.size || !reaches(read, reached)) return false;
  // A write that was cut short leaves some of its lines; a whole one must be the expected one.
  return read.size < expected.size || reaches(read, expected);
}
