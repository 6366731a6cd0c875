import type { LedgerRecord, Removed } from '../../../evidence/ledgerRecords.ts';
import { append } from '../../../util/append.ts';
import type { SessionAnchors } from '../sessionAnchors.ts';
import { auditSessions } from '../sessionFiles.ts';
import type { LedgerView } from './ledger.ts';
import type { TurnWork } from './ledgerTurns.ts';
import { type OtherSessions, otherSessions } from './otherSessions.ts';
import { expiredSessions, removeSessions } from './removal.ts';

interface FolderWorkParts {
  readonly folder: string;
  readonly anchors: SessionAnchors;
  /** Returns the number of days for which ended sessions are kept, or undefined if they are never removed. */
  readonly keepDays: () => number | undefined;
  /** Returns whether the files of an old session may be removed: if they must be delivered, not before that. */
  readonly mayRemove: (files: readonly string[]) => Promise<boolean>;
  readonly now: () => Date;
}

const dayMs = 86_400_000;

/**
 * The work for other sessions of a folder: in a window's first turn, the sessions of killed windows are signed. Once a day,
 * sessions that are too old are removed.
 */
export class FolderWork implements TurnWork {
  readonly #parts: FolderWorkParts;
  /** Whether the next turn checks other sessions even if it is not the first. */
  #isAsked = false;
  /** The time in milliseconds of the last search for old sessions. */
  #retainedAt: number | undefined;
  /** Sessions whose anchors are no longer needed. */
  #signed: readonly string[] = [];
  /** Sessions that continue. */
  #begun: ReadonlySet<string> = new Set();
  #look: Pick<OtherSessions, 'unsure' | 'present'> | undefined;
  #looked = false;
  #removed: ReadonlySet<string> = new Set();

  constructor(parts: FolderWorkParts) {
    this.#parts = parts;
  }

  /** Call this before a verification or an export: the next turn then signs sessions that ended since the first one, too. */
  ask(): void {
    this.#isAsked = true;
    this.#look = undefined;
  }

  /** The result of the turn that was requested; undefined if it failed. */
  get look(): Pick<OtherSessions, 'unsure' | 'present'> | undefined {
    return this.#look;
  }

  async records(view: LedgerView): Promise<readonly LedgerRecord[]> {
    this.#looked = false;
    const { folder, anchors } = this.#parts;
    const records: LedgerRecord[] = [];
    if (view.isFirst || this.#isAsked) {
      const others = await otherSessions(folder, anchors, view);
      append(records, others.killed);
      // A running window signs its own lines soon, but a verification does not wait for it.
      if (this.#isAsked) append(records, others.begun);
      this.#signed = others.signed;
      this.#begun = new Set(others.begun.map(({ session }) => session));
      this.#look = others;
    }
    const old = await this.#old(view);
    this.#removed = new Set(old.map(({ session }) => session));
    return [...records, ...old.filter(({ session }) => !view.removed.has(session))];
  }

  async done(records: readonly LedgerRecord[]): Promise<void> {
    const { anchors } = this.#parts;
    this.#isAsked = false;
    for (const session of this.#signed) await anchors.delete(session);
    this.#signed = [];
    for (const record of records) {
      if (record.kind === 'head' && !this.#begun.has(record.session)) await anchors.delete(record.session);
    }
    if (this.#looked) this.#retainedAt = this.#parts.now().getTime();
    if (this.#removed.size > 0) await forgetSessions(this.#parts, this.#removed);
    this.#removed = new Set();
  }

  /** The sessions to remove, including sessions that a killed window has recorded as removed. */
  async #old(view: LedgerView): Promise<readonly Removed[]> {
    const { folder, keepDays, mayRemove, now } = this.#parts;
    const days = keepDays();
    const at = now().getTime();
    if (days === undefined || (this.#retainedAt !== undefined && at - this.#retainedAt < dayMs)) return [];
    this.#looked = true;
    const isOwn = (session: string): boolean => this.#parts.anchors.isOwn(session);
    return expiredSessions(folder, view, { days, now: now(), isOwn, mayRemove });
  }
}

/** Removes the files and the anchors of sessions. Returns the number of files. */
export async function forgetSessions(
  { folder, anchors }: Pick<FolderWorkParts, 'folder' | 'anchors'>,
  sessions: ReadonlySet<string>,
): Promise<number> {
  const before = await auditSessions(folder);
  const removed = await removeSessions(folder, sessions);
  for (const session of sessions) {
    if (before.has(session)) await anchors.delete(session);
  }
  return removed;
}
