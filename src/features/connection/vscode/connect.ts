import * as vscode from 'vscode';
import type { ServiceClient } from '../../../client/serviceClient.ts';
import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import type { KeySource } from '../../../platform/keys/keySources.ts';
import { asText } from '../../../platform/messages/asText.ts';
import { cardText } from '../../../platform/messages/cardWords.ts';
import { describeNumber } from '../../../platform/messages/describeNumber.ts';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import { stepDone } from '../../../platform/messages/firstStep.ts';
import type { Outcomes } from '../../../platform/messages/outcomes.ts';
import { showWarning } from '../../../platform/messages/show.ts';
import { type Failure, failureOf, notAsked, withProgress } from '../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { readLayers } from '../../../platform/settings/settingsReader.ts';
import { requireTrust } from '../../../platform/settings/trust.ts';
import { writeSetting } from '../../../platform/settings/writeSetting.ts';
import { type Connection, resolveConnection } from '../../../policy/connection.ts';
import type { ManagedState } from '../../../policy/managed/managedPolicy.ts';
import { onlyOrigin } from '../../../policy/managed/managedRules.ts';
import { resolveSetting } from '../../../policy/resolveSetting.ts';
import type { AuditEntry } from '../../../send/audit.ts';
import { isServiceError, ServiceError } from '../../../util/errors.ts';
import { type AddressProblem, askAddress } from './askAddress.ts';
import { askKey } from './askKey.ts';

const t = vscode.l10n.t;

interface ConnectParts {
  readonly keys: ApiKeyStore;
  readonly contextReader: RequestContextReader;
  readonly managed: () => ManagedState;
  readonly client: () => Promise<ServiceClient>;
  /** Records the action in the audit log. */
  readonly note: (entry: AuditEntry) => Promise<void>;
  readonly outcomes: Outcomes;
  /** Opens the panel with the focus in its composer. */
  readonly openChat: () => Promise<void>;
}

/** Manages the address of the service and its key, and checks both. */
export class ConnectCommands {
  readonly #keys: ApiKeyStore;
  readonly #contextReader: RequestContextReader;
  readonly #managed: ConnectParts['managed'];
  readonly #note: ConnectParts['note'];
  readonly #client: () => Promise<ServiceClient>;
  readonly #outcomes: Outcomes;
  readonly #openChat: () => Promise<void>;

  constructor({ keys, contextReader, managed, client, note, outcomes, openChat }: ConnectParts) {
    this.#keys = keys;
    this.#contextReader = contextReader;
    this.#managed = managed;
    this.#note = note;
    this.#client = client;
    this.#outcomes = outcomes;
    this.#openChat = openChat;
  }

  /**
   * Asks for a key (and first for the address, if none is set) and validates it at the service before it replaces the old
   * key. Does not ask if the key comes from the environment or a credential helper. `{ source: 'environment' }` reads SVC_API_KEY
   * without asking.
   */
  async setApiKey(options?: {
    readonly source?: 'environment' | undefined;
  }): Promise<{ ok: true; validated: boolean } | Failure> {
    try {
      // This is checked before any question, because the address is written to the settings, and the key is sent for
      // validation.
      requireTrust();
      const typed = await this.#askAddress();
      const connection = typed ?? this.#contextReader.requireConnection();
      if (this.#keys.sources.of(connection).is !== 'stored') return await this.#useProvided();
      const key = await askKey(connection, typed !== undefined, options?.source);
      if (key === undefined) return notAsked();
      // The managed policy may have changed while the user was asked.
      this.#contextReader.requireAllowed(connection);
      if (!key.startsWith('svc_ent_')) {
        this.#outcomes.warning(
          t('This key does not start with svc_ent_, the prefix of enterprise keys. You can still use it.'),
        );
      }
      const validated = await this.#validate(connection, key);
      if (validated === null) return notAsked();
      await this.#keys.set(connection, key);
      await this.#note({ kind: 'key-set', origin: connection.origin });
      if (validated) stepDone('connected');
      await this.#openChat();
      const host = new URL(connection.baseUrl).host;
      this.#outcomes.info(
        validated
          ? t('The API key for {0} is valid and was stored.', host)
          : t('The API key for {0} was stored without a check.', host),
      );
      return { ok: true, validated };
    } catch (error) {
      return this.#failed(error, () => this.setApiKey(options));
    }
  }

  /** Checks the key of the environment or of a credential helper, and does not store it. */
  async #useProvided(): Promise<{ ok: true; validated: boolean } | Failure> {
    const checked = await this.validateToken();
    if (!checked.ok) return checked;
    await this.#openChat();
    return { ok: true, validated: true };
  }

  async removeApiKey(): Promise<{ ok: true } | Failure> {
    try {
      const connection = this.#contextReader.requireConnection();
      const { host } = new URL(connection.baseUrl);
      const wasThere = await this.#keys.remove(connection);
      if (wasThere) await this.#note({ kind: 'key-removed', origin: connection.origin });
      this.#outcomes.info(
        wasThere ? t('The API key for {0} was removed.', host) : t('No API key is stored for {0}.', host),
      );
      return { ok: true };
    } catch (error) {
      return this.#failed(error);
    }
  }

  async selectConnection(): Promise<{ ok: true; connection: string | null } | Failure> {
    try {
      return await chooseConnection();
    } catch (error) {
      return this.#failed(error);
    }
  }

  async checkHealth(): Promise<{ ok: true; status: number; durationMs: number } | Failure> {
    try {
      const { baseUrl } = this.#contextReader.requireConnection();
      const { host } = new URL(baseUrl);
      const result = await withProgress(t('Checking {0}…', host), async (signal) => {
        const client = await this.#client();
        const apiKey = await this.#keys.get(this.#contextReader.requireConnection(), signal);
        const health = await client.health({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }, signal);
        return { ok: true as const, status: health.status, durationMs: Math.round(health.durationMs) };
      });
      const { status, durationMs } = result;
      this.#outcomes.info(t('{0} is available: {1} in {2} ms.', host, status, describeNumber(durationMs)));
      return result;
    } catch (error) {
      return this.#failed(error, () => this.checkHealth());
    }
  }

  async validateToken(): Promise<{ ok: true } | Failure> {
    try {
      const connection = this.#contextReader.requireConnection();
      const { host } = new URL(connection.baseUrl);
      await withProgress(t('Checking the API key at {0}…', host), async (signal) => {
        const client = await this.#client();
        await client.validateToken(await this.#keys.endpoint(connection, signal), signal);
      });
      stepDone('connected');
      this.#outcomes.info(validWords(this.#keys.sources.of(connection), host));
      return { ok: true };
    } catch (error) {
      const isMissing = isServiceError(error) && error.code === 'no-key';
      return this.#failed(error, isMissing ? undefined : () => this.validateToken());
    }
  }

  /**
   * Asks for svc.baseUrl if no address is set, and stores it. Returns undefined if an address was set already. Throws an
   * aborted error if the user closes the box.
   */
  async #askAddress(): Promise<Connection | undefined> {
    const resolved = resolveConnection(readLayers([]));
    if (resolved.ok || !resolved.unset) return undefined;
    const connection = await askAddress(onlyOrigin(this.#managed()), (typed, signal) =>
      this.#checkAddress(typed, signal),
    );
    if (connection === undefined) throw new ServiceError('aborted', 'No address was given.', { code: 'aborted' });
    await writeSetting('svc.baseUrl', connection.baseUrl, vscode.ConfigurationTarget.Global);
    return connection;
  }

  /** Asks the service for its status, if the administrator allows the address. */
  async #checkAddress(connection: Connection, signal: AbortSignal): Promise<AddressProblem | null> {
    const { baseUrl } = connection;
    let canBeUsed = false;
    try {
      this.#contextReader.requireAllowed(connection);
      canBeUsed = true;
      await (await this.#client()).health({ baseUrl }, signal);
      return null;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      const card = describeError(error, { host: new URL(baseUrl).host, canRetry: false, canContinue: false });
      return { text: asText(card === null ? '' : canBeUsed ? card.title : cardText(card)), canBeUsed };
    }
  }

  /**
   * Returns true if the key is valid, false if it could not be checked and the user stores it anyway, and null if it is not
   * to be stored.
   */
  async #validate({ baseUrl }: Connection, apiKey: string): Promise<boolean | null> {
    const { host } = new URL(baseUrl);
    try {
      const client = await this.#client();
      await withProgress(t('Checking the API key at {0}…', host), (signal) =>
        client.validateToken({ baseUrl, apiKey }, signal),
      );
      return true;
    } catch (error) {
      if (!isServiceError(error)) throw error;
      // A web page of a firewall or proxy does not mean that the key is invalid.
      if ((error.kind === 'auth' || error.kind === 'permission') && error.code !== 'page') throw error;
      if (error.kind === 'aborted') return null;
      const store = t('Store Anyway');
      const message = t(
        '{0} could not check the key ({1}). Store it without a check?',
        host,
        describeError(error, { host, canRetry: false, canContinue: false })?.title ?? '',
      );
      return (await showWarning(message, { modal: true }, store)) === store ? false : null;
    }
  }

  #failed(error: unknown, retry?: () => unknown): Failure {
    if (!isServiceError(error)) throw error;
    const resolved = resolveConnection(readLayers([]));
    const host = resolved.ok ? new URL(resolved.connection.baseUrl).host : t('the service');
    this.#outcomes.failure(error, host, retry);
    return failureOf(error);
  }
}

function validWords(source: KeySource, host: string): string {
  switch (source.is) {
    case 'stored':
      return t('The API key for {0} is valid.', host);
    case 'environment':
      return t('The API key for {0} is valid. It comes from the environment variable {1}.', host, source.variable);
    case 'helper':
      return t(
        'The API key for {0} is valid. It comes from the credential helper {1}.',
        host,
        source.helper.command[0],
      );
  }
}

const checkIcon = new vscode.ThemeIcon('check');

/** Lets the user choose among the named connections and writes the choice to the settings. */
async function chooseConnection(): Promise<{ ok: true; connection: string | null } | Failure> {
  const layers = readLayers([]);
  const listed = resolveSetting(layers, 'svc.connections');
  const connections = (listed.ok ? listed.value : []) as readonly { name: string; baseUrl: string }[];
  const current = resolveSetting(layers, 'svc.connection');
  const plain = resolveSetting(layers, 'svc.baseUrl');
  const items = [
    {
      name: null,
      label: t('Default'),
      description: asText(String((plain.ok && plain.value) || t('svc.baseUrl is not set'))),
    },
    ...connections.map(({ name, baseUrl }) => ({ name, label: asText(name), description: asText(baseUrl) })),
  ].map((item) => ({
    ...item,
    ...(current.ok && (current.value || null) === item.name ? { iconPath: checkIcon } : {}),
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Connection in this workspace'),
    placeHolder: t('Add connections in svc.connections in your user settings'),
  });
  if (chosen === undefined) return notAsked();
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await writeSetting('svc.connection', chosen.name ?? '', target);
  return { ok: true, connection: chosen.name };
}
