import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { verifyAuditLog } from '../../../src/features/audit/vscode/auditCommands.ts';
import { HistoryKeeper } from '../../../src/features/chat/vscode/history/historyKeeper.ts';
import { openLink } from '../../../src/features/chat/vscode/openLink.ts';
import { outcomeIds, PanelMessages, refusalId } from '../../../src/features/chat/vscode/panelMessages.ts';
import { hintInPanel, panelOutcomes, showInPanel } from '../../../src/features/chat/vscode/panelOutcomes.ts';
import { showWork } from '../../../src/features/chat/vscode/panelWork.ts';
import { warnIfContradicted } from '../../../src/features/compliance/vscode/describeReceipt.ts';
import { failedToPlace } from '../../../src/features/edits/vscode/unusableCode.ts';
import { useCode } from '../../../src/features/edits/vscode/useCode.ts';
import { describeError } from '../../../src/platform/messages/errors/describeError.ts';
import { showHint } from '../../../src/platform/messages/hint.ts';
import { setPanelPlace } from '../../../src/platform/messages/panelPlace.ts';
import type { Retention } from '../../../src/platform/settings/requestContextReader.ts';
import { errorOf } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import { createConversationStore } from '../../../src/store/conversations/conversations.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { fieldsOf, type TurnFields, turnOf } from '../../tools/turns.ts';
import { answering, errorsShown, pressing } from './dialogs.ts';
import { emptyMemento, OwnParts } from './ownParts.ts';
import { openStage, openStageWithKey, type Stage, storeKey, until } from './stage.ts';

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

describe('messages of the panel', () => {
  let stage: Stage;
  let folder: string;
  let messages: PanelMessages;
  let session: Session;
  let retention: Retention;
  let owned: vscode.Disposable;
  const titles = (): readonly string[] => messages.shown.map(({ card }) => card.title);

  beforeEach(async () => {
    stage = await openStageWithKey();
    folder = mkdtempSync(join(tmpdir(), 'svc-history-'));
    messages = new PanelMessages();
    retention = 'keep';
  });
  afterEach(async () => {
    owned.dispose();
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const keep = (under = folder): HistoryKeeper => {
    const { dispatch } = new OwnParts();
    session = new Session(dispatch);
    const store = createConversationStore({ folder: under, logger: silent });
    const parts = { session, store, state: emptyMemento(), retention: () => retention, messages, logger: silent };
    const keeper = new HistoryKeeper(parts);
    owned = vscode.Disposable.from(keeper, store, session, messages);
    return keeper;
  };
  const ask = async (keeper: HistoryKeeper): Promise<void> => {
    const turn = await session.ask({ action: 'chat', prompt: 'Hello', attachments: [] });
    assert.equal(turn.state.status, 'complete', JSON.stringify(errorOf(turn)));
    await keeper.flush();
  };

  it('report that a conversation was removed under zero retention, until another is shown', async () => {
    const keeper = keep();
    await ask(keeper);
    retention = 'none';
    keeper.reconsider();
    await until(messages.onDidChange, () => titles().length > 0);
    assert.deepEqual(titles(), [
      'Zero retention is on now. This conversation was removed from the disk and is no longer saved.',
    ]);
    session.newConversation();
    assert.deepEqual(titles(), []);
  });

  it('report that a conversation was deleted in another window, until they are closed', async () => {
    const keeper = keep();
    await ask(keeper);
    const other = createConversationStore({ folder, logger: silent });
    await other.delete(session.conversation.id);
    other.dispose();
    await ask(keeper);
    await until(messages.onDidChange, () => titles().length > 0);
    assert.match(titles().join(), /^This conversation was deleted in another window\./);
    messages.dismiss(...messages.shown.map(({ id }) => id));
    assert.deepEqual(titles(), []);
  });

  it('report that a conversation cannot be saved, with a link to the log, until it can', async () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, 'a file where the folder goes');
    const keeper = keep(blocked);
    await ask(keeper);
    await until(messages.onDidChange, () => titles().length > 0);
    assert.deepEqual(
      messages.shown.map(({ card }) => [card.severity, card.actions.map(({ id }) => id)]),
      [['error', ['showLog']]],
    );
    rmSync(blocked);
    mkdirSync(blocked);
    await ask(keeper);
    await until(messages.onDidChange, () => titles().length === 0);
  });

  it('report that a conversation is damaged, and name the file', async () => {
    const keeper = keep();
    await ask(keeper);
    const [name = ''] = readdirSync(folder).filter((each) => each.startsWith(session.conversation.id));
    owned.dispose();
    writeFileSync(join(folder, name), '{"not": ');
    const before = session.conversation.id;
    messages = new PanelMessages();
    const store = createConversationStore({ folder, logger: silent });
    const parts = { session, store, state: emptyMemento(), retention: () => retention, messages, logger: silent };
    owned = vscode.Disposable.from(new HistoryKeeper(parts), store, messages);
    await store.load(before).catch(() => undefined);
    assert.match(
      titles().join(),
      /^(A conversation file is damaged and was moved aside|Could not read a conversation): .*\./,
    );
  });

  it('offer what helps if code of an answer cannot be used', async () => {
    keep();
    const { contextReader } = new OwnParts();
    const asked: string[] = [];
    /** Uses the only block of an answer; what the panel shows then. */
    const use = async (way: 'insert' | 'newFile' | 'apply', info: string, text: string) => {
      const turn = turnOf({ id: 'a', prompt: 'Why?', model: 'm', answer: `\`\`\`${info}\n${text}\n\`\`\`\n` });
      const params = { turnId: 'a', way, info, text } as const;
      messages.dismiss(refusalId);
      await messages.answering(() =>
        useCode({ proposals: undefined as never, contextReader }, [turn], params, (question) => asked.push(question)),
      );
      return messages.shown.map(({ card: { title, actions } }) => [title, ...actions.map(({ label }) => label)]);
    };
    const press = (action: 'askAgain' | 'asNewFile' | 'openFile') => messages.perform(refusalId, action);
    const isOpen = (text: string) => (): boolean => vscode.window.activeTextEditor?.document.getText() === text;
    const shown = (text: string) => until(vscode.window.onDidChangeActiveTextEditor, isOpen(text));

    assert.deepEqual(await use('apply', 'ts', 'nameless();'), [
      ['The code does not name a file in the workspace.', 'Insert at Cursor', 'New File'],
    ]);
    assert.equal(press('asNewFile'), true);
    await shown('nameless();\n');

    assert.deepEqual(await use('apply', 'ts a/.env', 'A=1'), [[titles()[0], 'New File']]);
    assert.match(titles()[0] ?? '', /^The code cannot be applied: a\/\.env is excluded by /);

    const part = 'function a() {\n  // ... existing code ...\n}';
    for (const way of ['insert', 'newFile'] as const) {
      assert.deepEqual(await use(way, 'ts', part), [
        ['The code leaves out other lines (// ... existing code ...), so it was not used.', 'Ask for the Whole Code'],
      ]);
    }
    assert.deepEqual((await use('apply', 'ts not/there.ts', part))[0]?.[1], 'Ask for the Whole Code');
    press('askAgain');
    await until(messages.onDidChange, () => messages.shown.length === 0);
    assert.deepEqual(asked, ['Give the whole code again, without leaving anything out.']);

    const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
    const excluded = vscode.Uri.joinPath(root, 'refused', '.env');
    const long = vscode.Uri.joinPath(root, 'refused', 'long.ts');
    const text = `${Array.from({ length: 60 }, (_, line) => `export const value${line} = ${line};`).join('\n')}\n`;
    await vscode.workspace.fs.writeFile(excluded, Buffer.from('A=1\n'));
    await vscode.workspace.fs.writeFile(long, Buffer.from(text));
    try {
      await vscode.window.showTextDocument(excluded);
      assert.deepEqual((await use('insert', 'sh', 'B=2'))[0]?.[1], 'New File');
      assert.match(titles()[0] ?? '', /^The code cannot be inserted: refused\/\.env is excluded by /);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), 'A=1\n');

      const failed = new ServiceError('protocol', '', { code: 'misplaced-code' });
      const ask = (question: string): unknown => asked.push(question);
      messages.dismiss(refusalId);
      await messages.answering(() => Promise.reject(failedToPlace(failed, long, { ask })));
      const [{ card } = assert.fail()] = messages.shown;
      assert.deepEqual(
        card.actions.map(({ label }) => label),
        ['Ask for the Whole Code', 'Open File'],
      );
      assert.equal(
        failedToPlace(new ServiceError('network', '', { externalCode: 'ECONNREFUSED' }), long, { ask }) instanceof
          ServiceError,
        true,
      );
      press('openFile');
      await shown(text);
    } finally {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(root, 'refused'), { recursive: true });
    }
  });

  it('explain why code or a link of an answer cannot be used, until the next request', async () => {
    keep();
    const { contextReader } = new OwnParts();
    const use = (): Promise<void> =>
      useCode({ proposals: undefined as never, contextReader }, [], {
        turnId: 'a',
        way: 'insert',
        info: 'ts',
        text: 'a',
      });
    assert.deepEqual(await errorsShown(() => messages.answering(use)), []);
    assert.deepEqual(titles(), ['The answer is incomplete, so its code cannot be used.']);
    const answer = 'Here:\n\n```ts\na\n```\n';
    const whole: TurnFields = { id: 'a', prompt: 'Why?', model: 'm', answer };
    for (const finishReason of ['length', 'content_filter']) {
      messages.dismiss(refusalId);
      const turns = [turnOf({ ...whole, finishReason })];
      for (const way of ['insert', 'newFile', 'apply'] as const) {
        await messages.answering(() =>
          useCode({ proposals: undefined as never, contextReader }, turns, { turnId: 'a', way, info: 'ts', text: 'a' }),
        );
        assert.deepEqual(titles(), ['The answer is incomplete, so its code cannot be used.'], finishReason);
      }
    }
    const clean = new ServiceError('interrupted', 'It ended.', { code: 'end', details: { isClean: true } });
    const doubtful: readonly TurnFields[] = [
      { status: 'complete', finishReason: 'network_error' },
      { status: 'complete', finishReason: 'unknown' },
      { status: 'interrupted', error: clean },
    ];
    messages.dismiss(refusalId);
    for (const how of doubtful) {
      const turns = [turnOf({ ...whole, ...how })];
      // It is copied all the same: only its use is a question.
      const asked = await answering(undefined, () =>
        useCode({ proposals: undefined as never, contextReader }, turns, {
          turnId: 'a',
          way: 'newFile',
          info: 'ts',
          text: 'a',
        }),
      );
      assert.deepEqual([asked.map(({ buttons }) => buttons), titles()], [[['Use It', 'Always Use Them']], []]);
    }
    const broken = turnOf({
      ...whole,
      status: 'interrupted',
      error: new ServiceError('interrupted', 'It broke.', { code: 'reset' }),
    });
    await messages.answering(() =>
      useCode({ proposals: undefined as never, contextReader }, [broken], {
        turnId: 'a',
        way: 'newFile',
        info: 'ts',
        text: 'a',
      }),
    );
    assert.deepEqual(titles(), ['The answer is incomplete, so its code cannot be used.']);
    const open = turnOf({ ...whole, finishReason: 'stop', answer: 'Here:\n\n```ts\na\n' });
    // In CommonMark, the block ends at the end of the inner one.
    const cut = turnOf({ ...fieldsOf(open), answer: '```md\n# Pay\n```sh\nnpm i\n```\nThen pay.\n```\n' });
    const unclear = 'The code contains code fences, so its end is unclear. Ask for a longer fence.';
    for (const [turn, text, said] of [
      [open, 'a', 'The answer is incomplete, so its code cannot be used.'],
      [cut, '# Pay\n```sh\nnpm i', unclear],
    ] as const) {
      for (const way of ['insert', 'newFile', 'apply'] as const) {
        messages.dismiss(refusalId);
        await messages.answering(() =>
          useCode({ proposals: undefined as never, contextReader }, [turn], { turnId: 'a', way, info: 'ts', text }),
        );
        assert.deepEqual(titles(), [said], way);
      }
    }
    await messages.answering(() => openLink('command:workbench.action.quit'));
    assert.deepEqual(titles(), ['The link was not opened: only web and mail addresses are allowed.']);
    await answering(undefined, () => messages.answering(() => openLink('https://example.com/')));
    assert.deepEqual(titles(), []);
  });
});

describe('the result of a command', () => {
  const titles = ({ shown }: PanelMessages): readonly string[] =>
    shown.map(({ card: { title, detail = '', actions } }) => {
      const buttons = actions.map(({ label }) => label).join(', ');
      return `${title} ${detail}: ${buttons}`.replace(' :', ':').replace(/: $/, '');
    });
  const reveal = (done: string[]) => ({ id: 'reveal', label: 'Reveal', run: () => done.push('revealed') }) as const;

  it('the result of a review replaces the result of an earlier one', () => {
    const messages = new PanelMessages();
    const outcomes = panelOutcomes({ isVisible: true }, messages);
    outcomes.review(false, 'Review incomplete.', 'showReview');
    outcomes.review(true, 'Review complete.', 'showReview');
    assert.deepEqual(
      messages.shown.map(({ card: { severity, title } }) => [severity, title]),
      [['info', 'Review complete.']],
    );
    outcomes.review(false, 'Review incomplete again.');
    assert.deepEqual(
      messages.shown.map(({ card: { severity, title } }) => [severity, title]),
      [['warning', 'Review incomplete again.']],
    );
  });

  it('is in the panel while that is visible, with buttons that do what the message knows', () => {
    const messages = new PanelMessages();
    const outcomes = panelOutcomes({ isVisible: true }, messages);
    const done: string[] = [];
    outcomes.info('Exported to /a.', reveal(done), 'showLog');
    const [{ id, card } = assert.fail()] = messages.shown;
    assert.deepEqual(
      card.actions.map(({ label }) => label),
      ['Reveal', 'Show Log'],
    );
    assert.deepEqual(
      [messages.perform(id, 'reveal'), messages.perform(id, 'retry'), done],
      [true, false, ['revealed']],
    );
    const failed = new ServiceError('network', '', { externalCode: 'ECONNREFUSED' });
    showInPanel(messages, describeError(failed, { canRetry: true, canContinue: false }) ?? assert.fail(), () =>
      done.push('again'),
    );
    assert.equal(messages.shown.length, 1);
    assert.ok(messages.shown[0]?.card.actions.some((action) => action.id === 'retry'));
    // Another message has taken the place of the first.
    assert.equal(messages.perform(id, 'reveal'), false);
    assert.equal(messages.perform(id, 'retry'), true);
    assert.deepEqual([done, messages.shown], [['revealed', 'again'], []]);
    assert.equal(messages.perform(id, 'retry'), false);
    messages.dispose();
  });

  it('is preceded by the work as it is under way, in its place, which the user can cancel', () => {
    const messages = new PanelMessages();
    messages.show('other', { severity: 'info', title: 'Other', actions: [] });
    let isCancelled = false;
    const work = showWork(messages, 'Svc is reviewing…', () => {
      isCancelled = true;
    });
    messages.show('another', { severity: 'info', title: 'Another', actions: [] });
    work.show({ words: '3 of 200' });
    assert.deepEqual(titles(messages), ['Other', 'Svc is reviewing… 3 of 200: Cancel', 'Another']);
    work.show({ words: 'Too many requests. Retrying in 3 s', canRetryNow: true });
    const [, { id } = assert.fail()] = messages.shown;
    assert.match(titles(messages)[1] ?? '', /: Retry Now, Cancel$/);
    assert.equal(messages.perform(id, 'retryNow'), true);
    assert.deepEqual([messages.perform(id, 'cancelWork'), isCancelled], [true, true]);
    const second = showWork(messages, 'Svc is reading the files…', () => undefined);
    work.end();
    assert.deepEqual(titles(messages), ['Other', 'Another', 'Svc is reading the files…: Cancel']);
    second.end();
    messages.dispose();
  });

  it('is a message of VS Code otherwise, with the same buttons', async () => {
    const messages = new PanelMessages();
    const done: string[] = [];
    await pressing('Reveal', async () => {
      panelOutcomes({ isVisible: false }, messages).info('Exported to /a.', reveal(done));
      while (done.length === 0) await new Promise(setImmediate);
    });
    assert.deepEqual([done, messages.shown], [['revealed'], []]);
    messages.dispose();
  });
});

describe('a short note', () => {
  it('is in the panel while that is visible, until the next action, and a message of VS Code otherwise', async () => {
    const messages = new PanelMessages();
    let isVisible = true;
    const place = setPanelPlace({
      isVisible: () => isVisible,
      begin: () => assert.fail('begin'),
      fail: () => assert.fail('fail'),
      hint: (hint) => hintInPanel(messages, hint),
    });
    const done: string[] = [];
    const button = { label: 'Show It', run: () => done.push('shown') };
    try {
      showHint('Open a file first.');
      assert.deepEqual(messages.shown, [
        { id: outcomeIds.hint, card: { severity: 'info', isQuiet: true, title: 'Open a file first.', actions: [] } },
      ]);
      showHint('Left out: .env', { isWarning: true, button });
      assert.deepEqual(
        messages.shown.map(({ card }) => [card.severity, card.title]),
        [['warning', 'Left out: .env']],
      );
      assert.equal(messages.perform(outcomeIds.hint, 'reveal'), true);
      messages.onAction();
      assert.deepEqual([messages.shown, done], [[], ['shown']]);
      isVisible = false;
      await pressing('Show It', async () => {
        showHint('Written.', { button });
        while (done.length < 2) await new Promise(setImmediate);
      });
      assert.deepEqual(messages.shown, []);
    } finally {
      place.dispose();
      messages.dispose();
    }
  });
});

describe('a message outside of the panel', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage();
  });
  afterEach(() => stage.close());

  it('is a failure with a button, so that it stays until the user closes it', async () => {
    const ofKey = await errorsShown(() => vscode.commands.executeCommand('svc.validateToken'));
    assert.match(ofKey[0]?.message ?? '', /^No API key is stored for 127\.0\.0\.1/);
    assert.deepEqual(ofKey[0]?.buttons, ['Set API Key']);
    const [ofReview] = await errorsShown(() => vscode.commands.executeCommand('svc.reviewFile', { frameworks: 5 }));
    assert.deepEqual(ofReview?.buttons, ['Show Log']);
  });

  it('reports a broken audit log, or a service that contradicts a header, with a link to details', async () => {
    const altered = { file: 'a.jsonl', line: 2, reason: 'altered' } as const;
    const broken = { verdict: 'broken', files: 1, records: 2, breaks: [altered] } as const;
    const header = { name: 'Svc-Zero-Retention', requested: 'true', said: 'false', verdict: 'contradicted' } as const;
    const shown = await errorsShown(async () => {
      await verifyAuditLog({ audit: { folder: '', verify: async () => broken } } as never);
      warnIfContradicted({ verdict: 'contradicted', headers: [header], text: '' });
    });
    assert.match(shown[0]?.message ?? '', /^The audit log was changed\. a\.jsonl, line 2: /);
    assert.match(shown[1]?.message ?? '', /Svc-Zero-Retention: You asked for true; the service reports false\.$/);
    assert.deepEqual(
      shown.map(({ buttons }) => buttons),
      [['Open Audit Log'], ['Show Compliance Settings']],
    );
  });

  it('waits for the answer whether a key is stored that could not be checked', async () => {
    await stage.set('svc.baseUrl', 'http://127.0.0.1:9/api/v1');
    let stored: unknown;
    const asked = await answering(undefined, async () => {
      stored = await storeKey();
    });
    assert.deepEqual(
      asked.map(({ buttons }) => buttons),
      [['Store Anyway']],
    );
    assert.equal((stored as { ok: boolean }).ok, false);
  });

  it('asks the same where a page of the network answers: it says nothing about the key', async () => {
    for (const scenario of ['page-unauthorized', 'page-forbidden'] as const) {
      stage.service.setScenario(scenario, { endpoints: ['/auth/token'] });
      const asked = await answering(undefined, storeKey);
      assert.deepEqual([asked.length, asked[0]?.buttons], [1, ['Store Anyway']], scenario);
    }
    stage.service.setScenario('unauthorized', { endpoints: ['/auth/token'] });
    assert.deepEqual(await answering(undefined, storeKey), []);
  });

  it('waits for the answer whether a running answer may be stopped', async () => {
    await storeKey();
    stage.service.clear();
    const held = stage.service.holdChunks();
    const first = vscode.commands.executeCommand('svc.openChat', { prompt: 'One' });
    await stage.service.waitFor(() => stage.service.chats.length === 1);
    const asked = await answering(undefined, () => vscode.commands.executeCommand('svc.openChat', { prompt: 'Two' }));
    assert.deepEqual(
      asked.map(({ message, buttons }) => [message, buttons]),
      [['An answer is still being written. Stop it and send this request?', ['Stop and Send']]],
    );
    held.release(1000);
    await first;
    assert.equal(stage.service.chats.length, 1);
  });
});
