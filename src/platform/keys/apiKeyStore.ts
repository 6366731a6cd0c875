import * as vscode from 'vscode';
import type { Connection } from '../../policy/connection.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { keyVariable } from '../../policy/managed/managedRules.ts';
import { ServiceError } from '../../util/errors.ts';

const knownSlots = 'svc.keySlots';
const slotPrefix = 'svc.key ';

/**
 * API keys in SecretStorage, each for one connection's name and exact origin: a key is never used for another address. The
 * managed policy can name an environment variable instead, and the exact origin that its key is for; that key is not stored.
 * The list of filled slots is stored separately, so that no secret is read to report a missing key.
 */
export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;
  readonly #managed: () => ManagedState;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, state: vscode.Memento, managed: () => ManagedState) {
    this.#secrets = secrets;
    this.#state = state;
    this.#managed = managed;
    // Another window may have set or removed a key.
    this.#listening = secrets.onDidChange(({ key }) => {
      if (key.startsWith(slotPrefix)) this.#changed.fire();
    });
  }

  has(connection: Connection): boolean {
    return this.variableFor(connection) !== null || this.#slots().includes(slotOf(connection));
  }

  async get(connection: Connection): Promise<string | undefined> {
    return keyIn(this.variableFor(connection)) ?? this.#secrets.get(slotOf(connection));
  }

  /**
   * Returns the environment variable whose key is used for this connection, or null if no variable is named, or if it has no key.
   */
  variableFor(connection: Connection): string | null {
    const variable = keyVariable(this.#managed(), connection);
    return keyIn(variable) === undefined ? null : variable;
  }

  /** Returns the key. Throws a ServiceError (`auth`, code `no-key`) if there is no key. */
  async require(connection: Connection): Promise<string> {
    const key = await this.get(connection);
    if (key === undefined) throw new ServiceError('auth', 'No key is stored.', { code: 'no-key' });
    return key;
  }

  /** Returns the keys of all connections: the stored keys, and the key in the environment variable. */
  async all(): Promise<readonly string[]> {
    const found = await Promise.all(this.#slots().map((slot) => this.#secrets.get(slot)));
    return [...found, keyIn(keyVariable(this.#managed()))].filter((key) => key !== undefined);
  }

  async set(connection: Connection, key: string): Promise<void> {
    const slot = slotOf(connection);
    await this.#secrets.store(slot, key);
    await this.#state.update(knownSlots, [...new Set([...this.#slots(), slot])]);
    this.#changed.fire();
  }

  /** Returns false if there was no key. */
  async remove(connection: Connection): Promise<boolean> {
    const slot = slotOf(connection);
    // Another window may have stored or removed it: the slot is authoritative, not the list.
    const wasThere = (await this.#secrets.get(slot)) !== undefined;
    await this.#secrets.delete(slot);
    await this.#state.update(
      knownSlots,
      this.#slots().filter((known) => known !== slot),
    );
    this.#changed.fire();
    return wasThere;
  }

  /** Removes all keys; returns the origin of each. */
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

/** Returns the key in an environment variable, or undefined if it has no key that can be sent in a header. */
function keyIn(variable: string | null): string | undefined {
  const text = (process.env[variable ?? ''] ?? '').trim();
  return isKeyText(text) ? text : undefined;
}

function slotOf({ name, origin }: Connection): string {
  return slotPrefix + JSON.stringify([name, origin]);
}

function originOf(slot: string): string {
  const [, origin] = JSON.parse(slot.slice(slotPrefix.length)) as readonly [string | null, string];
  return origin;
}

/**
 * Returns whether a text can be a key. A header accepts only visible ASCII: no control, invisible or other characters.
 */
export function isKeyText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
