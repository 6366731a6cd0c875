import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ChatViewProvider } from '../../../src/features/chat/vscode/chatViewProvider.ts';
import { PanelMessages } from '../../../src/features/chat/vscode/panelMessages.ts';
import { OpenReceipts } from '../../../src/features/chat/vscode/turn/openReceipts.ts';
import { NextRequest } from '../../../src/features/context/vscode/nextRequest.ts';
import type { PanelChanges } from '../../../src/features/edits/vscode/changes/panelChanges.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import type { ChangesView } from '../../../src/protocol/changesView.ts';
import type { EventsMessage, ViewEvent } from '../../../src/protocol/panelEvents.ts';
import { LearnedForms } from '../../../src/send/form/learnedForms.ts';
import { Session } from '../../../src/session/session.ts';
import { Emitter } from '../../../src/util/event.ts';
import { OwnParts } from './ownParts.ts';
import { openStage, type Stage, until } from './stage.ts';

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const onDidChange = new Emitter<never>().event;

/** A page in place of the webview: it keeps what it gets. */
class FakePage {
  readonly events: ViewEvent[] = [];
  readonly #messages = new Emitter<unknown>();
  readonly #got = new Emitter<unknown>();
  #calls = 0;
  readonly view = {
    visible: true,
    onDidChangeVisibility: onDidChange,
    onDidDispose: onDidChange,
    webview: {
      options: {},
      html: '',
      cspSource: '',
      asWebviewUri: (uri: vscode.Uri) => uri,
      onDidReceiveMessage: this.#messages.event,
      postMessage: async (message: EventsMessage | { readonly type: 'reply' }) => {
        if (message.type === 'events') this.events.push(...message.events);
        else this.#got.fire(message);
      },
    },
  };

  /** Calls the host, and returns its reply. */
  async call(method: string, params?: unknown): Promise<unknown> {
    const replies: unknown[] = [];
    const listening = this.#got.event((reply) => replies.push(reply));
    const answered = until(this.#got.event, () => replies.length > 0);
    this.#calls += 1;
    this.#messages.fire({ type: 'call', id: this.#calls, method, params });
    await answered;
    listening.dispose();
    return replies[0];
  }
}

class FakeChanges implements PanelChanges {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly asked: (readonly unknown[])[] = [];
  #shown: ChangesView | undefined;
  readonly view = (): ChangesView | undefined => this.#shown;
  readonly proposeAll: PanelChanges['proposeAll'] = async (turnId) => this.#note('proposeAll', turnId);
  readonly open = async (id: string): Promise<void> => this.#note('open', id);
  readonly carryOver: PanelChanges['carryOver'] = async (id, version) => this.#note('carryOver', id, version);
  readonly decideAll: PanelChanges['decideAll'] = async (decision, at) => this.#note('decideAll', decision, at);
  readonly undo: PanelChanges['undo'] = async (at) => {
    this.#note('undo', at);
    return true;
  };
  readonly close = (): void => this.#note('close');
  readonly decisions = (): undefined => undefined;
  readonly told = (): void => undefined;

  readonly decide: PanelChanges['decide'] = async (id, version, decision) => {
    this.#note('decide', id, version, decision);
    if (id === 'gone') throw new Refusal('This change is no longer proposed.');
  };

  show(changes: ChangesView | undefined): void {
    this.#shown = changes;
    this.#changed.fire();
  }

  #note(...what: readonly unknown[]): void {
    this.asked.push(what);
  }
}

describe('proposed changes in the panel', () => {
  let stage: Stage;
  let page: FakePage;
  let changes: FakeChanges;
  let messages: PanelMessages;
  let owned: vscode.Disposable;
  let session: Session;
  /** Runs while a question is composed. */
  let whileComposing: () => unknown;

  beforeEach(async () => {
    stage = await openStage();
    const { dispatch, contextReader } = new OwnParts();
    page = new FakePage();
    changes = new FakeChanges();
    messages = new PanelMessages();
    session = new Session(dispatch);
    whileComposing = () => undefined;
    const nextAttachments = {
      keys: [],
      read: async () => {
        await whileComposing();
        return [];
      },
    };
    const next = new NextRequest();
    const shown = { shown: undefined, onDidChange };
    const parts = {
      ...{ session, contextReader, messages, changes, logger: silent, learned: new LearnedForms() },
      next,
      attachments: { chips: [], problem: '', onDidChange, clear() {} },
      nextAttachments,
      instructions: { chips: [], isRead: true, onDidChange },
      waiting: { ...shown, onDidGiveBack: onDidChange, takeBack() {}, requireNone() {} },
      starters: { shown: { items: [], hint: { text: '', names: [] } }, onDidChange },
      ...{ currentFile: shown, meter: shown, receipts: new OpenReceipts(), onFirstShown() {} },
      extensionUri: vscode.Uri.file('/extension'),
    };
    const provider = new ChatViewProvider(parts as never);
    provider.resolveWebviewView(page.view as never);
    owned = vscode.Disposable.from(provider, next, session, messages);
  });
  afterEach(async () => {
    owned.dispose();
    await stage.close();
  });

  const at = { set: 's', version: 7 };
  const proposed: ChangesView = { shown: at, title: 'Proposed: 1 file.', files: [], canDecide: true, hasOpen: true };

  it('come with no question in a conversation that was opened while the user asked', async () => {
    whileComposing = () => session.newConversation();
    const reply = await page.call('send', { text: 'Go on.', typed: 6 });
    assert.match(JSON.stringify(reply), /Another conversation or branch was opened/);
    assert.deepEqual([session.conversation.turns.length, stage.service.chats.length], [0, 0]);
    whileComposing = () => undefined;
    await page.call('send', { text: 'Hello', typed: 5 });
    assert.equal(session.conversation.turns.length, 1);
  });

  it('are in the snapshot, and told to the page when they change and when there are none', async () => {
    changes.show(proposed);
    assert.equal(page.events.length, 0, 'the page is not there yet');
    assert.deepEqual(await page.call('ready'), { type: 'reply', id: 1 });
    const [snapshot] = page.events.splice(0);
    assert.deepEqual(snapshot?.type === 'snapshot' && snapshot.state.changes, proposed);
    const written = { ...proposed, title: 'Written: 1 file.', hasOpen: false };
    changes.show(written);
    changes.show(undefined);
    assert.deepEqual(page.events.splice(0), [
      { type: 'changes-changed', changes: written },
      { type: 'changes-changed' },
    ]);
    await page.call('ready');
    const [again] = page.events;
    assert.ok(again?.type === 'snapshot' && !('changes' in again.state));
  });

  it('are decided by the calls of the page; what does not fit reaches nothing', async () => {
    await page.call('openChange', { id: 'a' });
    await page.call('decideChange', { id: 'a', version: 2, decision: 'accept' });
    await page.call('carryOverChange', { id: 'a', version: 3 });
    await page.call('decideChanges', { shown: at, decision: 'reject' });
    await page.call('undoChanges', { shown: at });
    await page.call('closeChanges');
    const asked = [
      ['open', 'a'],
      ['decide', 'a', 2, 'accept'],
      ['carryOver', 'a', 3],
      ['decideAll', 'reject', at],
      ['undo', at],
      ['close'],
    ];
    assert.deepEqual(changes.asked, asked);
    for (const [method, params] of [
      ['openChange', { id: ['a'] }],
      ['openChange', undefined],
      ['decideChange', { id: 'a', version: 2, decision: 'write' }],
      ['decideChange', { id: 'a', decision: 'accept' }],
      ['decideChange', { id: 'a', version: '2', decision: 'accept' }],
      ['carryOverChange', { id: 'a' }],
      ['decideChanges', { shown: at, decision: { accept: true } }],
      ['decideChanges', { decision: 'accept' }],
      ['decideChanges', { shown: { set: 's' }, decision: 'accept' }],
      ['undoChanges', undefined],
    ] as const) {
      const reply = await page.call(method, params);
      assert.ok(reply !== null && typeof reply === 'object' && 'err' in reply, method);
    }
    assert.deepEqual(changes.asked, asked);
  });

  it('the panel reports changes that can no longer be decided', async () => {
    await page.call('decideChange', { id: 'gone', version: 1, decision: 'accept' });
    assert.deepEqual(
      messages.shown.map(({ card }) => card.title),
      ['This change is no longer proposed.'],
    );
    await page.call('openChange', { id: 'a' });
    assert.deepEqual(messages.shown, [], 'the next action ends it');
  });
});
