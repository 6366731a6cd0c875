import type { Head } from '../../../evidence/ledgerRecords.ts';
import { isRunning } from '../auditRecovery.ts';
import type { LinePlace, SessionAnchor, SessionAnchors } from '../sessionAnchors.ts';
import { auditSessions, ledgerOf, readSession, type SessionRead } from '../sessionFiles.ts';
import type { LedgerView } from './ledger.ts';
import { headOf } from './ledgerTurns.ts';

export interface KilledSessions {
  readonly heads: readonly Head[];
  /** Sessions whose lines were all signed before, so that their anchor is not needed any more. */
  readonly signed: readonly string[];
}

/**
 * The heads of windows that were killed before they signed their last lines. A session that ended has no anchor. Where
 * the anchor fits the lines, they are those that the window wrote; else they were changed since, and the ledger says
 * that they are unanchored. So are those of a window whose anchor could never be stored. That a window still runs counts
 * only if it is said by lines that the anchor vouches for. An unreadable session is left for the next start.
 */
export async function killedSessions(
  folder: string,
  anchors: Pick<SessionAnchors, 'sessions' | 'get' | 'isOwn'>,
  { origin, heads, removed }: Pick<LedgerView, 'origin' | 'heads' | 'removed'>,
): Promise<KilledSessions> {
  const sessions = (await anchors.sessions()).filter((session) => !anchors.isOwn(session));
  const known = new Map<string, SessionAnchor | null>();
  for (const session of sessions) known.set(session, await anchors.get(session));
  // After the anchors: windows that run add files.
  const files = (await auditSessions(folder)).evidence;
  const found: Head[] = [];
  const signed: string[] = [];
  for (const [session, anchor] of known) {
    const { reached, expected = reached } = anchor ?? {};
    const sizes = [reached, expected].flatMap((place) => (place === undefined ? [] : [place.size]));
    const read = await readSession(folder, files.get(session) ?? [], sizes).catch(() => null);
    if (read?.size === 0 && (heads.has(session) || removed.has(session))) signed.push(session);
    if (read === null || read.size === 0 || (anchor !== null && stillRuns(read, anchor))) continue;
    const isFitting = anchor !== null && fits(read, anchor);
    if (isFitting && read.size === heads.get(session)?.size) signed.push(session);
    else found.push(headOf({ session, size: read.size, root: read.root }, isFitting ? 'recovered' : 'unanchored'));
  }
  for (const [session, parts] of files) {
    const isKnown = known.has(session) || heads.has(session) || removed.has(session) || anchors.isOwn(session);
    if (isKnown || (await ledgerOf(folder, parts).catch(() => null)) !== origin) continue;
    const read = await readSession(folder, parts).catch(() => null);
    if (read === null || read.size === 0 || read.starts.some(({ pid, time }) => isRunning(pid, time))) continue;
    found.push(headOf({ session, size: read.size, root: read.root }, 'unanchored'));
  }
  return { heads: found, signed };
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
