import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Completion } from '../../../session/inline/complete.ts';
import { Disposable } from '../../../util/disposable.ts';
import { linesOf } from '../../edits/common/hunks.ts';
import type { OnAccepted } from '../../edits/vscode/acceptedCode.ts';

/** The maximum number of completions that are remembered. */
const maxOffered = 30;

interface Offered {
  readonly uri: string;
  readonly line: number;
  readonly completion: Completion;
}

/** Reports which completions the user accepts. VS Code does not report those that are accepted word by word. */
export class OfferedCompletions extends Disposable {
  readonly #offered = new Map<number, Offered>();
  /** The command that VS Code runs when the user has accepted a whole completion. It is not for other callers. */
  readonly #command = `svc.inlineCompletionAccepted.${randomUUID()}`;
  readonly #onAccepted: OnAccepted;
  #count = 0;

  constructor(onAccepted: OnAccepted) {
    super();
    this.#onAccepted = onAccepted;
    this._register(vscode.commands.registerCommand(this.#command, (id: unknown) => this.#accepted(id)));
  }

  /** The command of a completion that is offered at a line. */
  offer({ uri }: vscode.TextDocument, line: number, completion: Completion): vscode.Command {
    this.#count += 1;
    this.#offered.set(this.#count, { uri: uri.toString(), line, completion });
    const [oldest] = this.#offered.keys();
    if (this.#offered.size > maxOffered && oldest !== undefined) this.#offered.delete(oldest);
    return { command: this.#command, title: '', arguments: [this.#count] };
  }

  async #accepted(id: unknown): Promise<void> {
    const offered = typeof id === 'number' ? this.#offered.get(id) : undefined;
    if (offered === undefined) return;
    this.#offered.delete(Number(id));
    const { uri, line, completion } = offered;
    const { insertion, ...source } = completion;
    const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri);
    const after = document === undefined ? insertion : writtenLines(document, line, insertion);
    await this.#onAccepted({ source, languageId: document?.languageId ?? 'plaintext', before: null, after });
  }
}

/** Returns the complete lines that contain a completion now, or only the completion if they no longer contain it. */
function writtenLines(document: vscode.TextDocument, line: number, insertion: string): string {
  const lines = linesOf(insertion);
  const written = document.getText(document.validateRange(new vscode.Range(line, 0, line + lines.length, 0)));
  const isUnchanged = linesOf(written).slice(0, lines.length).join('\n').includes(lines.join('\n'));
  return isUnchanged ? linesOf(written).slice(0, lines.length).join('\n') : insertion;
}
