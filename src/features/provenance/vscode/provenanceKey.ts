import { randomBytes } from 'node:crypto';
import type * as vscode from 'vscode';
import { withFolderLock } from '../../../store/lock.ts';

const slot = 'svc.provenance key';

/** The key of this machine for the lines of accepted code. It is stored in SecretStorage and nowhere else. */
export class ProvenanceKey {
  readonly #secrets: vscode.SecretStorage;
  readonly #folder: string;
  /** The search for the key that is in progress, which is shared by callers at the same time. */
  #found: Promise<Buffer> | undefined;

  /** `folder` is used only for the lock. */
  constructor(secrets: vscode.SecretStorage, folder: string) {
    this.#secrets = secrets;
    this.#folder = folder;
  }

  /** Returns the key of 32 bytes, which is created on first use. */
  get(): Promise<Buffer> {
    this.#found ??= this.#find().finally(() => {
      this.#found = undefined;
    });
    return this.#found;
  }

  async #find(): Promise<Buffer> {
    const stored = await this.stored();
    if (stored !== null) return stored;
    // Two windows that need the key for the first time must not both create one.
    return withFolderLock(this.#folder, 'key.lock', async () => {
      const key = (await this.stored()) ?? randomBytes(32);
      await this.#secrets.store(slot, key.toString('hex'));
      return key;
    });
  }

  /** Returns the stored key, or null if there is none. */
  async stored(): Promise<Buffer | null> {
    const stored = await this.#secrets.get(slot);
    return stored !== undefined && /^[0-9a-f]{64}$/.test(stored) ? Buffer.from(stored, 'hex') : null;
  }

  async forget(): Promise<void> {
    await this.#secrets.delete(slot);
  }
}
