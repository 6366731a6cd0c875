import * as vscode from 'vscode';
import { createServiceClient, type ServiceClient } from '../../../src/client/serviceClient.ts';
import { maskText, scanText } from '../../../src/gate/secrets/scanner.ts';
import { ExcludedContent } from '../../../src/platform/excludedContent/excludedContent.ts';
import { ApiKeyStore } from '../../../src/platform/keys/apiKeyStore.ts';
import { KeySources } from '../../../src/platform/keys/keySources.ts';
import { RequestContextReader } from '../../../src/platform/settings/requestContextReader.ts';
import { whyExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import type { ManagedPolicy } from '../../../src/policy/managed/managedPolicy.ts';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { createDispatch, type Dispatch } from '../../../src/send/dispatch.ts';
import type { Logger } from '../../../src/util/logger.ts';
import { inForce, openPolicy } from '../../tools/managedPolicy.ts';
import { key } from './stage.ts';

const silent: Logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

const noSecrets: vscode.SecretStorage = {
  get: async () => undefined,
  store: async () => {},
  delete: async () => {},
  keys: async () => [],
  onDidChange: new vscode.EventEmitter<never>().event,
};

/** The gate as createServices.ts makes it, over a real connection, for requests that VS Code lets only the user make. */
export class OwnParts {
  readonly client: ServiceClient;
  readonly keySources = new KeySources(noSecrets, emptyMemento(), () => ({ state: 'none' }));
  readonly keys = new ApiKeyStore(
    noSecrets,
    this.keySources,
    () => ({ state: 'none' }),
    async () => {
      throw new Error('a credential helper was needed');
    },
  );
  readonly contextReader: RequestContextReader;
  readonly dispatch: Dispatch;
  readonly audited: AuditEntry[] = [];
  readonly content = new ExcludedContent();
  policy: ManagedPolicy = openPolicy;

  constructor() {
    const client = createServiceClient({ logger: silent, userAgent: 'svc-coder/test' });
    const state = () => inForce(this.policy);
    this.client = client;
    const onDidChange = () => ({ dispose() {} });
    const managed = {
      get state() {
        return state();
      },
      onDidChange,
      refresh: async () => undefined,
    };
    this.contextReader = new RequestContextReader(this.keySources, managed, {
      stateFor: () => [],
      keysFor: () => [],
      read: async () => undefined,
      onDidChange,
    });
    this.dispatch = createDispatch({
      requestContext: (outgoing) => this.contextReader.forRequest(outgoing),
      exclusion: whyExcluded,
      recognition: (wanted, signal) => this.content.recognition(wanted, signal),
      scanner: async () => ({ scanText, maskText }),
      apiKey: async () => key,
      userAgent: 'svc-coder/test',
      audit: { record: async (entry) => void this.audited.push(entry) },
      logger: silent,
      requireDelivery: async () => undefined,
      reserve: async (_, record) => void (await record()),
      chatClient: async () => client,
    });
  }
}

/** The memento of a new extension; values that are stored are dropped. */
export function emptyMemento(): vscode.Memento {
  return { keys: () => [], get: (_: string, or?: unknown) => or, update: async () => {} };
}
