import * as vscode from 'vscode';
import { Disposable } from '../../../util/disposable.ts';
import type { FindingDiagnostics } from './findingDiagnostics.ts';

/** Sets `svc.findingAtCursor`: the palette offers the commands for a finding only if the cursor is on a finding. */
export class FindingAtCursor extends Disposable {
  readonly #diagnostics: FindingDiagnostics;
  #isSet = false;

  constructor(diagnostics: FindingDiagnostics) {
    super();
    this.#diagnostics = diagnostics;
    this._register(vscode.window.onDidChangeTextEditorSelection(() => this.#look()));
    this._register(vscode.window.onDidChangeActiveTextEditor(() => this.#look()));
    this._register(vscode.languages.onDidChangeDiagnostics(() => this.#look()));
  }

  #look(): void {
    const editor = vscode.window.activeTextEditor;
    const isOnOne = editor !== undefined && this.#diagnostics.at(editor.document.uri, editor.selection).length > 0;
    if (isOnOne === this.#isSet) return;
    this.#isSet = isOnOne;
    void vscode.commands.executeCommand('setContext', 'svc.findingAtCursor', isOnOne);
  }
}
