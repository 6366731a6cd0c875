import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DeliveryFault } from '../../policy/managed/fileValues.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import type { PolicySource } from '../../policy/managed/policySource.ts';
import type { AuditEntry } from '../../send/audit.ts';
import type { Delivered, FetchPolicy } from '../../store/managed/delivered.ts';
import { ManagedFile, managedPolicyPath } from '../../store/managed/managedFile.ts';
import { type IsOpenToUser, isOpenToUser } from '../../store/managed/managedFileGuard.ts';
import { Disposable } from '../../util/disposable.ts';
import { loadManagedWords } from '../messages/managedWords.ts';
import type { ManagedSource } from './requestContextReader.ts';

type Context = Pick<vscode.ExtensionContext, 'extension' | 'extensionMode' | 'globalStorageUri'>;

/**
 * The administrator's policy: the file on this machine, which is watched so that changes take effect immediately, and the policy
 * that this file asks to be delivered.
 */
export class ManagedPolicyFile extends Disposable implements ManagedSource {
  readonly path: string;
  /** Whether a user who is not an administrator can change a file that the policy depends on. */
  readonly isOpen: IsOpenToUser;
  readonly #changed = this._register(new vscode.EventEmitter<ManagedState>());
  readonly onDidChange = this.#changed.event;
  readonly #replaced = this._register(new vscode.EventEmitter<AuditEntry>());
  /** Fires when the policy was replaced in this session. */
  readonly onDidReplace = this.#replaced.event;
  readonly #context: Context;
  readonly #file: ManagedFile;
  /** Loaded only if the file names a source. */
  #delivered: Delivered | undefined;
  /** Resolves when the kept copy of the delivered policy has been read. */
  #reading: Promise<void> = Promise.resolve();
  #fetch: FetchPolicy | undefined;
  /** The state that listeners know; undefined before the first read. */
  #known: string | undefined;
  /** The fault of the newest delivery that listeners know, while a policy applies. */
  #fault: DeliveryFault | null | undefined;

  constructor(context: Context) {
    super();
    this.#context = context;
    // Only tests of this extension may name another file, which may be writable by the user.
    const isTest = context.extensionMode === vscode.ExtensionMode.Test;
    const forTests = isTest ? process.env.SVC_TEST_POLICY_FILE : undefined;
    this.path = forTests ?? managedPolicyPath(process.platform, process.env.ProgramData);
    this.isOpen = forTests === undefined ? isOpenToUser : async () => false;
    const { version } = context.extension.packageJSON;
    this.#file = this._register(new ManagedFile(this.path, version, () => this.#onFile(), this.isOpen));
  }

  /** The state of the policy for the audit log: the digest if the policy is in force. */
  get digest(): string {
    const { state } = this;
    return state.state === 'in-force' ? state.digest : state.state;
  }

  get state(): ManagedState {
    const { state } = this.#file;
    const source = sourceIn(state);
    if (source === undefined || state.state !== 'in-force') return state;
    if (this.#delivered !== undefined) return this.#delivered.combine(state, source);
    return { state: 'broken', file: source.url, problem: { reason: 'unreadable', detail: 'not read yet' } };
  }

  /** The address that the policy is delivered from; undefined if the file names none. */
  get source(): string | undefined {
    return sourceIn(this.#file.state)?.url;
  }

  #onFile(): void {
    this.#reading = this.#reading.then(() => this.#readDelivered()).then(() => this.#notify());
  }

  async #readDelivered(): Promise<void> {
    const source = sourceIn(this.#file.state);
    if (source === undefined) return;
    const { Delivered } = await import('../../store/managed/delivered.ts');
    const { extension, globalStorageUri } = this.#context;
    this.#delivered ??= new Delivered({
      path: join(globalStorageUri.fsPath, 'policy.txt'),
      extensionVersion: extension.packageJSON.version,
      now: Date.now,
    });
    await this.#delivered.read(source);
  }

  async #notify(): Promise<void> {
    const { state } = this;
    if (state.state === 'broken') await loadManagedWords();
    const digest = state.state === 'in-force' ? { digest: state.digest } : {};
    // A file with the organization's instructions is not part of the digest.
    const content = 'problem' in state ? state.problem : 'policy' in state && state.policy.instructions;
    const known = JSON.stringify([state.state, digest, content]);
    const fault = 'delivered' in state ? state.delivered?.fault : undefined;
    if (known === this.#known && fault === this.#fault) return;
    // The first read is not a replacement.
    const isReplaced = this.#known !== undefined && this.#known !== known;
    this.#known = known;
    this.#fault = fault;
    this.#changed.fire(state);
    if (isReplaced) this.#replaced.fire({ kind: 'policy-changed', state: state.state, ...digest });
  }

  /** Sets the function that fetches a delivered policy. Until then, only a kept copy is used. */
  fetchWith(fetch: FetchPolicy): void {
    this.#fetch = fetch;
  }

  /** Resolves when the state reflects the current file. */
  async read(): Promise<void> {
    await this.#file.read();
    await this.#reading;
  }

  /** Called before a request. Fetches the delivered policy if this window has not done so in the last hour. */
  async refresh(): Promise<void> {
    const source = sourceIn(this.#file.state);
    if (source === undefined || this.#fetch === undefined) return;
    await this.#reading;
    await this.#delivered?.refresh(source, this.#fetch);
    await this.#notify();
  }
}

function sourceIn(state: ManagedState): PolicySource | undefined {
  return state.state === 'in-force' ? state.policy.source : undefined;
}
