import * as vscode from 'vscode';
import type { ServiceClient } from '../../client/serviceClient.ts';
import { type Connection, parseBaseUrl, resolveConnection } from '../../policy/connection.ts';
import { resolveSetting } from '../../policy/resolveSetting.ts';
import type { AuditEntry } from '../../session/dispatch/audit.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { asText } from '../asText.ts';
import { stepDone } from '../chatView/firstSteps.ts';
import { type ApiKeyStore, isKeyText } from '../config/apiKeyStore.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import { readLayers } from '../config/settingsReader.ts';
import { requireTrust } from '../config/trust.ts';
import { writeSetting } from '../config/writeSetting.ts';
import { describeAllowed } from '../messages/describeAllowed.ts';
import { describeError } from '../messages/describeError.ts';
import { describeNumber } from '../messages/describeNumber.ts';
import { showError, showInformation, showWarning } from '../messages/show.ts';
import {
  type Failure,
  failureOf,
  notAsked,
  showFailure,
  withErrorReporting,
  withProgress,
} from '../messages/withErrorReporting.ts';

const t = vscode.l10n.t;

export interface ConnectParts {
  readonly keys: ApiKeyStore;
  readonly contextReader: RequestContextReader;
  readonly client: () => Promise<ServiceClient>;
  /** Records the action in the audit log. */
  readonly note: (entry: AuditEntry) => Promise<void>;
}

/** Manages the address of the service and its key, and checks both. */
export class ConnectCommands {
  readonly #keys: ApiKeyStore;
  readonly #contextReader: RequestContextReader;
  readonly #note: ConnectParts['note'];
  readonly #client: () => Promise<ServiceClient>;

  constructor({ keys, contextReader, client, note }: ConnectParts) {
    this.#keys = keys;
    this.#contextReader = contextReader;
    this.#note = note;
    this.#client = client;
  }

  /**
   * Asks for a key (and first for the address, where none is set) and validates it at the service before it replaces
   * the old key. `{ source: 'environment' }` reads SVC_API_KEY without asking.
   */
  async setApiKey(options?: {
    readonly source?: 'environment' | undefined;
  }): Promise<{ ok: true; validated: boolean } | Failure> {
    try {
      // Before any question: the address is written to the settings, and the key is sent for validation.
      requireTrust();
      const connection = (await this.#askBaseUrl()) ?? this.#contextReader.requireConnection();
      const key = await askKey(connection, options?.source);
      if (key === undefined) return notAsked();
      if (!key.startsWith('svc_ent_')) {
        void showWarning(
          t('This key does not begin with svc_ent_, as keys for enterprise use do. It is used all the same.'),
        );
      }
      const validated = await this.#validate(connection, key);
      if (validated === null) return notAsked();
      await this.#keys.set(connection, key);
      await this.#note({ kind: 'key-set', origin: connection.origin });
      if (validated) stepDone('connected');
      const host = new URL(connection.baseUrl).host;
      void showInformation(
        validated
          ? t('The API key for {0} is valid and stored.', host)
          : t('The API key for {0} is stored, unchecked.', host),
      );
      return { ok: true, validated };
    } catch (error) {
      return failed(error, () => this.setApiKey(options));
    }
  }

  async removeApiKey(): Promise<{ ok: true } | Failure> {
    try {
      const connection = this.#contextReader.requireConnection();
      const { host } = new URL(connection.baseUrl);
      const wasThere = await this.#keys.remove(connection);
      if (wasThere) await this.#note({ kind: 'key-removed', origin: connection.origin });
      void showInformation(
        wasThere
          ? t('The API key for {0} is removed from this machine.', host)
          : t('No API key is stored for {0}.', host),
      );
      return { ok: true };
    } catch (error) {
      return failed(error);
    }
  }

  async selectConnection(): Promise<{ ok: true; connection: string | null } | Failure> {
    try {
      requireTrust('settings');
      return await chooseConnection();
    } catch (error) {
      return failed(error);
    }
  }

  async checkHealth(): Promise<{ ok: true; status: number; durationMs: number } | Failure> {
    try {
      const { baseUrl } = this.#contextReader.requireConnection();
      const { host } = new URL(baseUrl);
      const result = await withErrorReporting(t('Checking {0}…', host), host, async (signal) => {
        const client = await this.#client();
        const apiKey = await this.#keys.get(this.#contextReader.requireConnection());
        const health = await client.health({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }, signal);
        return { ok: true as const, status: health.status, durationMs: Math.round(health.durationMs) };
      });
      if (result.ok) {
        void showInformation(t('{0} is up: {1} in {2} ms.', host, result.status, describeNumber(result.durationMs)));
      }
      return result;
    } catch (error) {
      return failed(error);
    }
  }

  async validateToken(): Promise<{ ok: true } | Failure> {
    try {
      const connection = this.#contextReader.requireConnection();
      const { host } = new URL(connection.baseUrl);
      const apiKey = await this.#keys.get(connection);
      if (apiKey === undefined) {
        return failed(new ServiceError('auth', 'No key is stored.', { code: 'no-key' }));
      }
      const result = await withErrorReporting(t('Validating the key at {0}…', host), host, async (signal) => {
        const client = await this.#client();
        await client.validateToken({ baseUrl: connection.baseUrl, apiKey }, signal);
        return { ok: true as const };
      });
      if (result.ok) {
        stepDone('connected');
        void showInformation(t('The API key for {0} is valid.', host));
      }
      return result;
    } catch (error) {
      return failed(error);
    }
  }

  async #askBaseUrl(): Promise<Connection | undefined> {
    const typed = await askBaseUrl();
    return typed === undefined ? undefined : this.#contextReader.requireAllowed(typed);
  }

  /** true: valid. false: could not be checked, and the user stores it anyway. null: not to be stored. */
  async #validate({ baseUrl }: Connection, apiKey: string): Promise<boolean | null> {
    const { host } = new URL(baseUrl);
    try {
      const client = await this.#client();
      await withProgress(t('Validating the key at {0}…', host), (signal) =>
        client.validateToken({ baseUrl, apiKey }, signal),
      );
      return true;
    } catch (error) {
      if (!isServiceError(error) || error.kind === 'auth' || error.kind === 'permission') throw error;
      if (error.kind === 'aborted') return null;
      const store = t('Store Anyway');
      const message = t(
        '{0} could not check the key ({1}). A key that is stored now stays unless you replace it.',
        host,
        describeError(error, { host, canRetry: false, canContinue: false })?.title ?? '',
      );
      return (await showWarning(message, { modal: true }, store)) === store ? false : null;
    }
  }
}

const check = new vscode.ThemeIcon('check');

function failed(error: unknown, retry?: () => unknown): Failure {
  if (!isServiceError(error)) throw error;
  const resolved = resolveConnection(readLayers([]));
  void showFailure(error, resolved.ok ? new URL(resolved.connection.baseUrl).host : t('the service'), retry);
  return failureOf(error);
}

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
  ].map((item) => ({ ...item, ...(current.ok && current.value === item.name ? { iconPath: check } : {}) }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Connection in use here'),
    placeHolder: t('Add more in svc.connections in your user settings'),
  });
  if (chosen === undefined) return notAsked();
  const target =
    vscode.workspace.workspaceFolders === undefined
      ? vscode.ConfigurationTarget.Global
      : vscode.ConfigurationTarget.Workspace;
  await writeSetting('svc.connection', chosen.name, target);
  return { ok: true, connection: chosen.name };
}

/**
 * Asks for svc.baseUrl where no address is set and returns the new connection; undefined where an address was set
 * already.
 */
async function askBaseUrl(): Promise<Connection | undefined> {
  const resolved = resolveConnection(readLayers([]));
  if (resolved.ok || !resolved.unset) return undefined;
  const raw = await vscode.window.showInputBox({
    title: t('Address of the Svc service'),
    prompt: t('With its path prefix /api/v1. It is stored in your user settings as svc.baseUrl.'),
    placeHolder: 'https://svc.example.com/api/v1',
    ignoreFocusOut: true,
    validateInput: (text) =>
      parseBaseUrl(text.trim()) === null ? t('Allowed: {0}.', describeAllowed({ kind: 'baseUrl' })) : null,
  });
  const parsed = raw === undefined ? null : parseBaseUrl(raw.trim());
  if (parsed === null) return undefined;
  await writeSetting('svc.baseUrl', parsed.baseUrl, vscode.ConfigurationTarget.Global);
  return { name: null, ...parsed };
}

async function askKey({ baseUrl }: Connection, source?: 'environment'): Promise<string | undefined> {
  const fromEnvironment = (process.env.SVC_API_KEY ?? '').trim();
  if (source === 'environment' || (fromEnvironment !== '' && (await wantsEnvironment()))) {
    if (isKeyText(fromEnvironment)) return fromEnvironment;
    void showError(
      t(
        'The environment variable SVC_API_KEY holds no usable key: it is empty, or has characters other than visible ASCII.',
      ),
    );
    return undefined;
  }
  const typed = await vscode.window.showInputBox({
    title: t('API key for {0}', new URL(baseUrl).host),
    prompt: t('It goes to {0} and nowhere else.', new URL(baseUrl).origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) =>
      text.trim() === '' || isKeyText(text.trim())
        ? null
        : t('A key has visible ASCII characters only; this text has a space, a control or an invisible character.'),
  });
  const key = typed?.trim();
  return key === '' ? undefined : key;
}

async function wantsEnvironment(): Promise<boolean> {
  const use = t('Use SVC_API_KEY from the environment');
  const chosen = await vscode.window.showQuickPick([use, t('Type a key')], {
    title: t('API key'),
    ignoreFocusOut: true,
  });
  return chosen === use;
}
