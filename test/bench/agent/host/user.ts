import * as vscode from 'vscode';
import type { ChangeDecision, ChangedFileView, ChangesView } from '../../../../src/protocol/changesView.ts';
import type { Mode } from '../../../../src/protocol/mode.ts';
import { endStatuses, type TurnStatus } from '../../../../src/protocol/turnStatus.ts';
import type { Files } from '../task.ts';
import type { TaskFolder } from './folder.ts';
import type { Panel } from './panel.ts';

/** What a user can do in a task. */
export class User {
  readonly #panel: Panel;
  readonly #folder: TaskFolder;
  /** Called when the turn has ended and before anything is decided. */
  readonly #onAnswered: () => void;
  /** What the panel said about decisions. */
  readonly told: string[] = [];
  #known: readonly string[] = [];
  /** The files that the user has changed outside of VS Code. */
  own: Files = {};
  /** The number of calls in conversations that the user has left. */
  callsBefore = 0;
  #turns = 0;

  constructor(panel: Panel, folder: TaskFolder, onAnswered: () => void) {
    this.#panel = panel;
    this.#folder = folder;
    this.#onAnswered = onAnswered;
  }

  /** Asks a question, and waits for the end of the turn. */
  async ask(question = 'Please do this.'): Promise<void> {
    await this.begin(question);
    await this.answered();
  }

  async begin(question = 'Please do this.'): Promise<void> {
    this.#turns += 1;
    await this.#panel.call('send', { text: question, typed: question.length });
  }

  async answered(): Promise<void> {
    const isEnd = (status: TurnStatus): boolean => (endStatuses as readonly TurnStatus[]).includes(status);
    await this.#panel.until(() => {
      const { turns, isBusy } = this.#panel;
      return turns.length >= this.#turns && turns.every(({ meta }) => isEnd(meta.status)) && !isBusy;
    });
    this.#onAnswered();
  }

  /** Resolves when changes of so many files are proposed. */
  untilProposed(count: number): Promise<void> {
    return this.#panel.until(() => (this.#panel.changes?.files.length ?? 0) >= count);
  }

  newChat(): Promise<void> {
    this.#turns = 0;
    this.callsBefore += this.#panel.steps.length;
    return this.#panel.newChat();
  }

  /** Chooses the mode of the next questions. */
  choose(mode: Mode): Promise<void> {
    return this.#panel.chooseMode(mode);
  }

  /** Lets the model carry out the plan of the last answer. */
  async carryOut(): Promise<void> {
    const turnId = this.#lastTurn();
    this.#turns += 1;
    await this.#panel.call('carryOut', { turnId });
    await this.answered();
  }

  /** Attaches files to the next question. */
  attach(...paths: readonly string[]): Promise<void> {
    return this.#panel.call('drop', { uris: paths.map((path) => this.uri(path).toString()) });
  }

  /** Makes all code of the last answer that names its file a set of changes. */
  proposeAll(): Promise<void> {
    return this.#panel.call('applyAll', { turnId: this.#lastTurn() });
  }

  #lastTurn(): string {
    return this.#panel.turns.at(-1)?.meta.id ?? '';
  }

  stop(): Promise<void> {
    return this.#panel.call('stop');
  }

  get card(): ChangesView | undefined {
    return this.#panel.changes;
  }

  /** Accepts the change of a file, or all changes. */
  accept(path?: string): Promise<void> {
    return this.#decide('accept', path);
  }

  reject(path?: string): Promise<void> {
    return this.#decide('reject', path);
  }

  async #decide(decision: ChangeDecision, path?: string): Promise<void> {
    this.#known = this.#panel.told;
    if (path === undefined) await this.#decideAll(decision);
    else {
      const { id, version } = this.#file(path);
      await this.#panel.call('decideChange', { id, version, decision });
    }
    this.#note();
  }

  async #decideAll(decision: ChangeDecision): Promise<void> {
    const { changes } = this.#panel;
    if (changes?.hasOpen === true) await this.#panel.call('decideChanges', { shown: changes.shown, decision });
  }

  /** Decides about one change in the diff of a file, counted from 0. */
  async decideHunk(path: string, at: number, decision: 'accept' | 'reject'): Promise<void> {
    this.#known = this.#panel.told;
    const uri = await this.#openDiff(path);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const name = decision === 'accept' ? 'svc.acceptHunk' : 'svc.rejectHunk';
    const { command } = lenses.filter((lens) => lens.command?.command === name)[at] ?? {};
    if (command === undefined) throw new Error(`The diff of ${path} has no change ${at}.`);
    await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    this.#note();
  }

  async #openDiff(path: string): Promise<vscode.Uri> {
    await this.#panel.call('openChange', { id: this.#file(path).id });
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    if (!(activeTab?.input instanceof vscode.TabInputTextDiff)) throw new Error(`There is no diff of ${path}.`);
    return activeTab.input.modified;
  }

  #file(path: string): ChangedFileView {
    const found = this.#panel.changes?.files.findLast((file) => file.path === `${this.#folder.prefix}${path}`);
    if (found === undefined) throw new Error(`No change of ${path} is shown.`);
    return found;
  }

  /** Undoes the last accept. Returns false if there is none. */
  async undo(): Promise<boolean> {
    const { changes } = this.#panel;
    if (changes?.undo === undefined) return false;
    this.#known = this.#panel.told;
    await this.#panel.call('undoChanges', { shown: changes.shown });
    this.#note();
    return true;
  }

  /** Notes what the panel says now and did not say before the decision; two decisions at the same time note it once. */
  #note(): void {
    const { told } = this.#panel;
    this.told.push(...told.filter((words) => !this.#known.includes(words)));
    this.#known = told;
  }

  /** Changes files outside of VS Code, and waits until it shows them where they are open. */
  async put(files: Files): Promise<void> {
    this.#folder.put(files);
    this.own = { ...this.own, ...files };
    for (const [name, content] of Object.entries(files)) {
      const path = this.uri(name).toString();
      const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === path);
      if (document !== undefined && typeof content === 'string') await untilText(document, content);
    }
  }

  /** Types a text at the start of a file, without saving it. */
  async type(path: string, text: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(this.uri(path));
    await vscode.window.showTextDocument(document, { preview: false });
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(0, 0), text);
    if (!(await vscode.workspace.applyEdit(change))) throw new Error(`${path} was not changed.`);
    return document;
  }

  uri(path: string): vscode.Uri {
    return vscode.Uri.file(this.#folder.path(path));
  }
}

/** Resolves when a document has this text. */
async function untilText(document: vscode.TextDocument, text: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (document.isDirty || document.isClosed || document.getText() === text.replace(/^\uFEFF/, '')) resolve();
  };
  const listening = vscode.workspace.onDidChangeTextDocument(look);
  look();
  await promise;
  listening.dispose();
}
