import * as vscode from 'vscode';
import type { Connection } from '../../policy/connection.ts';

const knownSlots = 'svc.keySlots';
const slotPrefix = 'svc.key ';

/**
 * API keys in SecretStorage, each for one connection's name and exact origin: another address never gets them. Which
 * slots are filled is remembered apart, so that nothing needs to read a secret to say that a key is missing.
 */
export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, state: vscode.Memento) {
    this.#secrets = secrets;
    this.#state = state;
    // Another window may have set or removed a key.
    this.#listening = secrets.onDidChange(({ key }) => {
      if (key.startsWith(slotPrefix)) this.#changed.fire();
    });
  }

  has(connection: Connection): boolean {
    return this.#slots().includes(slotOf(connection));
  }

  async get(connection: Connection): Promise<string | undefined> {
    return this.#secrets.get(slotOf(connection));
  }

  /** Every stored key, whatever connection it is for. */
  async all(): Promise<readonly string[]> {
    const found = await Promise.all(this.#slots().map((slot) => this.#secrets.get(slot)));
    return found.filter((key) => key !== undefined);
  }

  async set(connection: Connection, key: string): Promise<void> {
    const slot = slotOf(connection);
    await this.#secrets.store(slot, key);
    await this.#state.update(knownSlots, [...new Set([...this.#slots(), slot])]);
    this.#changed.fire();
  }

  /** False where there was none. */
  async remove(connection: Connection): Promise<boolean> {
    const slot = slotOf(connection);
    // Another window may have stored or removed it: what is in the slot says so, not what is remembered.
    const wasThere = (await this.#secrets.get(slot)) !== undefined;
    await this.#secrets.delete(slot);
    await this.#state.update(
      knownSlots,
      this.#slots().filter((known) => known !== slot),
    );
    this.#changed.fire();
    return wasThere;
  }

  /** Removes all keys; returns the origin that each was for. */
  async removeAll(): Promise<readonly string[]> {
    const slots = this.#slots();
    for (const slot of slots) await this.#secrets.delete(slot);
    await this.#state.update(knownSlots, []);
    this.#changed.fire();
    return slots.map(originOf);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }

  #slots(): readonly string[] {
    return this.#state.get<readonly string[]>(knownSlots, []);
  }
}

function slotOf({ name, origin }: Connection): string {
  return slotPrefix + JSON.stringify([name, origin]);
}

function originOf(slot: string): string {
  const [, origin] = JSON.parse(slot.slice(slotPrefix.length)) as readonly [string | null, string];
  return origin;
}

/** Can this text be a key? A header takes visible ASCII alone: no control, invisible or other character. */
export function isKeyText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
