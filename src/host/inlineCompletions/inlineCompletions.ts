import * as vscode from 'vscode';
import { type CompletionParts, complete } from '../../session/inline/complete.ts';
import { autoClosed, hasInOrder, linesAfter, linesBefore, type Place, placeIn } from '../../session/inline/place.ts';
import { RecentCompletions } from '../../session/inline/recent.ts';
import { delay } from '../../util/delay.ts';
import { Disposable } from '../../util/disposable.ts';
import { abortedError, isServiceError } from '../../util/errors.ts';
import { folderOf } from '../settingsReader.ts';
import { type Pause, pauseAfter } from './pause.ts';

/** Typing has to rest this long, in ms, before anything is asked. */
const debounce = 200;

export interface InlineCompletionParts extends CompletionParts {
  /** Fires when settings, key or policy changed: what was in the way may be gone. */
  readonly standing: { onDidChange(listener: () => void): vscode.Disposable };
}

/** Completes what is typed, where that is switched on: at most one request at a time, and none after a fault. */
export class InlineCompletions extends Disposable implements vscode.InlineCompletionItemProvider {
  readonly #parts: InlineCompletionParts;
  readonly #recent = new RecentCompletions();
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  /** Fires when it begins or ends to ask, pauses or goes on. */
  readonly onDidChange = this.#changed.event;
  #running: { readonly stop: () => void; readonly ended: Promise<unknown> } | null = null;
  #pause: Pause | null = null;

  constructor(parts: InlineCompletionParts) {
    super();
    this.#parts = parts;
    this._register(
      parts.standing.onDidChange(() => {
        this.#pause = null;
        this.#changed.fire();
      }),
    );
    this._register({ dispose: () => this.#running?.stop() });
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  get pause(): Pause | null {
    return this.#pause !== null && this.#pause.until > Date.now() ? this.#pause : null;
  }

  async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    { triggerKind }: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[]> {
    const closed = autoClosed(document.lineAt(position).text.slice(position.character));
    const place = placeAt(document, position, closed.length);
    const known = this.#recent.find(document.uri.toString(), place);
    if (known !== undefined) return itemsOf(known, position, closed);
    if (this.pause !== null) return [];
    const controller = new AbortController();
    const listening = token.onCancellationRequested(() => controller.abort());
    try {
      if (triggerKind === vscode.InlineCompletionTriggerKind.Automatic) await delay(debounce, controller.signal);
      return itemsOf(await this.#ask(document, place, controller), position, closed);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      this.#pause = pauseAfter(error, Date.now()) ?? this.#pause;
      this.#changed.fire();
      return [];
    } finally {
      listening.dispose();
    }
  }

  /** Waits for its turn: what asked before is of no use any more. */
  async #ask(document: vscode.TextDocument, place: Place, controller: AbortController): Promise<string> {
    while (this.#running !== null) {
      this.#running.stop();
      await this.#running.ended;
    }
    if (controller.signal.aborted) throw abortedError();
    const asked = this.#complete(document, place, controller.signal);
    const running = { stop: () => controller.abort(), ended: asked.catch(() => undefined) };
    this.#running = running;
    this.#changed.fire();
    try {
      return await asked;
    } finally {
      if (this.#running === running) this.#running = null;
      this.#changed.fire();
    }
  }

  async #complete(document: vscode.TextDocument, place: Place, signal: AbortSignal): Promise<string> {
    const { uri, languageId } = document;
    const label = document.isUntitled ? document.fileName : vscode.workspace.asRelativePath(uri);
    const file = { label, uri: uri.toString(), firstLine: 1, languageId, folder: folderOf(uri) };
    const insertion = await complete(this.#parts, file, place, signal);
    this.#recent.put(file.uri, place, insertion);
    return insertion;
  }
}

function placeAt(document: vscode.TextDocument, position: vscode.Position, skipped: number): Place {
  const start = new vscode.Position(Math.max(0, position.line - linesBefore), 0);
  const end = new vscode.Position(position.line + linesAfter + 1, 0);
  const after = new vscode.Range(position.translate(0, skipped), end);
  return placeIn(document.getText(new vscode.Range(start, position)), document.getText(document.validateRange(after)));
}

function itemsOf(insertion: string, position: vscode.Position, closed: string): vscode.InlineCompletionItem[] {
  if (insertion === '') return [];
  const replaced = hasInOrder(insertion, closed) ? closed.length : 0;
  const range = new vscode.Range(position, position.translate(0, replaced));
  return [new vscode.InlineCompletionItem(insertion, range)];
}
