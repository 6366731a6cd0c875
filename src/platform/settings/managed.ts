import * as vscode from 'vscode';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import type { AuditEntry } from '../../send/audit.ts';
import { ManagedFile, managedPolicyPath } from '../../store/managed/managedFile.ts';
import { Disposable } from '../../util/disposable.ts';
import type { ManagedSource } from './requestContextReader.ts';

/** Watches the administrator's policy file on this machine, so that changes take effect at once. */
export class ManagedPolicyFile extends Disposable implements ManagedSource {
  readonly path: string;
  readonly #changed = this._register(new vscode.EventEmitter<ManagedState>());
  readonly onDidChange = this.#changed.event;
  readonly #replaced = this._register(new vscode.EventEmitter<AuditEntry>());
  /** Fires when the policy was replaced in this session. */
  readonly onDidReplace = this.#replaced.event;
  readonly #file: ManagedFile;
  #wasRead = false;

  constructor({ extension, extensionMode }: Pick<vscode.ExtensionContext, 'extension' | 'extensionMode'>) {
    super();
    // Only tests of this extension may name another file, which may be writable by the user.
    const forTests = extensionMode === vscode.ExtensionMode.Test ? process.env.SVC_TEST_POLICY_FILE : undefined;
    this.path = forTests ?? managedPolicyPath(process.platform, process.env.ProgramData);
    this.#file = this._register(
      new ManagedFile(
        this.path,
        extension.packageJSON.version,
        (state) => this.#onState(state),
        forTests === undefined ? undefined : async () => false,
      ),
    );
  }

  /** The state of the policy for the audit log: the digest if the policy is in force. */
  get digest(): string {
    const { state } = this;
    return state.state === 'in-force' ? state.digest : state.state;
  }

  get state(): ManagedState {
    return this.#file.state;
  }

  #onState(state: ManagedState): void {
    this.#changed.fire(state);
    // The first read is not a replacement.
    if (this.#wasRead) {
      const digest = state.state === 'in-force' ? { digest: state.digest } : {};
      this.#replaced.fire({ kind: 'policy-changed', state: state.state, ...digest });
    }
    this.#wasRead = true;
  }

  /** Resolves when the state reflects the current file. */
  read(): Promise<void> {
    return this.#file.read();
  }
}
