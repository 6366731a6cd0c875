import { posix } from 'node:path';
import * as vscode from 'vscode';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import type { RequestContextReader } from '../../../../platform/settings/requestContextReader.ts';
import { linesOf } from '../../../../platform/sources/attach.ts';
import { whyFileExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import type { Starters } from '../../../../protocol/starter.ts';
import { actionOf, slashText } from '../../../../session/prompts/prompts.ts';
import type { Session } from '../../../../session/session.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { frontNow } from '../../../context/vscode/currentFile.ts';
import { fileSource } from '../../../context/vscode/fileSource.ts';
import type { ContextSource } from '../../../context/vscode/source.ts';
import { describeStarters, type StarterName, type Subject, starterNames } from './describeStarters.ts';

/** A question that is offered: a slash command with its subject. */
interface Offered {
  readonly text: string;
  readonly source: ContextSource;
}

/** The time in milliseconds without changes after which the offers follow the editor. */
const restMs = 150;

/** The questions that an empty panel offers: they follow the active editor and its selection. */
export class StarterOffers extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  readonly #session: Pick<Session, 'conversation' | 'onDidChange'>;
  readonly #contextReader: RequestContextReader;
  #shown = describeStarters({ is: 'none' }, [], String);
  #offered: ReadonlyMap<string, Offered> = new Map();
  #key = '';
  #version = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(session: Pick<Session, 'conversation' | 'onDidChange'>, contextReader: RequestContextReader) {
    super();
    this.#session = session;
    this.#contextReader = contextReader;
    const { window } = vscode;
    this._register({ dispose: () => clearTimeout(this.#timer) });
    this._register(window.onDidChangeActiveTextEditor(() => this.#soon()));
    this._register(
      window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === window.activeTextEditor) this.#soon();
      }),
    );
    this._register(contextReader.onDidChange(() => this.#soon()));
    this._register(
      session.onDidChange(({ type }) => {
        if (type === 'conversation-changed') this.#soon();
      }),
    );
    void this.#look();
  }

  get shown(): Starters {
    return this.#shown;
  }

  /** Returns the question that was offered under this id, or undefined if it is no longer offered. */
  find(id: string): Offered | undefined {
    return this.#offered.get(id);
  }

  #soon(): void {
    clearTimeout(this.#timer);
    if (this.#session.conversation.turns.length > 0) return;
    this.#timer = setTimeout(() => void this.#look(), restMs);
  }

  async #look(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const front = frontNow();
    // The offers stay with the code that was active before.
    if (front === 'other') return;
    const range = front?.range;
    const subject = await subjectOf(editor, range, this.#contextReader.limits().fileBytes);
    if (editor !== vscode.window.activeTextEditor) return;
    const names = starterNames.filter((name) => this.#isAllowed(name));
    const key = JSON.stringify([subject, names, editor?.document.uri, range]);
    if (key === this.#key) return;
    this.#key = key;
    this.#version += 1;
    const idOf = (name: StarterName): string => `${this.#version}.${name}`;
    this.#shown = describeStarters(subject, names, idOf);
    // The user may still choose an earlier offer.
    const before = [...this.#offered].slice(-starterNames.length);
    const uri = editor?.document.uri;
    const now = uri === undefined ? [] : names.map((name) => [idOf(name), offered(name, uri, range)] as const);
    this.#offered = new Map([...before, ...now]);
    this.#changed.fire();
  }

  /** Whether the administrator allows the action of the command. */
  #isAllowed(name: StarterName): boolean {
    const action = actionOf({ action: 'chat', command: { name, text: slashText(name, '', null) } });
    return action === 'chat' || this.#contextReader.allows(action);
  }
}

function offered(name: StarterName, uri: vscode.Uri, range: vscode.Range | undefined): Offered {
  return { text: `/${name}`, source: fileSource(uri, range) };
}

async function subjectOf(
  editor: vscode.TextEditor | undefined,
  range: vscode.Range | undefined,
  maxBytes: number,
): Promise<Subject> {
  if (editor === undefined) return { is: 'none' };
  const { document } = editor;
  const { uri, isUntitled, fileName, lineCount } = document;
  const path = isUntitled ? fileName : relativePath(uri);
  const rule = await whyFileExcluded(uri.toString());
  if (rule !== null) return { is: 'excluded', path, rule };
  const name = posix.basename(path);
  if (range !== undefined) return { is: 'selection', name, path: `${path}:${linesOf(range)}` };
  // A character has at least one byte: a text that fits by this measure may still be refused when it is read.
  const length = document.offsetAt(document.lineAt(lineCount - 1).range.end);
  if (length > maxBytes) return { is: 'too-large', path };
  return length === 0 ? { is: 'none' } : { is: 'file', name, path };
}
