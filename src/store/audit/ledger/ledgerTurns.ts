import type { Head, LedgerRecord } from '../../../evidence/ledgerRecords.ts';
import type { DisposableLike } from '../../../util/disposable.ts';
import type { SessionPosition } from '../auditLine.ts';
import type { PlacedSession } from '../auditLog.ts';
import type { SessionAnchors } from '../sessionAnchors.ts';
import type { Ledger, LedgerEnd, LedgerView } from './ledger.ts';

export type TurnReason = Exclude<Head['why'], 'recovered' | 'unanchored'>;

/** The work of a turn in addition to the heads of this window's sessions. */
export interface TurnWork {
  /** Called under the lock. */
  records(view: LedgerView): Promise<readonly LedgerRecord[]>;
  /** Called when these records are signed. */
  done(records: readonly LedgerRecord[]): Promise<void>;
}

export interface LedgerTurnsParts {
  readonly ledger: Pick<Ledger, 'turn'>;
  readonly anchors: Pick<SessionAnchors, 'delete'>;
  /** The position of the current session on the disk; null before its first line. */
  readonly position: () => PlacedSession | null;
  /** Returns whether the ledger of a session is this one or a predecessor. After a purge of both, it is not. */
  readonly isOf: (session: PlacedSession, view: LedgerView) => Promise<boolean>;
  readonly work: TurnWork;
  readonly onDidSign: () => void;
  /** Called when a turn failed. The next one signs its lines. */
  readonly onDidFail: (error: unknown) => void;
  /** The maximum time in milliseconds for which a line stays unsigned; default 5 minutes. */
  readonly delayMs?: number | undefined;
  /** The maximum number of unsigned lines; default 256. */
  readonly maxUnsigned?: number | undefined;
}

/**
 * Decides when this window writes into the ledger: at a session's first record, after a number of lines or some minutes,
 * at the end of a file or session, and on request. Turns run one at a time, and requests do not wait for them. No timer
 * runs while everything is signed.
 */
export class LedgerTurns implements DisposableLike {
  readonly #parts: LedgerTurnsParts;
  /** The last signed head of the current session. */
  #head: { readonly session: string; readonly size: number } | undefined;
  /** The ended sessions whose last head is not signed yet. */
  #ended: readonly PlacedSession[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  /** The turn that waits for the running one. */
  #waiting: Promise<LedgerEnd | null> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: LedgerTurnsParts) {
    this.#parts = parts;
  }

  /** The number of lines of this window that are on the disk and not signed yet. */
  get unsigned(): number {
    return [...this.#ended, this.#parts.position()].reduce((sum, at) => sum + (at === null ? 0 : this.#since(at)), 0);
  }

  /** Call this when lines are on the disk. `isDue`: they must be signed immediately. */
  wrote(isDue: boolean): void {
    const { delayMs = 300_000, maxUnsigned = 256 } = this.#parts;
    const position = this.#parts.position();
    if (position === null) return;
    if (this.#head?.session !== position.session) void this.take('start');
    else if (isDue || this.unsigned >= maxUnsigned) void this.take('lines');
    else this.#timer ??= setTimeout(() => void this.take('time'), delayMs).unref();
  }

  /** Call this when no more lines follow in a session. */
  ended(position: PlacedSession): void {
    this.#ended = [...this.#ended, position];
    void this.take('end');
  }

  /** Signs everything that is on the disk now. Returns null if that was not possible: the lines stay unsigned for now. */
  take(why: TurnReason): Promise<LedgerEnd | null> {
    // A turn that has not begun yet signs these lines, too.
    this.#waiting ??= this.#turn.then(() => {
      this.#waiting = undefined;
      const turn = this.#run(why).catch((error: unknown) => {
        this.#parts.onDidFail(error);
        return null;
      });
      this.#turn = turn;
      return turn;
    });
    return this.#waiting;
  }

  /** Resolves when no turn is running or waiting. */
  async settled(): Promise<void> {
    await this.#waiting;
    await this.#turn;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(why: TurnReason): Promise<LedgerEnd | null> {
    this.dispose();
    const { ledger, work, anchors } = this.#parts;
    let position: PlacedSession | null = null;
    let ended: readonly PlacedSession[] = [];
    let more: readonly LedgerRecord[] = [];
    try {
      const end = await ledger.turn(async (view) => {
        more = await work.records(view);
        ended = this.#ended;
        position = this.#parts.position();
        const heads = ended.map((at) => [at, headOf(at, 'end')] as const);
        const ownHead =
          position === null || this.#since(position) === 0 ? [] : [[position, this.#headOf(position, why)] as const];
        return [...more, ...(await this.#ofLedger([...heads, ...ownHead], view))];
      });
      this.#signed(position, ended);
      for (const { session } of ended) await anchors.delete(session);
      await work.done(more);
      this.#parts.onDidSign();
      return end;
    } finally {
      // Lines may have been written in the meantime, or may still be unsigned.
      if (this.unsigned > 0)
        this.#timer ??= setTimeout(() => void this.take('time'), this.#parts.delayMs ?? 300_000).unref();
    }
  }

  async #ofLedger(heads: readonly (readonly [PlacedSession, Head])[], view: LedgerView): Promise<readonly Head[]> {
    const found: Head[] = [];
    for (const [session, head] of heads) if (await this.#parts.isOf(session, view)) found.push(head);
    return found;
  }

  #signed(position: SessionPosition | null, ended: readonly PlacedSession[]): void {
    if (position !== null) this.#head = { session: position.session, size: position.size };
    this.#ended = this.#ended.filter((at) => !ended.includes(at));
  }

  #headOf(position: SessionPosition, why: TurnReason): Head {
    const isFirst = this.#head?.session !== position.session;
    return headOf(position, isFirst ? 'start' : why === 'start' || why === 'end' ? 'lines' : why);
  }

  #since({ session, size }: SessionPosition): number {
    return size - (this.#head?.session === session ? this.#head.size : 0);
  }
}

export function headOf({ session, size, root }: SessionPosition, why: Head['why']): Head {
  return { kind: 'head', session, size, root: root.toString('base64'), why };
}
