import { createHash } from 'node:crypto';
import { orAborted } from '../../util/orAborted.ts';

/** Storage that is separate from the files: VS Code's secret storage. */
export interface SecretSlots {
  get(slot: string): Promise<string | undefined>;
  set(slot: string, value: string): Promise<void>;
  delete(slot: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

/** The maximum time in milliseconds for reading a slot. It is shorter than the time for which another window waits for a lock. */
const maxReadMs = 20_000;

/**
 * Storage whose reads fail after a time. The page of a window has the storage: without a page, as when its browser was killed, the
 * window would hold the lock of the ledger for minutes. Writes have no limit, because one that is done late would undo a newer one.
 */
export function withReadLimit(slots: SecretSlots, limitMs = maxReadMs): SecretSlots {
  const noAnswer = (): Error => new Error('The secret storage does not answer.');
  return {
    get: (slot) => orAborted(slots.get(slot), AbortSignal.timeout(limitMs), noAnswer),
    set: (slot, value) => slots.set(slot, value),
    delete: (slot) => slots.delete(slot),
    keys: () => slots.keys(),
  };
}

/** The names of the slots that belong to one folder. */
export interface AuditSlots {
  /** The seed of the signing key in hex. While it is being replaced, the seed of the next one follows after a space. */
  readonly key: string;
  /** `<origin> <size> <root>`: the last known state of the ledger. */
  readonly ledger: string;
  /** The prefix of the slots of sessions. */
  readonly sessions: string;
}

/**
 * The secret storage is on the local machine, and shared by all profiles. So each folder has its own slots: otherwise two
 * folders would share a key, and sign two histories with it. `place` names the folder and its machine.
 */
export function auditSlots(place: string): AuditSlots {
  const scope = createHash('sha256').update(place).digest('hex').slice(0, 16);
  return {
    key: `svc.audit signing key ${scope}`,
    ledger: `svc.audit ledger ${scope}`,
    sessions: `svc.audit session ${scope} `,
  };
}
