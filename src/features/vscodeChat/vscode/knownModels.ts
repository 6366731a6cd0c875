import * as vscode from 'vscode';
import type { ModelEntry } from '../../../client/chat.ts';
import { requireManaged } from '../../../gate/admit.ts';
import type { KeySources } from '../../../platform/keys/keySources.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { allFolders } from '../../../platform/settings/settingsReader.ts';
import type { Connection } from '../../../policy/connection.ts';
import { isAllowedModel } from '../../../policy/managed/managedRules.ts';
import { isServiceError } from '../../../util/errors.ts';

const stateKey = 'svc.knownModels';
const modelKeys = ['svc.model.chat', 'svc.model.code', 'svc.model.review'] as const;
/** The maximum number of origins whose lists are stored. */
const maxOrigins = 10;

type Lists = Readonly<Record<string, readonly ModelEntry[]>>;

export interface OfferedModels {
  readonly host: string;
  readonly models: readonly ModelEntry[];
}

/** The last known list of models, for callers that must not trigger a request or read a secret. */
export class KnownModels {
  readonly #state: vscode.Memento;
  readonly #keys: KeySources;
  readonly #contextReader: RequestContextReader;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento, keys: KeySources, contextReader: RequestContextReader) {
    this.#state = state;
    this.#keys = keys;
    this.#contextReader = contextReader;
  }

  /** Returns the models of the current address that a request could name, or an empty list if no request could be sent. */
  offered(): OfferedModels {
    const about = { modelKey: 'svc.model.chat', folders: allFolders(), feature: 'languageModel' } as const;
    const { isTrusted, managed, connection } = this.#contextReader.requestContext(about);
    if (!isTrusted || !connection.ok || !this.#keys.has(connection.connection)) return { host: '', models: [] };
    try {
      requireManaged(managed, 'languageModel');
    } catch (error) {
      if (isServiceError(error)) return { host: '', models: [] };
      throw error;
    }
    const allowed = managed.state === 'in-force' ? managed.policy.allowedModels : undefined;
    const { origin, baseUrl } = connection.connection;
    const known = this.#lists()[origin] ?? this.#named();
    const models = known.filter(({ id }) => allowed === undefined || isAllowedModel(id, allowed));
    return { host: new URL(baseUrl).host, models };
  }

  /** Stores the list of the service. */
  async remember({ origin }: Connection, models: readonly ModelEntry[]): Promise<void> {
    const { [origin]: before, ...otherLists } = this.#lists();
    if (JSON.stringify(before) === JSON.stringify(models)) return;
    const keptLists = Object.entries(otherLists).slice(0, maxOrigins - 1);
    await this.#state.update(stateKey, Object.fromEntries([[origin, models], ...keptLists]));
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #lists(): Lists {
    return this.#state.get<Lists>(stateKey, {});
  }

  /** Returns the models that the settings name, which are used until the service has listed its models. */
  #named(): readonly ModelEntry[] {
    const ids = modelKeys.flatMap((modelKey) => {
      const { options } = this.#contextReader.requestContext({ modelKey, folders: allFolders() });
      return options.ok ? [options.options.model] : [];
    });
    return [...new Set(ids)].map((id) => ({ id }));
  }
}
