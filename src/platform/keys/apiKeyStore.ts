import type * as vscode from 'vscode';
import type { Endpoint } from '../../client/chat.ts';
import type { Connection } from '../../policy/connection.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { keyVariable } from '../../policy/managed/managedRules.ts';
import { ServiceError } from '../../util/errors.ts';
import { Lazy } from '../../util/lazy.ts';
import { ServiceClock } from '../../util/serviceClock.ts';
import type { HelperKeys } from './helper/helperKeys.ts';
import { type KeySource, type KeySources, keyIn, slotOf, slotPrefix } from './keySources.ts';

/**
 * API keys in SecretStorage, each for one connection's name and exact origin: a key is never used for another address. A key
 * of the environment or of a credential helper is not stored.
 */
export class ApiKeyStore implements vscode.Disposable {
  readonly sources: KeySources;
  /** The clocks of the services, by which keys expire. */
  readonly clock = new ServiceClock();
  readonly #secrets: vscode.SecretStorage;
  readonly #managed: () => ManagedState;
  readonly #helpers: Lazy<HelperKeys>;
  /** The helpers, as soon as one was needed. */
  #loaded: HelperKeys | undefined;

  constructor(
    secrets: vscode.SecretStorage,
    sources: KeySources,
    managed: () => ManagedState,
    loadHelpers: () => Promise<HelperKeys>,
  ) {
    this.#secrets = secrets;
    this.sources = sources;
    this.#managed = managed;
    this.#helpers = new Lazy(async () => {
      this.#loaded = await loadHelpers();
      return this.#loaded;
    });
  }

  /**
   * Returns the key, or undefined if there is none. Runs a credential helper if its key is not in memory, or expires soon. Throws
   * a ServiceError (`auth`, code `helper`) if it gives none.
   */
  async get(connection: Connection, signal = new AbortController().signal): Promise<string | undefined> {
    const source = this.sources.of(connection);
    if (source.is === 'stored') return this.#secrets.get(slotOf(connection));
    if (source.is === 'environment') return keyIn(source.variable);
    const key = await (await this.#helpers.get()).get(source, connection, signal);
    // The policy may have changed in the meantime.
    return this.#isStill(source, connection) ? key : this.get(connection, signal);
  }

  /** Whether get() returns without running a credential helper. */
  isReady(connection: Connection): boolean {
    const source = this.sources.of(connection);
    return source.is !== 'helper' || this.#loaded?.isReady(source, connection) === true;
  }

  /** Returns the identity of the credential helper that makes the keys of this connection, or null if there is none. */
  helperId(connection: Connection): string | null {
    const source = this.sources.of(connection);
    return source.is === 'helper' ? JSON.stringify(source) : null;
  }

  /** Returns the user or account that the key of a credential helper is for, or undefined if it is not known. */
  subjectOf(connection: Connection): string | undefined {
    const source = this.sources.of(connection);
    return source.is === 'helper' ? this.#loaded?.subjectOf(source, connection) : undefined;
  }

  /**
   * Returns the user or account that the credential helper printed with the key in memory, but only if the helper is that of the
   * managed policy: the user's own helper could name anyone. Returns undefined if none is known, or if `apiKey` is not that key.
   */
  identityOf(connection: Connection, apiKey?: string): string | undefined {
    const source = this.sources.of(connection);
    if (source.is !== 'helper' || source.by !== 'managed') return undefined;
    return this.#loaded?.subjectOf(source, connection, apiKey);
  }

  /** Returns a new key in place of one that the service refused, or null if no credential helper gives one. */
  async renew(connection: Connection, refused: string, signal: AbortSignal): Promise<string | null> {
    const source = this.sources.of(connection);
    if (source.is !== 'helper') return null;
    const key = await (await this.#helpers.get()).renew(source, connection, refused, signal);
    return this.#isStill(source, connection) ? key : null;
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
    const found = await Promise.all(this.sources.slots.map((slot) => this.#secrets.get(slot)));
    const others = [keyIn(keyVariable(this.#managed())), ...(this.#loaded?.all ?? [])];
    return [...found, ...others].filter((key) => key !== undefined);
  }

  async set(connection: Connection, key: string): Promise<void> {
    const slot = slotOf(connection);
    await this.#secrets.store(slot, key);
    await this.sources.setSlots([...new Set([...this.sources.slots, slot])]);
  }

  /** Returns false if no key was stored. Also forgets the keys of credential helpers. */
  async remove(connection: Connection): Promise<boolean> {
    const slot = slotOf(connection);
    // Another window may have stored or removed it: the slot is authoritative, not the list.
    const wasThere = (await this.#secrets.get(slot)) !== undefined;
    await this.#secrets.delete(slot);
    this.#loaded?.forget();
    await this.sources.setSlots(this.sources.slots.filter((known) => known !== slot));
    return wasThere;
  }

  /** Removes all keys; returns the origin of each. */
  async removeAll(): Promise<readonly string[]> {
    const { slots } = this.sources;
    for (const slot of slots) await this.#secrets.delete(slot);
    this.#loaded?.forget();
    await this.sources.setSlots([]);
    return slots.map(originOf);
  }

  dispose(): void {
    this.#loaded?.dispose();
  }

  #isStill(source: KeySource, connection: Connection): boolean {
    return JSON.stringify(this.sources.of(connection)) === JSON.stringify(source);
  }
}

function originOf(slot: string): string {
  const [, origin] = JSON.parse(slot.slice(slotPrefix.length)) as readonly [string | null, string];
  return origin;
}
