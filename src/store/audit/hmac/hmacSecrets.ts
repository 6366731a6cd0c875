import type { SecretSlots } from '../auditSecrets.ts';
import type { HmacAnchor } from './hmacVerify.ts';

const keySlot = 'svc.audit key';
const anchorPrefix = 'svc.audit anchor ';

/** The key of the HMACs, and the length of each session: read as long as there are files with HMACs. */
export class HmacSecrets {
  readonly #secrets: SecretSlots;

  constructor(secrets: SecretSlots) {
    this.#secrets = secrets;
  }

  /** 32 bytes; null if it no longer exists. */
  async key(): Promise<Uint8Array | null> {
    const stored = (await this.#secrets.get(keySlot)) ?? '';
    return /^[0-9a-f]{64}$/.test(stored) ? Buffer.from(stored, 'hex') : null;
  }

  async anchors(): Promise<ReadonlyMap<string, HmacAnchor>> {
    const anchors = new Map<string, HmacAnchor>();
    for (const slot of await this.#secrets.keys()) {
      if (!slot.startsWith(anchorPrefix)) continue;
      const [, count, head] = /^(\d+) ([0-9a-f]{64})$/.exec((await this.#secrets.get(slot)) ?? '') ?? [];
      if (head !== undefined) anchors.set(slot.slice(anchorPrefix.length), { count: Number(count), head });
    }
    return anchors;
  }

  /** Deletes the secrets of sessions whose files no longer exist, and the key if no session is left. */
  async forget(sessions: readonly string[]): Promise<void> {
    for (const session of sessions) await this.#secrets.delete(anchorPrefix + session);
    const slots = await this.#secrets.keys();
    if (!slots.some((slot) => slot.startsWith(anchorPrefix))) await this.#secrets.delete(keySlot);
  }
}
