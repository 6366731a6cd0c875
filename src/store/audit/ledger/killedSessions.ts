import type { Head } from '../../../evidence/ledgerRecords.ts';
import { isRunning } from '../auditRecovery.ts';
import type { SessionAnchor, SessionAnchors } from '../sessionAnchors.ts';
import { auditSessions, readSession, type SessionRead } from '../sessionFiles.ts';
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
 * that they are unanchored. An unreadable session is left for the next start.
 */
export async function killedSessions(
  folder: string,
  anchors: Pick<SessionAnchors, 'sessions' | 'get' | 'isOwn'>,
  { heads }: Pick<LedgerView, 'heads'>,
): Promise<KilledSessions> {
  const sessions = (await anchors.sessions()).filter((session) => !anchors.isOwn(session));
  if (sessions.length === 0) return { heads: [], signed: [] };
  const files = (await auditSessions(folder)).evidence;
  const found: Head[] = [];
  const signed: string[] = [];
  for (const session of sessions) {
    const anchor = await anchors.get(session);
    const { reached, expected = reached } = anchor ?? {};
    const sizes = [reached, expected].flatMap((place) => (place === undefined ? [] : [place.size]));
    const read = await readSession(folder, files.get(session) ?? [], sizes).catch(() => null);
    if (read?.size === 0 && heads.has(session)) signed.push(session);
    if (read === null || read.size === 0 || read.starts.some(({ pid, time }) => isRunning(pid, time))) continue;
    const isFitting = anchor !== null && fits(read, anchor);
    if (isFitting && read.size === heads.get(session)?.size) signed.push(session);
    else found.push(headOf({ session, size: read.size, root: read.root }, isFitting ? 'recovered' : 'unanchored'));
  }
  return { heads: found, signed };
}

/** Whether the lines are those that were on the disk, and at most those that were being written after them. */
function fits({ size, at, isWhole }: SessionRead, { reached, expected = reached }: SessionAnchor): boolean {
  const is = (place: { readonly size: number; readonly leaf: string }): boolean =>
    place.size === 0 || at.get(place.size)?.leaf === place.leaf;
  if (!isWhole || size < reached.size || size > expected.size || !is(reached)) return false;
  // A write that was cut short leaves some of its lines; a whole one must be the expected one.
  return size < expected.size || is(expected);
}
