import * as vscode from 'vscode';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import type { AuditEntry } from '../../session/dispatch/audit.ts';
import { ManagedFile, managedPolicyPath } from '../../store/managed/managedFile.ts';
import { Disposable } from '../../util/disposable.ts';
import type { ManagedSource } from './requestContextReader.ts';

/** The administrator's file on this machine, watched: what changes in it holds at once. */
export class ManagedPolicyFile extends Disposable implements ManagedSource {
  readonly path: string;
  readonly #changed = this._register(new vscode.EventEmitter<ManagedState>());
  readonly onDidChange = this.#changed.event;
  readonly #replaced = this._register(new vscode.EventEmitter<AuditEntry>());
  /** Another policy holds than before in this session. */
  readonly onDidReplace = this.#replaced.event;
  readonly #file: ManagedFile;
  #wasRead = false;

  constructor(mode: vscode.ExtensionMode) {
    super();
    // Tests of this very extension, and they alone, may name another file, and whoever runs them may write it.
    const forTests = mode === vscode.ExtensionMode.Test ? process.env.SVC_TEST_POLICY_FILE : undefined;
    this.path = forTests ?? managedPolicyPath(process.platform, process.env.ProgramData);
    this.#file = this._register(
      new ManagedFile(
        this.path,
        (state) => this.#onState(state),
        forTests === undefined ? undefined : async () => false,
      ),
    );
  }

  /** What the audit log says of the policy in force. */
  get digest(): string {
    const { state } = this;
    return state.state === 'in-force' ? state.digest : state.state;
  }

  get state(): ManagedState {
    return this.#file.state;
  }

  #onState(state: ManagedState): void {
    this.#changed.fire(state);
    // The first reading replaces nothing.
    if (this.#wasRead) {
      const digest = state.state === 'in-force' ? { digest: state.digest } : {};
      this.#replaced.fire({ kind: 'policy-changed', state: state.state, ...digest });
    }
    this.#wasRead = true;
  }

  /** Resolves when the state is that of the file as it is now. */
  read(): Promise<void> {
    return this.#file.read();
  }
}
