import * as vscode from 'vscode';
import { Disposable } from '../../../util/disposable.ts';

/**
 * Counts the changes to files of the workspace that VS Code reports, whoever makes them: text of open documents, and files
 * that are created, renamed or deleted in VS Code. After a change, the same call of a tool may find something else.
 */
export class FileChanges extends Disposable {
  #count = 0;

  constructor() {
    super();
    const { workspace } = vscode;
    const add = (): void => {
      this.#count += 1;
    };
    this._register(
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && workspace.getWorkspaceFolder(document.uri) !== undefined) add();
      }),
    );
    this._register(workspace.onDidCreateFiles(add));
    this._register(workspace.onDidRenameFiles(add));
    this._register(workspace.onDidDeleteFiles(add));
  }

  get count(): number {
    return this.#count;
  }
}
