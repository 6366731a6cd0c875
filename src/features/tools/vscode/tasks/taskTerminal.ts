import * as vscode from 'vscode';
import { escapeHidden } from '../../../../platform/messages/foreignText.ts';

const t = vscode.l10n.t;

/** The maximum length in characters of the output that the terminal shows. The terminal itself keeps fewer. */
const maxShown = 4 * 1024 * 1024;
/** The character of Ctrl+C. */
const interrupt = '\u0003';

/** The terminal in which the user sees a task. It shows the command line, and then the output. */
export class TaskTerminal implements vscode.Pseudoterminal {
  readonly #write = new vscode.EventEmitter<string>();
  readonly #close = new vscode.EventEmitter<number>();
  readonly onDidWrite = this.#write.event;
  readonly onDidClose = this.#close.event;
  readonly #parts: { readonly onOpen: () => void; readonly onStop: () => void };
  #shown = 0;

  /** `onStop` is called when the user ends the task or closes its terminal. */
  constructor(parts: { readonly onOpen: () => void; readonly onStop: () => void }) {
    this.#parts = parts;
  }

  open(): void {
    this.#parts.onOpen();
  }

  close(): void {
    this.#parts.onStop();
  }

  handleInput(data: string): void {
    if (data === interrupt) this.#parts.onStop();
  }

  begin(line: string): void {
    this.#put(`> ${escapeHidden(line)}\n\n`);
  }

  show(output: string): void {
    const room = maxShown - this.#shown;
    this.#shown += output.length;
    if (room <= 0) return;
    this.#put(output.slice(0, room));
    if (output.length > room) this.#put(`\n\u001b[0m${t('… more output is not shown')}\n`);
  }

  end(code: number | null): void {
    this.#close.fire(code ?? 1);
  }

  #put(text: string): void {
    this.#write.fire(text.replace(/\r?\n/g, '\r\n'));
  }
}
