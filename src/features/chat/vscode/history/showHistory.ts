import * as vscode from 'vscode';
import { asText, nothingItem } from '../../../../platform/messages/asText.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import { showFailure } from '../../../../platform/messages/withErrorReporting.ts';
import type { Session } from '../../../../session/session.ts';
import type { ConversationSummary, SearchHit } from '../../../../store/conversations/conversationSummary.ts';
import type { ConversationStore } from '../../../../store/conversations/conversations.ts';
import { isServiceError } from '../../../../util/errors.ts';
import type { ChatViewProvider } from '../chatViewProvider.ts';
import { Newest } from './newest.ts';

const t = vscode.l10n.t;

interface Item extends vscode.QuickPickItem {
  /** The id of the conversation; empty for the item of an empty list. */
  readonly id: string;
  readonly title: string;
  readonly isPinned: boolean;
}

/** The time in milliseconds between the last key press and the search in all conversations. */
const searchRestMs = 150;

const rename: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: t('Rename') };
const pin: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('pin'), tooltip: t('Pin') };
const unpin: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('pinned'), tooltip: t('Unpin') };
const remove: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: t('Delete') };

/** Lists the conversations of this workspace; the user's input is searched in their full text. */
export async function showHistory(services: {
  readonly view: ChatViewProvider;
  readonly session: Session;
  readonly store: ConversationStore;
}): Promise<void> {
  const { view, session, store } = services;
  const picker = vscode.window.createQuickPick<Item>();
  picker.title = t('Conversations in this workspace');
  picker.placeholder = t('Search in titles, questions and answers');
  picker.matchOnDetail = true;
  const show = (found: readonly (ConversationSummary | SearchHit)[]): void => {
    picker.busy = false;
    const words = picker.value.trim();
    picker.items = found.length > 0 ? found.map(itemOf) : [words === '' ? noConversations() : noMatch(words)];
  };
  const search = new Newest<string, readonly ConversationSummary[]>({
    run: (words, signal) => (words === '' ? store.list() : store.search(words, signal)),
    done: show,
    failed: (error) => {
      picker.busy = false;
      if (isServiceError(error)) void showFailure(error, '');
    },
    restMs: searchRestMs,
  });
  picker.onDidChangeValue((typed) => {
    picker.busy = true;
    search.ask(typed.trim());
  });
  picker.onDidTriggerItemButton(async ({ item, button }) => {
    if (button === remove) await deleteOne(session, store, item);
    else if (button === rename) await renameOne(session, store, item);
    else await pinOne(session, store, item);
    // A confirmation hides the list; it is built again afterwards.
    picker.hide();
    await showHistory(services);
  });
  picker.onDidAccept(async () => {
    const id = (picker.selectedItems[0] ?? picker.activeItems[0])?.id;
    if (id === '' && picker.value.trim() !== '') {
      // VS Code does not report a change by code.
      picker.value = '';
      await search.askNow('');
      return;
    }
    picker.hide();
    if (id === undefined) return;
    if (id === '') {
      session.newConversation();
      await view.reveal();
      return;
    }
    const conversation = id === session.conversation.id ? undefined : await store.load(id);
    if (conversation !== undefined) session.open(conversation);
    await view.reveal();
  });
  picker.onDidHide(() => {
    search.cancel();
    picker.dispose();
  });
  picker.busy = true;
  picker.show();
  await search.askNow('');
}

function itemOf(summary: ConversationSummary | SearchHit): Item {
  return {
    id: summary.id,
    title: summary.title,
    isPinned: summary.isPinned,
    label: `${summary.isPinned ? '$(pinned) ' : ''}${asText(summary.title)}`,
    description: asText([new Date(summary.updatedAt).toLocaleString(vscode.env.language), summary.model].join(' · ')),
    ...('excerpt' in summary ? { detail: asText(summary.excerpt) } : {}),
    // The text matches, so the shown label need not match.
    alwaysShow: 'excerpt' in summary,
    buttons: [rename, summary.isPinned ? unpin : pin, remove],
  };
}

function noConversations(): Item {
  const why = t('There is no conversation in this workspace yet.');
  return { ...nothingItem('add', t('New Chat'), why), id: '', title: '', isPinned: false };
}

function noMatch(words: string): Item {
  const why = t('No conversation of this workspace contains “{0}”.', words);
  return { ...nothingItem('clear-all', t('Clear Search'), why), id: '', title: '', isPinned: false };
}

async function deleteOne(session: Session, store: ConversationStore, { id, title }: Item): Promise<void> {
  const yes = t('Delete');
  const message = t('Delete “{0}”? This cannot be undone.', title);
  if ((await showWarning(message, { modal: true }, yes)) !== yes) return;
  await store.delete(id);
  if (id === session.conversation.id) session.newConversation();
}

async function renameOne(session: Session, store: ConversationStore, { id, title }: Item): Promise<void> {
  const typed = await vscode.window.showInputBox({ title: t('Rename'), value: title });
  if (typed === undefined) return;
  await store.rename(id, typed.trim());
  await follow(session, store, id);
}

async function pinOne(session: Session, store: ConversationStore, { id, isPinned }: Item): Promise<void> {
  await store.setPinned(id, !isPinned);
  await follow(session, store, id);
}

/** Applies the change to the shown conversation too, so that its next save keeps the change. */
async function follow(session: Session, store: ConversationStore, id: string): Promise<void> {
  if (id !== session.conversation.id) return;
  const stored = await store.load(id);
  if (stored === undefined) return;
  const { title, isPinned } = stored;
  session.describe({ ...(title === undefined ? {} : { title }), ...(isPinned === undefined ? {} : { isPinned }) });
}
