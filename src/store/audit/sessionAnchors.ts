import type { AuditSlots, SecretSlots } from './auditSecrets.ts';

/** A number of lines, and the leaf hash of the last of them in hex. */
export interface LinePlace {
  readonly size: number;
  readonly leaf: string;
}

/** The extent of a session, as its window recorded it. */
export interface SessionAnchor {
  /** The lines on the disk. */
  readonly reached: LinePlace;
  /** The lines that are being written: some of them may be on the disk. */
  readonly expected?: LinePlace;
}

/**
 * The position of each session, stored apart from its files. It shows whether lines were changed after a window was
 * killed and before they were signed. Set before and after each write, without waiting, so that requests do not wait.
 */
export class SessionAnchors {
  readonly #secrets: SecretSlots;
  readonly #prefix: string;
  /** The sessions of this window. */
  readonly #own = new Set<string>();
  #setting: Promise<unknown> = Promise.resolve();

  constructor(secrets: SecretSlots, { sessions }: Pick<AuditSlots, 'sessions'>) {
    this.#secrets = secrets;
    this.#prefix = sessions;
  }

  /** Call this before lines are written. */
  expect(session: string, { size, leaf }: LinePlace, to: LinePlace): void {
    this.#set(session, `${size} ${leaf} ${to.size} ${to.leaf}`);
  }

  /** Call this when lines are on the disk. */
  reach(session: string, { size, leaf }: LinePlace): void {
    this.#set(session, `${size} ${leaf}`);
  }

  /** Whether this window wrote the session. It was not killed then, even if the times in its lines suggest so. */
  isOwn(session: string): boolean {
    return this.#own.has(session);
  }

  #set(session: string, value: string): void {
    this.#own.add(session);
    // The lines exist without an anchor, too; the next start then records them as unanchored.
    const set = this.#secrets.set(this.#prefix + session, value).catch(() => undefined);
    this.#setting = Promise.all([this.#setting, set]);
  }

  /** Resolves when all anchors are stored. */
  async flush(): Promise<void> {
    await this.#setting;
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
    // Listed after the anchors, because running windows add files.
    const there = await files();
    return [...anchors].flatMap(([session, anchor]) =>
      anchor?.reached.size === 0 || there.has(session) ? [] : [session],
    );
  }

  async delete(session: string): Promise<void> {
    await this.flush();
    await this.#secrets.delete(this.#prefix + session);
  }
}
