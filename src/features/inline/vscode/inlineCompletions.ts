import * as vscode from 'vscode';
import { joinOf, sliceOf } from '../../../gate/content.ts';
import { withSignal } from '../../../platform/messages/cancellation.ts';
import { attachmentOf, offsetOf } from '../../../platform/sources/attach.ts';
import { makeContent } from '../../../platform/sources/maker.ts';
import type { Attachment } from '../../../session/conversation/attachment.ts';
import { type Completion, type CompletionParts, complete } from '../../../session/inline/complete.ts';
import {
  autoClosed,
  cursorMark,
  hasInOrder,
  linesAfter,
  linesBefore,
  type Place,
  placeIn,
} from '../../../session/inline/place.ts';
import { RecentCompletions } from '../../../session/inline/recent.ts';
import { Disposable } from '../../../util/disposable.ts';
import { abortedError, isServiceError } from '../../../util/errors.ts';
import { delay } from '../../../util/orAborted.ts';
import type { OnAccepted } from '../../edits/vscode/acceptedCode.ts';
import { OfferedCompletions } from './offered.ts';
import type { Pause } from './pause.ts';
import { Pauses } from './pauses.ts';

/** Milliseconds without typing before a request is sent. */
const debounce = 200;

interface InlineCompletionParts extends CompletionParts {
  /** Fires when settings, key or policy change: the reason for a pause may be gone. */
  readonly contextReader: { onDidChange(listener: () => void): vscode.Disposable };
  readonly onAccepted: OnAccepted;
}

/**
 * Provides inline completions where they are switched on. Sends at most one request at a time, and none during a pause.
 */
export class InlineCompletions extends Disposable implements vscode.InlineCompletionItemProvider {
  readonly #parts: InlineCompletionParts;
  readonly #offered: OfferedCompletions;
  readonly #recent = new RecentCompletions();
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  /** Fires when a request starts or ends, and when a pause starts or ends. */
  readonly onDidChange = this.#changed.event;
  #running: { readonly stop: () => void; readonly ended: Promise<unknown> } | null = null;
  readonly #pauses = new Pauses();

  constructor(parts: InlineCompletionParts) {
    super();
    this.#parts = parts;
    this.#offered = this._register(new OfferedCompletions(parts.onAccepted));
    this._register(parts.contextReader.onDidChange(() => this.resume()));
    this._register({ dispose: () => this.#running?.stop() });
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** The pause that blocks requests for this document; null if there is none. */
  pauseFor({ uri }: vscode.TextDocument): Pause | null {
    return this.#pauses.current(uri.toString(), Date.now());
  }

  /** Ends all pauses. */
  resume(): void {
    this.#pauses.clear();
    this.#changed.fire();
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
    const items = (completion: Completion) => this.#itemsOf(document, completion, position, closed);
    if (known !== undefined) return items(known);
    if (this.pauseFor(document) !== null) return [];
    try {
      return await withSignal(token, async (signal, cancel) => {
        if (triggerKind === vscode.InlineCompletionTriggerKind.Automatic) await delay(debounce, signal);
        return items(await this.#ask(document, position, place, { signal, cancel }));
      });
    } catch (error) {
      if (!isServiceError(error)) throw error;
      this.#pauses.failed(document.uri.toString(), error, Date.now());
      this.#changed.fire();
      return [];
    }
  }

  /** Cancels the earlier request, which is obsolete, and waits for its end. */
  async #ask(
    document: vscode.TextDocument,
    position: vscode.Position,
    place: Place,
    { signal, cancel }: { readonly signal: AbortSignal; readonly cancel: () => void },
  ): Promise<Completion> {
    while (this.#running !== null) {
      this.#running.stop();
      await this.#running.ended;
    }
    if (signal.aborted) throw abortedError();
    const asked = this.#complete(document, position, place, signal);
    const running = { stop: cancel, ended: asked.catch(() => undefined) };
    this.#running = running;
    this.#changed.fire();
    try {
      return await asked;
    } finally {
      if (this.#running === running) this.#running = null;
      this.#changed.fire();
    }
  }

  #itemsOf(
    document: vscode.TextDocument,
    completion: Completion,
    position: vscode.Position,
    closed: string,
  ): vscode.InlineCompletionItem[] {
    const { insertion } = completion;
    if (insertion === '') return [];
    const replaced = hasInOrder(insertion, closed) ? closed.length : 0;
    const range = new vscode.Range(position, position.translate(0, replaced));
    const command = this.#offered.offer(document, position.line, completion);
    return [new vscode.InlineCompletionItem(insertion, range, command)];
  }

  async #complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    place: Place,
    signal: AbortSignal,
  ): Promise<Completion> {
    const around = await attachAround(document, position, place);
    if (around === null) return { insertion: '' };
    const completion = await complete(this.#parts, around, place, signal);
    this.#pauses.answered(document.uri.toString());
    this.#recent.put(around.uri, place, completion);
    return completion;
  }
}

function placeAt(document: vscode.TextDocument, position: vscode.Position, skipped: number): Place {
  const start = new vscode.Position(Math.max(0, position.line - linesBefore), 0);
  const end = new vscode.Position(position.line + linesAfter + 1, 0);
  const after = new vscode.Range(position.translate(0, skipped), end);
  return placeIn(document.getText(new vscode.Range(start, position)), document.getText(document.validateRange(after)));
}

/** The code around the cursor, cut out of the whole document. null if the document has changed meanwhile. */
async function attachAround(
  document: vscode.TextDocument,
  position: vscode.Position,
  { before, after }: Place,
): Promise<Attachment | null> {
  const { uri, languageId, version } = document;
  const closed = autoClosed(document.lineAt(position).text.slice(position.character));
  const made = await makeContent([uri], () => document.getText().replaceAll('\r\n', '\n'), { outside: 'refuse' });
  if (document.version !== version) return null;
  const label = document.isUntitled ? document.fileName : vscode.workspace.asRelativePath(uri);
  return attachmentOf(made, { label, uri, languageId }, (content) => {
    const at = offsetOf(content.text, position);
    const end = at + closed.length;
    return joinOf([sliceOf(content, at - before.length, at), cursorMark, sliceOf(content, end, end + after.length)]);
  });
}
