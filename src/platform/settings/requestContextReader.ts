import * as vscode from 'vscode';
import {
  admit,
  isNotAdmitted,
  limitsIn,
  type NotAdmitted,
  problemsOf,
  type RequestContext,
  requireManaged,
} from '../../gate/admit.ts';
import type { SizeLimits } from '../../gate/limits.ts';
import type { ConstraintSources } from '../../policy/compliance/complianceState.ts';
import { resolvePolicy } from '../../policy/compliance/resolve.ts';
import { type Connection, resolveConnection } from '../../policy/connection.ts';
import type { SettingsFilesState } from '../../policy/files/settingsFile.ts';
import { type Feature, type ManagedState, managedLayer } from '../../policy/managed/managedPolicy.ts';
import { onlyOrigin, originProblems } from '../../policy/managed/managedRules.ts';
import type { ToolRules } from '../../policy/managed/toolRules.ts';
import { ManagedPolicyError, PolicyError } from '../../policy/policyError.ts';
import { type AskedModel, type ModelKey, resolveRequestOptions } from '../../policy/requestOptions.ts';
import { asksZeroRetention } from '../../policy/requestPolicy.ts';
import { resolvePreview } from '../../policy/resolvePreview.ts';
import type { Card, CardAction } from '../../protocol/card.ts';
import type { Posture } from '../../protocol/posture.ts';
import type { Outgoing } from '../../send/outgoing.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { type KeyInFile, keyInSettings } from '../keys/keyInSettings.ts';
import type { KeySources } from '../keys/keySources.ts';
import { actionLabel, type LabeledId } from '../messages/cardWords.ts';
import { describePosture, describeProblem } from '../messages/describePolicy.ts';
import { errorCard } from '../messages/errorCard.ts';
import type { withNames } from '../messages/errors/describeBlockingFiles.ts';
import { notAdmittedWords } from '../messages/errors/describeForbidden.ts';
import { keysInLayers, readLayers } from './settingsReader.ts';
import { requireTrust } from './trust.ts';
import type { withBlockingFiles } from './withBlockingFiles.ts';

const t = vscode.l10n.t;

/** The properties that determine the posture of a request that does not exist yet. */
export type RequestAbout = Pick<Outgoing, 'action' | 'modelKey' | 'askedModel' | 'folders' | 'project' | 'attached'>;

/** The state of the next request as text, for the panel and the status bar. */
interface RequestStatus {
  readonly model: string;
  /** The host and port of the address; empty if no address is set. */
  readonly host: string;
  readonly posture: Posture;
  readonly notice?: Card;
  /** The value that the user must set before a first message. */
  readonly missing?: 'address' | 'key';
}

/** Whether content may be stored. `unknown`: the settings do not resolve, and may ask for zero retention. */
export type Retention = 'keep' | 'none' | 'unknown';

export interface ManagedSource {
  readonly state: ManagedState;
  readonly onDidChange: (listener: () => void) => { dispose(): void };
  /** Fetches a policy that is delivered, if it may have changed. */
  refresh(): Promise<void>;
}

/** The part of SettingsFiles that is used here. */
interface SettingsFilesSource {
  readonly stateFor: (places: readonly string[]) => SettingsFilesState;
  readonly keysFor: (places: readonly string[]) => readonly KeyInFile[];
  readonly read: (places: readonly string[]) => Promise<void>;
  readonly onDidChange: (listener: () => void) => { dispose(): void };
}

/** Finds the files that block a request, and names them. */
interface BlockingFilesFinder {
  readonly find: typeof withBlockingFiles;
  readonly words: typeof withNames;
}

/** Reads everything that determines a request, at the time of the call. Reads no secret. */
export class RequestContextReader {
  readonly #keys: KeySources;
  readonly #managed: ManagedSource;
  readonly #files: SettingsFilesSource;
  /** Set when the project's instructions may be sent, because a window that opens needs no messages about them. */
  blockingFiles: BlockingFilesFinder | undefined;

  constructor(keys: KeySources, managed: ManagedSource, files: SettingsFilesSource) {
    this.#keys = keys;
    this.#managed = managed;
    this.#files = files;
  }

  requestContext(about: {
    readonly modelKey: ModelKey;
    readonly askedModel?: AskedModel;
    readonly folders: readonly string[];
    readonly feature?: Feature;
  }): RequestContext {
    const layers = this.#layers(about.folders);
    return {
      isTrusted: vscode.workspace.isTrusted,
      managed: this.#managed.state,
      settingsFiles: this.#files.stateFor(about.folders),
      policy: resolvePolicy(layers),
      connection: resolveConnection(layers),
      options: resolveRequestOptions(layers, about.modelKey, about.askedModel),
      preview: resolvePreview(layers),
      ...(about.feature === undefined ? {} : { feature: about.feature }),
    };
  }

  /**
   * Returns the RequestContext of a request, after its settings files were read again and, if the user has asked for the request,
   * a delivered policy, too.
   */
  async forRequest(about: RequestAbout, isRequested = true): Promise<RequestContext> {
    await Promise.all([this.#files.read(about.folders), isRequested ? this.#managed.refresh() : undefined]);
    return this.contextFor(about);
  }

  /** Fetches a policy that is delivered, if it may have changed. */
  refreshPolicy(): Promise<void> {
    return this.#managed.refresh();
  }

  /** Returns the sources of the constraints of a request with content of these folders. */
  constraintSources(folders: readonly string[]): ConstraintSources {
    return { layers: this.#layers(folders), managed: this.#managed.state };
  }

  /** Returns the size limits of one request. */
  limits(): SizeLimits {
    return limitsIn(this.#managed.state);
  }

  /** The administrator's rules for tools. */
  get toolRules(): ToolRules {
    const managed = this.#managed.state;
    return (managed.state === 'in-force' ? managed.policy.tools : undefined) ?? {};
  }

  /** Whether the administrator requires that the user opens each diff before they accept a proposed change. */
  get requiresReview(): boolean {
    const managed = this.#managed.state;
    return managed.state === 'in-force' && managed.policy.changes?.requireReview === true;
  }

  /** Throws a ServiceError if an administrator has disabled the feature. */
  requireFeature(feature: Feature): void {
    requireManaged(this.#managed.state, feature);
  }

  /** Whether the administrator allows the feature. */
  allows(feature: Feature): boolean {
    try {
      this.requireFeature(feature);
      return true;
    } catch (error) {
      if (isServiceError(error)) return false;
      throw error;
    }
  }

  /** Whether content of these folders may be stored on disk. */
  retention(folders: readonly string[]): Retention {
    const { isTrusted, managed, settingsFiles, policy } = this.requestContext({ modelKey: 'svc.model.chat', folders });
    const isWhole = settingsFiles !== 'unread' && settingsFiles.length === 0;
    if (!isTrusted || managed.state === 'broken' || !isWhole || !policy.ok) return 'unknown';
    if (asksZeroRetention(policy.policy)) return 'none';
    return managed.state === 'in-force' && managed.policy.disabledFeatures.includes('history') ? 'none' : 'keep';
  }

  /**
   * Returns the connection in use. Throws a ServiceError if nothing may be sent to it, or if the settings name no
   * connection.
   */
  requireConnection(): Connection {
    requireTrust();
    const resolved = resolveConnection(this.#layers([]));
    if (resolved.ok) return this.requireAllowed(resolved.connection);
    if (resolved.unset) throw new ServiceError('policy', 'svc.baseUrl is not set.', { code: 'no-base-url' });
    throw new PolicyError(resolved.problems);
  }

  /** Throws a ServiceError if the administrator does not allow this origin. */
  requireAllowed(connection: Connection): Connection {
    requireManaged(this.#managed.state);
    const problems = originProblems(this.#managed.state, connection);
    if (problems.length > 0) throw new PolicyError(problems);
    return connection;
  }

  /** Returns the state of a request that has not been made yet. */
  read(about: RequestAbout): RequestStatus {
    const found = this.contextFor(about);
    // A window that has just opened must not show an error: this is called again when the files have been read.
    const now = found.settingsFiles === 'unread' ? { ...found, settingsFiles: [] } : found;
    const { policy, connection, options } = now;
    const status = {
      model: options.ok ? options.options.model : '',
      host: connection.ok ? new URL(connection.connection.baseUrl).host : '',
      posture: policy.ok ? describePosture(policy.policy) : describedAs(''),
    };
    const blocked = whyBlocked(now);
    const warning = keyInSettings(this.#files.keysFor(about.folders), keysInLayers(about.folders));
    if (blocked === null) {
      const missing = this.#missing(now);
      if (missing === null) return { ...status, ...(warning === null ? {} : { notice: warning }) };
      return { ...status, missing, notice: warning ?? nextStep(missing, status.host, onlyOrigin(this.#managed.state)) };
    }
    const words = notAdmittedWords(blocked);
    const named = this.blockingFiles?.words(words, blocked) ?? words;
    const card = errorCard(blocked, named, { canRetry: false, canContinue: false });
    const problems =
      blocked instanceof PolicyError ? problemsOf(now).map(describeProblem) : [card.detail ?? card.title];
    const isPending = blocked instanceof ManagedPolicyError && blocked.problem.reason === 'not-fetched';
    const posture = isPending
      ? { ...describedAs(t('policy not fetched yet')), problems, isPending }
      : { ...status.posture, problems };
    const detail = [card.detail, warning?.title, warning?.detail].filter((words) => words !== undefined).join('\n');
    return { ...status, posture, notice: { ...card, detail } };
  }

  /** Fires when anything that determines a request may have changed. */
  onDidChange(listener: () => void): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('svc')) listener();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(listener),
      vscode.workspace.onDidChangeWorkspaceFolders(listener),
      this.#keys.onDidChange(listener),
      this.#managed.onDidChange(listener),
      this.#files.onDidChange(listener),
    );
  }

  /** Returns the context of a request, with the files that block it. */
  contextFor({ action, project, attached, ...about }: RequestAbout): RequestContext {
    const asked = { ...about, ...(action === 'chat' ? {} : { feature: action }) };
    const context = this.requestContext(asked);
    const contextOf = (folders: readonly string[]) => this.requestContext({ ...asked, folders });
    return this.blockingFiles?.find(context, { project, attached }, contextOf) ?? context;
  }

  #layers(folders: readonly string[]) {
    const managed = managedLayer(this.#managed.state);
    return managed === null ? readLayers(folders) : [managed, ...readLayers(folders)];
  }

  #missing({ connection }: RequestContext): 'address' | 'key' | null {
    if (!connection.ok) return 'address';
    return this.#keys.has(connection.connection) ? null : 'key';
  }
}

/** Returns a posture without headers. */
function describedAs(label: string): Posture {
  return { label, short: label, headers: [], problems: [] };
}

/**
 * Returns the card for the next setup step. `offered` is the only origin that the administrator allows, if there is only
 * one.
 */
function nextStep(missing: 'address' | 'key', host: string, offered: string | null): Card {
  if (missing === 'key') {
    const detail = t('The key is stored in VS Code’s secret storage, for {0} only.', host);
    return step(t('Store your API key'), detail, 'setApiKey');
  }
  return step(
    t('Connect to your Svc service'),
    offered === null
      ? t('You need its address and an API key. The administrator of the service provides both.')
      : t('Your administrator allows only {0}. Connect offers it as the address.', offered),
    'setBaseUrl',
  );
}

/** Returns the error that blocks any request. A missing address is not one: it is a setup step, not an error. */
function whyBlocked(now: RequestContext): NotAdmitted | null {
  try {
    admit(now);
    return null;
  } catch (error) {
    if (!isNotAdmitted(error)) throw error;
    return error.code === 'no-base-url' ? null : error;
  }
}

function step(title: string, detail: string, id: 'setBaseUrl' | 'setApiKey'): Card {
  return { severity: 'info', title, detail, actions: [offer(id), offer('showFirstSteps')] };
}

function offer(id: LabeledId): CardAction {
  return { id, label: actionLabel(id) };
}
