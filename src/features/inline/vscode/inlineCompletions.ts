import * as vscode from 'vscode';
import { joinOf, sliceOf } from '../../../gate/content.ts';
import { relativePath } from '../../../platform/files/relativePath.ts';
import { withSignal } from '../../../platform/messages/cancellation.ts';
import { attachmentOf, offsetOf } from '../../../platform/sources/attach.ts';
import { whyFileExcluded } from '../../../platform/sources/ignored/exclusions.ts';
import { makeContent } from '../../../platform/sources/maker.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { type Completion, type CompletionParts, complete, type OnAnswer } from '../../../session/inline/complete.ts';
import {
  autoClosed,
  cursorMark,
  hasInOrder,
  linesAfter,
  linesBefore,
  type Place,
  placeIn,
} from '../../../session/inline/place.ts';
import { type Begin, Suggester } from '../../../session/inline/suggester.ts';
import { Disposable } from '../../../util/disposable.ts';
import { isServiceError } from '../../../util/errors.ts';
import type { OnAccepted } from '../../edits/vscode/acceptedCode.ts';
import { OfferedCompletions } from './offered.ts';
import type { Pause } from './pause.ts';
import { Pauses } from './pauses.ts';

interface InlineCompletionParts extends CompletionParts {
  /** Fires when settings, key or policy change: the reason for a pause may no longer apply. */
  readonly contextReader: { onDidChange(listener: () => void): vscode.Disposable };
  readonly onAccepted: OnAccepted;
}

/** Provides inline completions where they are switched on. No request is sent during a pause. */
export class InlineCompletions extends Disposable implements vscode.InlineCompletionItemProvider {
  readonly #parts: InlineCompletionParts;
  readonly #offered: OfferedCompletions;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  /** Fires when a request starts or ends, and when a pause starts or ends. */
  readonly onDidChange = this.#changed.event;
  readonly #suggester = new Suggester({ onChange: () => this.#changed.fire() });
  readonly #pauses = new Pauses();

  constructor(parts: InlineCompletionParts) {
    super();
    this.#parts = parts;
    this.#offered = this._register(new OfferedCompletions(parts.onAccepted));
    this._register(
      parts.contextReader.onDidChange(() => {
        this.#suggester.forget();
        this.resume();
      }),
    );
    this._register({ dispose: () => this.#suggester.forget() });
  }

  get isBusy(): boolean {
    return this.#suggester.isBusy;
  }

  /** Returns the pause that blocks requests for this document, or null if there is none. */
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
    const isAutomatic = triggerKind === vscode.InlineCompletionTriggerKind.Automatic;
    const wanted = { uri: document.uri.toString(), languageId: document.languageId, place, isAutomatic };
    const items = (completion: Completion) => this.#itemsOf(document, completion, position, closed);
    const known = this.#suggester.known(wanted);
    if (known !== undefined) return (await isExcluded(document)) ? [] : items(known);
    if (this.pauseFor(document) !== null) return [];
    const begin: Begin = (signal, onAnswer) => this.#complete(document, position, place, { signal, onAnswer });
    try {
      const completion = await withSignal(token, (signal) => this.#suggester.completion(wanted, begin, signal));
      return completion.insertion === '' || (await isExcluded(document)) ? [] : items(completion);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return [];
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

  /** Returns null if the document has changed before the request. An error may start a pause. */
  async #complete(
    document: vscode.TextDocument,
    position: vscode.Position,
    place: Place,
    { signal, onAnswer }: { readonly signal: AbortSignal; readonly onAnswer: OnAnswer },
  ): Promise<Completion | null> {
    const uri = document.uri.toString();
    try {
      const around = await attachAround(document, position, place);
      if (around === null) return null;
      const completion = await complete(this.#parts, around, place, signal, onAnswer);
      this.#pauses.answered(uri);
      return completion;
    } catch (error) {
      if (isServiceError(error)) this.#pauses.failed(uri, error, Date.now());
      throw error;
    }
  }
}

/** Whether the file may no longer be sent. Then the answer of an earlier request is not shown either. */
async function isExcluded({ uri }: vscode.TextDocument): Promise<boolean> {
  return (await whyFileExcluded(uri.toString())) !== null;
}

function placeAt(document: vscode.TextDocument, position: vscode.Position, skipped: number): Place {
  const start = new vscode.Position(Math.max(0, position.line - linesBefore), 0);
  const end = new vscode.Position(position.line + linesAfter + 1, 0);
  const after = new vscode.Range(position.translate(0, skipped), end);
  return placeIn(document.getText(new vscode.Range(start, position)), document.getText(document.validateRange(after)));
}

/**
 * Returns the code around the cursor, cut out of the whole document, or null if the document has changed while it was
 * read.
 */
async function attachAround(
  document: vscode.TextDocument,
  position: vscode.Position,
  { before, after }: Place,
): Promise<Attachment | null> {
  const { uri, languageId, version } = document;
  const closed = autoClosed(document.lineAt(position).text.slice(position.character));
  const made = await makeContent([uri], () => document.getText().replaceAll('\r\n', '\n'), { outside: 'refuse' });
  if (document.version !== version) return null;
  const label = document.isUntitled ? document.fileName : relativePath(uri);
  return attachmentOf(made, { label, uri, languageId }, (content) => {
    const at = offsetOf(content.text, position);
    const end = at + closed.length;
    return joinOf([sliceOf(content, at - before.length, at), cursorMark, sliceOf(content, end, end + after.length)]);
  });
}
