import * as vscode from 'vscode';
import type { ReadOnlyDocuments } from '../../../platform/confirm/readOnlyDocument.ts';
import { showExactText, showPreview } from '../../../platform/confirm/showPreview.ts';
import { showHint } from '../../../platform/messages/hint.ts';
import { Refusal, replyWords } from '../../../platform/pages/callError.ts';
import { type CallHandlers, openChannel, ReplyValue } from '../../../platform/pages/channel.ts';
import { pageHtml } from '../../../platform/pages/pageHtml.ts';
import { whyChangesOff } from '../../../platform/settings/toolsEnabled.ts';
import type { PanelCalls } from '../../../protocol/panelCalls.ts';
import type { EventsMessage } from '../../../protocol/panelEvents.ts';
import type { Question } from '../../../session/conversation/turn.ts';
import type { Session } from '../../../session/session.ts';
import type { SessionEvent } from '../../../session/sessionEvent.ts';
import { Disposable } from '../../../util/disposable.ts';
import type { Logger } from '../../../util/logger.ts';
import { warnIfContradicted } from '../../compliance/vscode/describeReceipt.ts';
import type { ContextService } from '../../context/vscode/attachments/contextService.ts';
import type { CurrentFile } from '../../context/vscode/attachments/currentFile.ts';
import type { NextAttachments } from '../../context/vscode/attachments/nextAttachments.ts';
import type { PendingAttachments } from '../../context/vscode/attachments/pendingAttachments.ts';
import type { ProjectInstructions } from '../../context/vscode/attachments/projectInstructions.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';
import { applyAll } from '../../edits/vscode/applyAll.ts';
import type { PanelChanges } from '../../edits/vscode/changes/panelChanges.ts';
import { showRefusal } from '../../edits/vscode/offerOthers.ts';
import type { Sending } from '../../edits/vscode/placing/askWholeFile.ts';
import type { Proposals } from '../../edits/vscode/proposals.ts';
import { useCode } from '../../edits/vscode/useCode.ts';
import { showToolResult } from '../../tools/vscode/describeTool.ts';
import { act } from './act.ts';
import { panelShapes } from './calls.ts';
import { changeCalls } from './changeCalls.ts';
import { chatViewId } from './chatViewId.ts';
import { modeCalls } from './mode/modeCalls.ts';
import { openLink } from './openLink.ts';
import { outcomeIds, type PanelMessages } from './panelMessages.ts';
import { showProgressLine } from './progressLine.ts';
import { Publisher } from './publisher.ts';
import type { Meter } from './question/meter.ts';
import type { StarterOffers } from './question/starters.ts';
import { KeptText } from './question/unsentText.ts';
import type { WaitingQuestion } from './question/waitingQuestion.ts';
import { composedQuestion } from './question/waitingQuestion.ts';
import { viewStrings } from './strings.ts';
import { editSummary, undoSummary } from './turn/editSummary.ts';
import { editTurn, requireIdle, requireText } from './turn/editTurn.ts';
import { hasFiles } from './turn/hasFiles.ts';
import {
  attached,
  changesIn,
  contextEvents,
  meterIn,
  type ShownParts,
  sessionEvent,
  viewState,
  waitingIn,
} from './viewState.ts';
import { Wishes } from './wishes.ts';

const t = vscode.l10n.t;

interface ChatViewParts extends ShownParts {
  readonly starters: StarterOffers;
  readonly waiting: WaitingQuestion;
  readonly changes: PanelChanges;
  readonly meter: Meter;
  readonly currentFile: CurrentFile;
  readonly nextAttachments: NextAttachments;
  readonly extensionUri: vscode.Uri;
  readonly documents: ReadOnlyDocuments;
  readonly context: () => Promise<ContextService>;
  readonly proposals: Proposals;
  /** Sends requests outside the conversation. */
  readonly sending: Sending;
  /** Called when the panel is first shown. */
  readonly onFirstShown: () => void;
  readonly logger: Logger;
}

/** Connects the session with its view, which may be missing, hidden, or shown. The extension host owns all state. */
export class ChatViewProvider extends Disposable implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #session: Session;
  readonly #next: NextRequest;
  readonly #documents: ReadOnlyDocuments;
  readonly #attachments: PendingAttachments;
  readonly #instructions: ProjectInstructions;
  readonly #messages: PanelMessages;
  readonly #context: () => Promise<ContextService>;
  readonly #starters: StarterOffers;
  readonly #waiting: WaitingQuestion;
  readonly #unsent = new KeptText();
  #onFirstShown: (() => void) | undefined;
  readonly #logger: Logger;
  readonly #shown: ChatViewParts;
  #view: vscode.WebviewView | undefined;
  #publisher: Publisher | undefined;
  readonly #wishes = new Wishes();

  constructor(parts: ChatViewParts) {
    const { extensionUri, session, contextReader, next, documents, attachments, messages, context } = parts;
    const { instructions, starters, waiting, meter, onFirstShown, logger } = parts;
    super();
    this.#documents = documents;
    this.#attachments = attachments;
    this.#instructions = instructions;
    this.#messages = messages;
    this.#context = context;
    this.#starters = starters;
    this.#waiting = waiting;
    this.#onFirstShown = onFirstShown;
    this.#extensionUri = extensionUri;
    this.#session = session;
    this.#next = next;
    this.#logger = logger;
    this.#shown = parts;
    const onAttached = (): void => void this.#publisher?.publish({ type: 'attachments-changed', ...attached(parts) });
    for (const { onDidChange } of [attachments, parts.currentFile, instructions, next])
      this._register(onDidChange(onAttached));
    this._register(
      messages.onDidChange(() => this.#publisher?.publish({ type: 'messages-changed', messages: messages.shown })),
    );
    this._register(
      waiting.onDidChange(() => this.#publisher?.publish({ type: 'waiting-changed', ...waitingIn(parts) })),
    );
    this._register(
      parts.changes.onDidChange(() => this.#publisher?.publish({ type: 'changes-changed', ...changesIn(parts) })),
    );
    this._register(meter.onDidChange(() => this.#publisher?.publish({ type: 'meter-changed', ...meterIn(parts) })));
    this._register(waiting.onDidGiveBack(() => this.#takeWishes()));
    this._register(session.onDidChange((event) => this.#onSession(event)));
    this._register(
      starters.onDidChange(() => this.#publisher?.publish({ type: 'starters-changed', starters: starters.shown })),
    );
    this._register(showProgressLine(session));
    for (const source of [contextReader, next, parts.learned])
      this._register(source.onDidChange(() => this.#onContextChange()));
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#onFirstShown?.();
    this.#onFirstShown = undefined;
    this.#view = view;
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: [this.#root('dist', 'webview'), this.#root('media')] };
    const post = openChannel<PanelCalls, EventsMessage>(webview, {
      name: 'panel',
      shapes: panelShapes,
      handlers: this.#calls,
      wordsFor: replyWords,
      logger: this.#logger,
    });
    const publisher = new Publisher(post);
    this.#publisher = publisher;
    view.onDidChangeVisibility(() => {
      if (view.visible) return;
      publisher.close();
      // The user has hidden the panel, so these actions no longer apply.
      this.#wishes.drop('focus-composer', 'find-wanted');
    });
    view.onDidDispose(() => {
      publisher.close();
      if (this.#view === view) this.#view = undefined;
    });
    webview.html = pageHtml(webview, this.#extensionUri, {
      strings: viewStrings(),
      script: 'main.js',
      styles: ['panel.css', 'confirmation.css', 'context.css'],
    });
  }

  /** Whether the user sees the panel, even if it is still being opened. */
  get isVisible(): boolean {
    return this.#wishes.has('focus-composer') || this.#view?.visible === true;
  }

  /** Shows the panel and focuses the composer as soon as it exists. */
  async reveal(): Promise<void> {
    this.#wishes.want('focus-composer');
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.#takeWishes();
  }

  /** Opens a preview of the request that the composer's draft would send now. */
  async previewRequest(): Promise<void> {
    this.#wishes.want('preview-wanted');
    await this.reveal();
    this.#takeWishes();
  }

  /** Shows the panel and opens the search in its conversation. */
  async find(): Promise<void> {
    this.#wishes.want('find-wanted');
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.#takeWishes();
  }

  /** Clears the composer and the draft that VS Code stores for it. */
  async forgetDraft(): Promise<void> {
    this.#wishes.want('draft-purged');
    this.#waiting.forget();
    this.#unsent.forget();
    await this.reveal();
    this.#takeWishes();
  }

  readonly #calls: CallHandlers<PanelCalls> = {
    ready: () => {
      this.#publisher?.open({ type: 'snapshot', state: viewState(this.#shown) }, ...this.#unsent.events);
      this.#takeWishes();
    },
    send: async (message) => {
      requireText(message.text);
      this.#waiting.requireNone();
      this.#messages.onAction();
      // If an attachment cannot be read, the question stays in the composer.
      if (this.#session.isBusy) {
        await this.#shown.currentFile.pin();
        await this.#waiting.put(message);
      } else await this.#ask(message.text);
      this.#unsent.sent(message);
    },
    actOnWaiting: ({ act }) => {
      if (act === 'send') return this.#waiting.send();
      return act === 'edit' ? this.#waiting.giveBack() : this.#waiting.remove();
    },
    askStarter: ({ id }) =>
      this.#messages.answering(async () => {
        requireIdle(this.#session);
        const offered = this.#starters.find(id);
        if (offered === undefined) throw new Refusal(t('This suggestion is no longer available.'));
        await this.#attachments.add(offered.source);
        await this.#ask(offered.text);
      }),
    stop: () => this.#session.stop(),
    edit: async (params) => {
      await editTurn(this.#session, this.#context, params);
      this.#unsent.edited(params);
    },
    showBranch: ({ turnId }) => this.#session.showBranch(turnId),
    retryNow: ({ turnId }) => this.#session.retryNow(turnId),
    editSummary: (params) => {
      editSummary(this.#session, params);
      this.#unsent.summarized(params);
    },
    keepText: (text) => this.#unsent.keep(text),
    undoSummary: ({ turnId }) => undoSummary(this.#session, turnId),
    newChat: () => this.#session.newConversation(),
    act: (params) => act(this.#shown, params),
    decide: ({ turnId, asked, choice }) => this.#session.decide(turnId, asked, choice),
    showExactText: ({ turnId }) => showExactText(this.#documents, this.#session.conversation.turns, turnId),
    decideTool: ({ turnId, stepId, asked, decision }) => this.#session.decideTool(turnId, stepId, asked, decision),
    ...changeCalls(() => this.#shown),
    ...modeCalls(
      () => this.#shown,
      (text) => this.#ask(text),
    ),
    showToolResult: (about) => showToolResult(this.#documents, this.#session.conversation.turns, about),
    followEditor: () => this.#shown.currentFile.follow(),
    complete: async (question) => new ReplyValue(await (await this.#context()).complete(question)),
    chooseContext: async ({ id }) => (await this.#context()).choose(id),
    drop: async ({ uris }) => (await this.#context()).drop(uris),
    typeCommand: ({ name }) => this.#next.type(name),
    typeText: ({ bytes }) => this.#shown.meter.type(bytes),
    openAttachment: ({ id }) =>
      this.#messages.answering(async () => {
        const read = await this.#attachments.readOne(id);
        for (const { label, text } of read?.attachments ?? []) await this.#documents.show(`${label}.txt`, text);
      }),
    removeAttachment: ({ id }) => {
      if (!this.#instructions.leaveOut(id) && !this.#shown.currentFile.leaveOut(id)) this.#attachments.remove(id);
    },
    preview: ({ text }) =>
      this.#messages.answering(async () => {
        await showPreview(this.#documents, await this.#session.preview(await this.#question(text)));
      }),
    closeReceipt: ({ turnId, isSummary }) => this.#shown.receipts.close(turnId, isSummary),
    dismiss: ({ id }) => this.#messages.dismiss(id),
    copy: ({ text }) => vscode.env.clipboard.writeText(text),
    useCode: (params) =>
      this.#messages.answering(() => useCode(this.#shown, this.#session.conversation.turns, params, this.#askIdle)),
    applyAll: ({ turnId }) => this.#messages.answering(() => this.#applyAll(turnId)),
    openLink: ({ href }) => this.#messages.answering(() => openLink(href)),
    showHelp: () => vscode.commands.executeCommand('svc.showAccessibilityHelp'),
    chooseTools: () => vscode.commands.executeCommand('svc.chooseTools'),
    showPosture: () => vscode.commands.executeCommand('svc.showPosture'),
  };

  #onSession(event: SessionEvent): void {
    const isNewChat = event.type === 'conversation-changed' && this.#session.conversation.turns.length === 0;
    if (isNewChat || event.type === 'turn-added') this.#messages.dismiss(...Object.values(outcomeIds));
    // The view does not show a conversation that the user has left.
    if (event.type === 'conversation-left') return;
    const contradicted = this.#shown.receipts.onSession(this.#session, event);
    const isSeen = this.#publisher?.publish(sessionEvent(this.#shown, event)) === true;
    if (contradicted !== undefined && !isSeen) warnIfContradicted(contradicted);
  }

  #onContextChange(): void {
    for (const event of contextEvents(this.#shown)) this.#publisher?.publish(event);
  }

  /** Sends a text with its attachments, which stay attached if one of them cannot be read. */
  async #ask(text: string): Promise<void> {
    const { id } = this.#session.conversation;
    // The policy decides what a question may contain.
    await this.#shown.contextReader.refreshPolicy();
    const question = await this.#question(text);
    if (this.#session.conversation.id !== id)
      throw new Refusal(t('Another conversation or branch was opened. The question was not sent.'));
    requireIdle(this.#session);
    this.#attachments.clear();
    void this.#session.ask(question);
  }

  readonly #askIdle = async (question: string): Promise<void> => {
    requireIdle(this.#session);
    await this.#ask(question);
  };

  /** Proposes all code of the last answer in which several blocks name a file. */
  async applyAll(): Promise<void> {
    const id = this.#session.conversation.turns.findLast(hasFiles)?.id;
    if (id === undefined)
      return showHint(
        t('No answer in this chat has several blocks of code that name a file. For one, use Apply to File.'),
      );
    if (this.isVisible) await this.#messages.answering(() => this.#applyAll(id));
    else await this.#applyAll(id).catch(showRefusal);
  }

  /** Proposes all code of an answer as one set of changes, or, if changes of files are off, each file by itself. */
  async #applyAll(turnId: string): Promise<void> {
    const { changes, contextReader } = this.#shown;
    if (whyChangesOff(contextReader) === null) return changes.proposeAll(turnId, this.#askIdle);
    await applyAll(this.#shown, this.#session.conversation.turns, turnId, this.#askIdle);
  }

  #question(text: string): Promise<Question> {
    return composedQuestion(text, this.#shown.nextAttachments, this.#context);
  }

  #takeWishes(): void {
    const publisher = this.#publisher;
    this.#waiting.takeBack(
      ({ text, typed }) =>
        publisher?.publish({
          type: 'message-returned',
          typed: text.slice(0, typed),
          pasted: text.slice(typed).replace(/^\n\n/, ''),
        }) === true,
    );
    this.#wishes.take((wish) => publisher?.publish(wish) === true);
  }

  #root(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.#extensionUri, ...path);
  }
}
