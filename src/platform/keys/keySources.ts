import * as vscode from 'vscode';
import type { Connection } from '../../policy/connection.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { type KeyHelper, keyHelper, keyVariable } from '../../policy/managed/managedRules.ts';

const knownSlots = 'svc.keySlots';
export const slotPrefix = 'svc.key ';

/** The source of the key of a connection. */
export type KeySource =
  | { readonly is: 'stored' }
  | { readonly is: 'environment'; readonly variable: string }
  | ({ readonly is: 'helper' } & KeyHelper);

/**
 * The sources of the keys, without the keys. The managed policy can name an environment variable or a credential helper, and the
 * user a helper; otherwise, the key is stored. The list of filled slots is stored separately, so that no secret is read to report
 * a missing key.
 */
export class KeySources implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #managed: () => ManagedState;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;

  readonly onDidChange = this.#changed.event;

  constructor(secrets: vscode.SecretStorage, state: vscode.Memento, managed: () => ManagedState) {
    this.#state = state;
    this.#managed = managed;
    // Another window may have set or removed a key.
    this.#listening = secrets.onDidChange(({ key }) => {
      if (key.startsWith(slotPrefix)) this.#changed.fire();
    });
  }

  /** Whether there is a key, or a program that prints one. */
  has(connection: Connection): boolean {
    return this.of(connection).is !== 'stored' || this.slots.includes(slotOf(connection));
  }

  /** Returns the one source of the key: what the managed policy names, otherwise what the user chose. */
  of(connection: Connection): KeySource {
    const managed = this.#managed();
    // The policy names a variable or a helper, not both.
    const variable = keyVariable(managed, connection);
    if (variable !== null && keyIn(variable) !== undefined) return { is: 'environment', variable };
    const helper = keyHelper(managed, connection);
    return helper === null ? { is: 'stored' } : { is: 'helper', ...helper };
  }

  get slots(): readonly string[] {
    return this.#state.get<readonly string[]>(knownSlots, []);
  }

  async setSlots(slots: readonly string[]): Promise<void> {
    await this.#state.update(knownSlots, slots);
    this.#changed.fire();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}

/** Returns the key in an environment variable, or undefined if it has no key that can be sent in a header. */
export function keyIn(variable: string | null): string | undefined {
  const text = (process.env[variable ?? ''] ?? '').trim();
  return isKeyText(text) ? text : undefined;
}

export function slotOf({ name, origin }: Connection): string {
  return slotPrefix + JSON.stringify([name, origin]);
}

/**
 * Returns whether a text can be a key. A header accepts only visible ASCII: no control, invisible or other characters.
 */
export function isKeyText(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
