import type { AuditSlots, SecretSlots } from './auditSecrets.ts';

/** A number of lines, and the leaf hash of the last one in hex. */
export interface LinePlace {
  readonly size: number;
  readonly leaf: string;
}

/** The extent of a session that its window recorded. */
export interface SessionAnchor {
  /** The lines on the disk. */
  readonly reached: LinePlace;
  /** The lines that are being written: some of them may be on the disk. */
  readonly expected?: LinePlace;
}

/** The anchor of a session of this window, on its way to the secret storage. */
interface OwnAnchor {
  /** The lines that the storage knows. */
  stored: SessionAnchor;
  /** The anchor to store next. */
  next: SessionAnchor | undefined;
  storing: Promise<void> | undefined;
  /** Whether the storage has not answered for too long: nothing waits for it until it does. */
  isStuck: boolean;
  /** The lines that the storage does not know: the first number of each write, and its time in milliseconds since 1970. */
  written: readonly { readonly seq: number; readonly time: number }[];
}

/**
 * The maximum number of lines, and the maximum time, that the storage may not know before a request waits. They are half of
 * the limits of `isShortTail`: the storage may answer before the data is on its own disk.
 */
const maxUnknown = { lines: 4, ms: 2_500 } as const;
/** The maximum time in milliseconds for which a request waits for the storage. */
const maxWaitMs = 10_000;

/**
 * The position of each session, stored apart from its files. It shows whether lines were changed after a window was
 * killed and before they were signed. Set before and after each write. A request waits for it only if the storage is so slow
 * that too many lines would be unknown to it.
 */
export class SessionAnchors {
  readonly #secrets: SecretSlots;
  readonly #prefix: string;
  /** The sessions of this window. */
  readonly #ownAnchor = new Map<string, OwnAnchor>();
  readonly #maxWaitMs: number;

  constructor(secrets: SecretSlots, { sessions }: Pick<AuditSlots, 'sessions'>, waitMs = maxWaitMs) {
    this.#secrets = secrets;
    this.#prefix = sessions;
    this.#maxWaitMs = waitMs;
  }

  /** Call this before lines are written, with their time in milliseconds since 1970. Resolves when they may be written. */
  async expect(session: string, { size, leaf }: LinePlace, to: LinePlace, time: number): Promise<void> {
    const ownAnchor = this.#ownAnchorOf(session);
    ownAnchor.written = [...ownAnchor.written.filter(({ seq }) => seq <= size), { seq: size + 1, time }];
    this.#set(session, ownAnchor, { reached: { size, leaf }, expected: { size: to.size, leaf: to.leaf } });
    if (ownAnchor.storing === undefined || ownAnchor.isStuck) return;
    const known = knownOf(ownAnchor.stored, size);
    const [first = { time }] = ownAnchor.written.filter(({ seq }) => seq > known);
    if (to.size - known <= maxUnknown.lines && time - first.time <= maxUnknown.ms) return;
    ownAnchor.isStuck = await isSlow(ownAnchor.storing, this.#maxWaitMs);
  }

  /** Call this when lines are on the disk. */
  reach(session: string, { size, leaf }: LinePlace): void {
    this.#set(session, this.#ownAnchorOf(session), { reached: { size, leaf } });
  }

  /** Whether this window wrote the session. It was not killed then, even if the times in its lines suggest so. */
  isOwn(session: string): boolean {
    return this.#ownAnchor.has(session);
  }

  #ownAnchorOf(session: string): OwnAnchor {
    const nothing = { reached: { size: 0, leaf: '' } };
    const ownAnchor = this.#ownAnchor.get(session) ?? {
      stored: nothing,
      next: undefined,
      storing: undefined,
      isStuck: false,
      written: [],
    };
    this.#ownAnchor.set(session, ownAnchor);
    return ownAnchor;
  }

  /** Stores one anchor at a time: a newer one replaces the one that still waits. */
  #set(session: string, ownAnchor: OwnAnchor, anchor: SessionAnchor): void {
    ownAnchor.next = anchor;
    ownAnchor.storing ??= this.#store(session, ownAnchor);
  }

  async #store(session: string, ownAnchor: OwnAnchor): Promise<void> {
    for (let anchor = ownAnchor.next; anchor !== undefined; anchor = ownAnchor.next) {
      ownAnchor.next = undefined;
      // The lines exist without an anchor, too; the next start then records them as unvouched.
      const isStored = await this.#secrets.set(this.#prefix + session, wordsOf(anchor)).then(
        () => true,
        () => false,
      );
      ownAnchor.isStuck = false;
      if (!isStored) continue;
      ownAnchor.stored = anchor;
      const known = knownOf(anchor, anchor.reached.size);
      ownAnchor.written = ownAnchor.written.filter(({ seq }) => seq > known);
    }
    ownAnchor.storing = undefined;
  }

  /** Resolves when all anchors are stored. */
  async flush(): Promise<void> {
    await Promise.all([...this.#ownAnchor.values()].map(({ storing }) => storing));
  }

  async get(session: string): Promise<SessionAnchor | null> {
    const stored = (await this.#secrets.get(this.#prefix + session)) ?? '';
    const [, size, leaf = '', more, next = ''] =
      /^(\d{1,7}) ([0-9a-f]{64})(?: (\d{1,7}) ([0-9a-f]{64}))?$/.exec(stored) ?? [];
    if (size === undefined) return null;
    const reached = { size: Number(size), leaf };
    return more === undefined ? { reached } : { reached, expected: { size: Number(more), leaf: next } };
  }

  /** The sessions whose last lines are not known to be signed. */
  async sessions(): Promise<readonly string[]> {
    const slots = await this.#secrets.keys();
    return slots.flatMap((slot) => (slot.startsWith(this.#prefix) ? [slot.slice(this.#prefix.length)] : []));
  }

  /** The sessions of other windows that have written lines but have no files. `files` are the sessions with files. */
  async lost(files: () => Promise<{ has(session: string): boolean }>): Promise<readonly string[]> {
    const anchors = new Map<string, SessionAnchor | null>();
    for (const session of await this.sessions())
      if (!this.isOwn(session)) anchors.set(session, await this.get(session));
    // The files are listed after the anchors, because running windows add files.
    const existing = await files();
    return [...anchors].flatMap(([session, anchor]) =>
      anchor?.reached.size === 0 || existing.has(session) ? [] : [session],
    );
  }

  async delete(session: string): Promise<void> {
    await this.flush();
    await this.#secrets.delete(this.#prefix + session);
  }
}

function wordsOf({ reached, expected }: SessionAnchor): string {
  const places = expected === undefined ? [reached] : [reached, expected];
  return places.map(({ size, leaf }) => `${size} ${leaf}`).join(' ');
}

/** The number of lines that an anchor covers when `written` lines are on the disk. */
function knownOf({ reached, expected = reached }: SessionAnchor, written: number): number {
  return expected.size <= written ? expected.size : reached.size;
}

/** Whether a promise is not settled within a time. */
async function isSlow(promise: Promise<void>, ms: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(true), ms);
  const isLate = await Promise.race([promise.then(() => false), late]);
  clearTimeout(timer);
  return isLate;
}
