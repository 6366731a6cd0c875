import type { Head } from '../../../evidence/ledgerRecords.ts';
import { isShortTail } from '../../../evidence/unvouched.ts';
import { type AuditFileName, listAuditFiles } from '../auditFiles.ts';
import { isRunning } from '../auditRecovery.ts';
import type { LinePlace, SessionAnchor, SessionAnchors } from '../sessionAnchors.ts';
import { auditSessions, ledgerOf, readSession, type SessionRead } from '../sessionFiles.ts';
import type { LedgerView } from './ledger.ts';
import type { SignedHead } from './ledgerState.ts';
import { headOf } from './ledgerTurns.ts';

export interface OtherSessions {
  /** The heads of sessions whose windows were killed before they signed their last lines. */
  readonly killed: readonly Head[];
  /** The heads of the first lines of running windows that have not signed anything yet. */
  readonly begun: readonly Head[];
  /** Sessions of windows that have just started, or that only seem to: nothing vouches for them yet. */
  readonly unsure: readonly string[];
  /** Sessions whose lines were all signed before, so that their anchors are no longer needed. */
  readonly signed: readonly string[];
  /** All sessions that had lines when the anchors were read. */
  readonly present: ReadonlySet<string>;
}

/**
 * The sessions of other windows that the ledger does not know completely. A session that ended has no anchor. If the anchor of
 * a killed window, or its last head, matches the lines, the window itself wrote them. A few lines may follow that the secret
 * storage did not know yet: the ledger records them as unvouched. Lines that do not match, or more of them, are recorded as
 * unanchored. A window is treated as running only if lines that the anchor vouches for name its process. An unreadable session is
 * left for the next start.
 */
export async function otherSessions(
  folder: string,
  anchors: Pick<SessionAnchors, 'sessions' | 'get' | 'isOwn'>,
  { origin, heads, removed }: Pick<LedgerView, 'origin' | 'heads' | 'removed'>,
): Promise<OtherSessions> {
  // Sessions that begin after the anchors are read cannot be judged by them.
  const before = new Set((await listAuditFiles(folder)).map(({ session }) => session));
  const sessions = (await anchors.sessions()).filter((session) => !anchors.isOwn(session));
  const known = new Map<string, SessionAnchor | null>();
  for (const session of sessions) known.set(session, await anchors.get(session));
  // The files are listed after the anchors, because running windows add files.
  const files = await auditSessions(folder);
  const present = new Set([...files.keys()].filter((session) => before.has(session)));
  const [killed, begun, signed, unsure]: readonly [Head[], Head[], string[], string[]] = [[], [], [], []];
  const take = (session: string, anchor: SessionAnchor | null, { read, is, reached, vouched }: SessionState): void => {
    const head = heads.get(session);
    const isKnown = head !== undefined || removed.has(session);
    if (isEmpty(read)) present.delete(session);
    if (read?.size === 0 && isKnown) signed.push(session);
    if (read === null || read.size === 0) return;
    const all = headOf({ session, size: read.size, root: read.root }, is === 'open' ? 'start' : is);
    // The anchor of a window that ended is deleted after the ledger has all of its lines.
    const isEnded = anchor === null && head?.size === read.size && head.root === all.root;
    if (isEnded || (is === 'recovered' && head?.size === read.size)) signed.push(session);
    else if (is !== 'open') {
      if (vouched !== undefined && vouched.size > (head?.size ?? 0))
        killed.push(headOf({ session, ...vouched }, 'recovered'));
      killed.push(all);
    } else if (isKnown) return;
    else if (reached === undefined) unsure.push(session);
    else begun.push(headOf({ session, ...reached }, 'start'));
  };
  for (const [session, anchor] of known)
    take(
      session,
      anchor,
      await stateOf(folder, anchors, session, { anchor, files: files.get(session) ?? [], head: heads.get(session) }),
    );
  for (const [session, parts] of files) {
    const isKnown = known.has(session) || heads.has(session) || removed.has(session) || anchors.isOwn(session);
    if (isKnown || (await ledgerOf(folder, parts).catch(() => null)) !== origin) continue;
    // The session's window may have begun after the anchors were read, and may have been killed since.
    const anchor = await anchors.get(session);
    const state =
      anchor === null
        ? stateWithoutAnchor(folder, parts)
        : stateOf(folder, anchors, session, { anchor, files: parts, head: undefined });
    take(session, anchor, await state);
  }
  return { killed, begun, unsure, signed, present };
}

/** The state of a session that has no anchor: a session that names a running process may still get one. */
async function stateWithoutAnchor(folder: string, files: readonly AuditFileName[]): Promise<SessionState> {
  const read = await readSession(folder, files, [1]).catch(() => null);
  if (read === null || read.size === 0) return { read, is: 'open' };
  const isOpen = read.starts.some(({ pid, time }) => isRunning(pid, time));
  return isOpen ? { read, is: 'open' } : judge(read, null, undefined);
}

/** Whether nothing was written yet, or only a part of the first line. */
function isEmpty(read: SessionRead | null): boolean {
  return read?.size === 0 && read.isWhole;
}

interface SessionState {
  /** The content of the session's files; null if it cannot be read. */
  readonly read: SessionRead | null;
  /** The state of the session. `open`: its window is running, or has ended the session in the meantime. */
  readonly is: 'open' | 'recovered' | 'unvouched' | 'unanchored';
  /** The lines that are known, if the session is `unvouched`. */
  readonly vouched?: Pick<SessionRead, 'size' | 'root'> | undefined;
  /** The lines of a running window that are known to be on the disk. */
  readonly reached?: Pick<SessionRead, 'size' | 'root'> | undefined;
}

/**
 * The state of a session. Its window may continue after its anchor is read and before its lines are read, and be killed then. So
 * the files are read again once the window is known to have ended (`hasEnded`), and lines that do not match are reported only if
 * the anchor is still the same.
 */
async function stateOf(
  folder: string,
  anchors: Pick<SessionAnchors, 'get'>,
  session: string,
  { anchor, files, head }: Found,
  hasEnded = false,
): Promise<SessionState> {
  const { reached, expected = reached } = anchor ?? {};
  const sizes = [reached?.size ?? 0, expected?.size ?? 0, head?.size ?? 0].flatMap((size) => [size, size + 1]);
  const read = await readSession(folder, files, sizes).catch(() => null);
  if (read === null || read.size === 0) return { read, is: 'open' };
  if (anchor === null) return judge(read, null, head);
  if (!hasEnded && stillRuns(read, anchor)) return { read, is: 'open', reached: reachedIn(read, anchor) };
  const judged = judge(read, anchor, head);
  if (hasEnded && judged.is === 'recovered') return judged;
  const later = await anchors.get(session);
  if (later === null) return { read, is: 'open' };
  if (hasEnded && isSame(later, anchor)) return judged;
  const sessions = await auditSessions(folder);
  return stateOf(folder, anchors, session, { anchor: later, files: sessions.get(session) ?? [], head }, true);
}

interface Found {
  readonly anchor: SessionAnchor | null;
  readonly files: readonly AuditFileName[];
  /** The last head of the session. */
  readonly head: SignedHead | undefined;
}

/**
 * Judges the lines of a window that has ended by the anchor in the secret storage and the head in the ledger. The anchor may
 * be older than the last lines, because a request does not wait for it.
 */
function judge(read: SessionRead, anchor: SessionAnchor | null, head: SignedHead | undefined): SessionState {
  const { reached = { size: 0, leaf: '' }, expected = reached } = anchor ?? {};
  if (!read.isWhole || !reaches(read, reached)) return { read, is: 'unanchored' };
  const isSigned = head !== undefined && read.at.get(head.size)?.root.toString('base64') === head.root;
  const size = Math.max(reached.size, reaches(read, expected) ? expected.size : 0, isSigned ? head.size : 0);
  if (size === read.size) return { read, is: 'recovered' };
  const from = Date.parse(read.at.get(size + 1)?.time ?? '');
  if (!isShortTail(read.size - size, from, Date.parse(read.lastTime))) return { read, is: 'unanchored' };
  const root = read.at.get(size)?.root;
  return { read, is: 'unvouched', vouched: root === undefined ? undefined : { size, root } };
}

function isSame(one: SessionAnchor, other: SessionAnchor): boolean {
  const placeOf = ({ size, leaf }: LinePlace): string => `${size} ${leaf}`;
  const placesOf = ({ reached, expected = reached }: SessionAnchor): string =>
    `${placeOf(reached)} ${placeOf(expected)}`;
  return placesOf(one) === placesOf(other);
}

function reachedIn(read: SessionRead, { reached, expected = reached }: SessionAnchor): SessionState['reached'] {
  // The storage may not know yet that the lines that were being written are on the disk.
  const { size } = reaches(read, expected) ? expected : reached;
  const root = read.at.get(size)?.root;
  return root === undefined ? undefined : { size, root };
}

/** Whether a session's window is running, according to lines that the anchor covers, which are on the disk. */
function stillRuns(read: SessionRead, { reached }: SessionAnchor): boolean {
  const isNew = reached.size === 0;
  return (
    reaches(read, reached) && read.starts.some((at) => (isNew || at.seq <= reached.size) && isRunning(at.pid, at.time))
  );
}

function reaches({ at }: SessionRead, { size, leaf }: LinePlace): boolean {
  return size === 0 || at.get(size)?.leaf === leaf;
}
