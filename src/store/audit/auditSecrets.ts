import { createHash } from 'node:crypto';

/** What the host keeps apart from the files: VS Code's secret storage. */
export interface SecretSlots {
  get(slot: string): Promise<string | undefined>;
  set(slot: string, value: string): Promise<void>;
  delete(slot: string): Promise<void>;
  keys(): Promise<readonly string[]>;
}

/** The names of the slots that belong to one folder. */
export interface AuditSlots {
  /** The seed of the key that signs, in hex; while it is being replaced also that of the next, after a space. */
  readonly key: string;
  /** `<origin> <size> <root>`: how far the ledger is known to be. */
  readonly ledger: string;
  /** The beginning of the slots of sessions. */
  readonly sessions: string;
}

/**
 * The secret storage is on the side where the window is shown, and all profiles have the same one: each folder has its
 * own slots, or two folders would share a key and write two histories with it. `place` names the folder and its machine.
 */
export function auditSlots(place: string): AuditSlots {
  const scope = createHash('sha256').update(place).digest('hex').slice(0, 16);
  return {
    key: `svc.audit signing key ${scope}`,
    ledger: `svc.audit ledger ${scope}`,
    sessions: `svc.audit session ${scope} `,
  };
}
