import * as vscode from 'vscode';
import type { Endpoint } from '../../client/chat.ts';
import type { Connection } from '../../policy/connection.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { type KeyHelper, keyHelper, keyVariable } from '../../policy/managed/managedRules.ts';
import { ServiceError } from '../../util/errors.ts';
import { Lazy } from '../../util/lazy.ts';
import { ServiceClock } from '../../util/serviceClock.ts';
import type { HelperKeys } from './helper/helperKeys.ts';

const knownSlots = 'svc.keySlots';
const slotPrefix = 'svc.key ';

/** The source of the key of a connection. */
export type KeySource =
  | { readonly is: 'stored' }
  | { readonly is: 'environment'; readonly variable: string }
  | ({ readonly is: 'helper' } & KeyHelper);

/**
 * API keys in SecretStorage, each for one connection's name and exact origin: a key is never used for another address. The
 * managed policy can name an environment variable or a credential helper instead, and the user a helper; such a key is not
 * stored. The list of filled slots is stored separately, so that no secret is read to report a missing key.
 */
export class ApiKeyStore implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #state: vscode.Memento;
  readonly #managed: () => ManagedState;
  readonly #helpers: Lazy<HelperKeys>;
  /** The helpers, as soon as one was needed. */
  #loaded: HelperKeys | undefined;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;

  readonly onDidChange = this.#changed.event;
  /** The clocks of the services, by which keys expire. */
  readonly clock = new ServiceClock();

  constructor(
    secrets: vscode.SecretStorage,
    state: vscode.Memento,
    managed: () => ManagedState,
    loadHelpers: () => Promise<HelperKeys>,
  ) {
    this.#secrets = secrets;
    this.#state = state;
    this.#managed = managed;
    this.#helpers = new Lazy(async () => {
      this.#loaded = await loadHelpers();
      return this.#loaded;
    });
    // Another window may have set or removed a key.
    this.#listening = secrets.onDidChange(({ key }) => {
      if (key.startsWith(slotPrefix)) this.#changed.fire();
    });
  }

  has(connection: Connection): boolean {
    return this.sourceOf(connection).is !== 'stored' || this.#slots().includes(slotOf(connection));
  }

  /** Returns the one source of the key: what the managed policy names, otherwise what the user chose. */
  sourceOf(connection: Connection): KeySource {
    const managed = this.#managed();
    const helper = keyHelper(managed, connection);
    const variable = keyVariable(managed, connection);
    if (helper?.by !== 'managed' && variable !== null && keyIn(variable) !== undefined) {
      return { is: 'environment', variable };
    }
    return helper === null ? { is: 'stored' } : { is: 'helper', ...helper };
  }

  /**
   * Returns the key; undefined if there is none. Runs a credential helper if its key is not in memory, or expires soon: throws
   * a ServiceError (`auth`, code `helper`) if it gives none.
   */
  async get(connection: Connection, signal = new AbortController().signal): Promise<string | undefined> {
    const source = this.sourceOf(connection);
    if (source.is === 'stored') return this.#secrets.get(slotOf(connection));
    if (source.is === 'environment') return keyIn(source.variable);
    const key = await (await this.#helpers.get()).get(source, connection, signal);
    // The policy may have changed in the meantime.
    return sameSource(this.sourceOf(connection), source) ? key : this.get(connection, signal);
  }

  /** Whether get() returns without running a credential helper. */
  isReady(connection: Connection): boolean {
    const source = this.sourceOf(connection);
    return source.is !== 'helper' || this.#loaded?.isReady(source, connection) === true;
  }

  /** Returns what identifies the credential helper that makes the keys of this connection; null if there is none. */
  helperId(connection: Connection): string | null {
    const source = this.sourceOf(connection);
    return source.is === 'helper' ? JSON.stringify(source) : null;
  }

  /** Returns who the key of a credential helper is for, if the helper said so. */
  subjectOf(connection: Connection): string | undefined {
    const source = this.sourceOf(connection);
    return source.is === 'helper' ? this.#loaded?.subjectOf(source, connection) : undefined;
  }

  /** Returns another key in place of one that the service refused; null if no credential helper gives one. */
  async renew(connection: Connection, refused: string, signal: AbortSignal): Promise<string | null> {
    const source = this.sourceOf(connection);
    if (source.is !== 'helper') return null;
    const key = await (await this.#helpers.get()).renew(source, connection, refused, signal);
    return sameSource(this.sourceOf(connection), source) ? key : null;
  }

  /** Returns the target of a check. Throws a ServiceError (`auth`, code `no-key`) if there is no key. */
  async endpoint(connection: Connection, signal: AbortSignal): Promise<Endpoint> {
    const apiKey = await this.get(connection, signal);
    if (apiKey === undefined) throw new ServiceError('auth', 'No key is stored.', { code: 'no-key' });
    const { baseUrl } = connection;
    return { baseUrl, apiKey, renewKey: (refused) => this.renew(connection, refused, signal) };
  }

  /** Returns the keys of all connections: the stored keys, that of the environment variable, and those of helpers. */
  async all(): Promise<readonly string[]> {
    const found = await Promise.all(this.#slots().map((slot) => this.#secrets.get(slot)));
    const others = [keyIn(keyVariable(this.#managed())), ...(this.#loaded?.all ?? [])];
    return [...found, ...others].filter((key) => key !== undefined);
  }

  async set(connection: Connection, key: string): Promise<void> {
    const slot = slotOf(connection);
    await this.#secrets.store(slot, key);
    await this.#state.update(knownSlots, [...new Set([...this.#slots(), slot])]);
    this.#changed.fire();
  }

  /** Returns false if no key was stored. Also forgets the keys of credential helpers. */
  async remove(connection: Connection): Promise<boolean> {
    const slot = slotOf(connection);
    // Another window may have stored or removed it: the slot is authoritative, not the list.
    const wasThere = (await this.#secrets.get(slot)) !== undefined;
    await this.#secrets.delete(slot);
    this.#loaded?.forget();
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
    this.#loaded?.forget();
    this.#changed.fire();
    return slots.map(originOf);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#loaded?.dispose();
    this.#changed.dispose();
  }

  #slots(): readonly string[] {
    return this.#state.get<readonly string[]>(knownSlots, []);
  }
}

function sameSource(one: KeySource, other: KeySource): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
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
