import assert from 'node:assert/strict';
import type { WaitingQuestion } from '../../../../src/features/chat/vscode/question/waitingQuestion.ts';
import type { PendingAttachments } from '../../../../src/features/context/vscode/attachments/pendingAttachments.ts';
import type { Attachment } from '../../../../src/send/message/attachment.ts';
import { Session } from '../../../../src/session/session.ts';
import { ServiceError } from '../../../../src/util/errors.ts';
import { Emitter } from '../../../../src/util/event.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { attachment } from '../../session/attachment.ts';
import { FakeDispatch } from '../../session/fakeDispatch.ts';

const host = await hostModule<typeof import('../../../../src/features/chat/vscode/question/waitingQuestion.ts')>(
  'src/features/chat/vscode/question/waitingQuestion.ts',
  'en',
);
const question = { action: 'chat', prompt: 'First', attachments: [] } as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;
const finish = (finishReason: string) => ({ type: 'finish', finishReason }) as const;

/** Names of files that are read when the question is sent. */
class FakeAttachments {
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  names: readonly string[] = [];
  reads = 0;
  error: Error | undefined;
  /** Runs while they are read. */
  whileReading = (): void => undefined;

  get chips() {
    return this.names.map((label) => ({ id: label, label, size: '', icon: 'file' }));
  }

  get keys(): readonly string[] {
    return this.names;
  }

  async read(): Promise<readonly Attachment[]> {
    this.reads += 1;
    this.whileReading();
    if (this.error !== undefined) throw this.error;
    return this.names.map((label) => attachment({ label }));
  }

  moveTo(other: FakeAttachments): void {
    other.names = [...other.names, ...this.names];
    this.clear();
    other.#changed.fire();
  }

  clear(): void {
    this.names = [];
    this.#changed.fire();
  }
}

class Stage {
  readonly fake = new FakeDispatch();
  readonly session = new Session(this.fake.dispatch);
  readonly composer = new FakeAttachments();
  readonly held = new FakeAttachments();
  readonly errors: unknown[] = [];
  readonly pinned: string[] = [];
  /** The page of the composer is there. */
  hasPage = true;
  /** What the composer got back. */
  readonly back: { readonly text: string; readonly typed: number }[] = [];
  readonly waiting: WaitingQuestion = new host.WaitingQuestion({
    session: this.session,
    attachments: this.composer as unknown as PendingAttachments,
    held: this.held as unknown as PendingAttachments,
    context: async () => ({
      question: async (prompt) => ({ ...question, prompt, command: { name: 'tests', text: 'Write tests.' } }),
      pin: async (words) => void this.pinned.push(words),
    }),
    messages: {
      answering: (work) =>
        work().catch((error: unknown) => {
          this.errors.push(error);
        }),
    },
    logger: { warn: () => undefined },
  });

  constructor() {
    this.waiting.onDidGiveBack(() => this.takeBack());
  }

  takeBack(): void {
    this.waiting.takeBack(({ text: words, typed }) => this.hasPage && this.back.push({ text: words, typed }) > 0);
  }

  get prompts(): readonly string[] {
    return this.session.conversation.turns.map(({ question }) => question.prompt);
  }

  /** A running answer, and a question with a file that waits for it. */
  async begin(words = 'Next'): Promise<void> {
    void this.session.ask(question);
    this.fake.send(text('Half'));
    this.composer.names = ['a.ts'];
    await this.waiting.put({ text: words, typed: words.length });
  }

  end(finishReason = 'stop'): Promise<void> {
    this.fake.send(finish(finishReason));
    this.fake.end();
    return this.isIdle();
  }

  isIdle(): Promise<void> {
    return new Promise((resolve) => {
      const listening = this.session.onDidChange((event) => {
        if (event.type !== 'busy-changed' || event.busy) return;
        listening.dispose();
        resolve();
      });
    });
  }

  isAsked(): Promise<void> {
    return new Promise((resolve) => {
      this.session.onDidChange(({ type }) => type === 'turn-added' && resolve());
    });
  }

  /** Whatever is due now has happened: everything here takes a few microtasks at most. */
  settled(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve));
  }
}

describe('host: a waiting question', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.session.dispose());

  it('is sent when the answer is complete; its attachments are read only then', async () => {
    await stage.begin();
    assert.deepEqual([stage.composer.names, stage.held.names, stage.held.reads], [[], ['a.ts'], 0]);
    assert.deepEqual(stage.waiting.shown, { text: 'Next', attachments: stage.held.chips, isSending: false });
    const asked = stage.isAsked();
    await stage.end();
    await asked;
    assert.deepEqual(stage.prompts, ['First', 'Next']);
    assert.equal(stage.session.conversation.turns[1]?.question.attachments[0]?.label, 'a.ts');
    assert.equal(stage.waiting.shown, undefined);
    assert.deepEqual([stage.held.names, stage.held.reads], [[], 1]);
  });

  const ends: readonly (readonly [string, (stage: Stage) => void | Promise<void>])[] = [
    ['stopped', ({ session }) => session.stop()],
    ['failed', ({ fake }) => fake.end(new ServiceError('server', 'gone', {}))],
    ['cut at its maximum length', (running) => running.end('length')],
    ['stopped by the content filter', (running) => running.end('content_filter')],
  ];
  for (const [name, end] of ends) {
    it(`stays if the answer is ${name}, and is sent with Send`, async () => {
      await stage.begin();
      const idle = stage.isIdle();
      await end(stage);
      await idle;
      await stage.settled();
      assert.deepEqual(stage.prompts, ['First']);
      assert.equal(stage.waiting.shown?.text, 'Next');
      await stage.waiting.send();
      assert.deepEqual(stage.prompts, ['First', 'Next']);
      assert.equal(stage.waiting.shown, undefined);
    });
  }

  it('stays while the answer is continued or requested again, and is sent when that is complete', async () => {
    for (const way of ['continue', 'retry'] as const) {
      stage = new Stage();
      await stage.begin();
      await stage.end('length');
      void stage.session[way](stage.session.conversation.turns[0]?.id ?? '');
      stage.fake.send(text(' and the rest'));
      const asked = stage.isAsked();
      await stage.end();
      await asked;
      assert.deepEqual(stage.prompts, ['First', 'Next']);
      assert.deepEqual(stage.back, []);
    }
  });

  it('stops the answer and is sent, if the user confirms', async () => {
    await stage.begin();
    const asked = stage.isAsked();
    await stage.waiting.send();
    await asked;
    assert.deepEqual(
      stage.session.conversation.turns.map(({ state }) => state.status),
      ['stopped', 'waiting'],
    );
  });

  it('is only one: another is refused, and loses nothing', async () => {
    await stage.begin();
    stage.composer.names = ['b.ts'];
    const words = /A question is already waiting\. Send, edit, or remove it first\./;
    assert.throws(() => stage.waiting.requireNone(), words);
    await assert.rejects(stage.waiting.put({ text: 'More', typed: 4 }), words);
    assert.deepEqual([stage.composer.names, stage.held.names], [['b.ts'], ['a.ts']]);
    assert.equal(stage.waiting.shown?.text, 'Next');
  });

  it('goes back to the composer with its attachments, or is removed', async () => {
    await stage.begin();
    stage.composer.names = ['b.ts'];
    stage.waiting.giveBack();
    assert.deepEqual(stage.back, [{ text: 'Next', typed: 4 }]);
    assert.deepEqual([stage.composer.names, stage.held.names], [['b.ts', 'a.ts'], []]);
    assert.equal(stage.waiting.shown, undefined);
    await stage.waiting.put({ text: 'Again', typed: 5 });
    stage.waiting.remove();
    stage.waiting.requireNone();
    await stage.end();
    await stage.settled();
    assert.deepEqual(stage.prompts, ['First']);
    assert.equal(stage.back.length, 1);
  });

  it('goes back to the composer if its conversation or branch is left', async () => {
    const leave: readonly ((session: Session) => void)[] = [
      (session) => session.newConversation(),
      (session) => session.open({ id: 'other', createdAt: 0, turns: [] }),
    ];
    for (const go of leave) {
      stage = new Stage();
      await stage.begin();
      go(stage.session);
      assert.deepEqual(stage.back, [{ text: 'Next', typed: 4 }]);
      assert.deepEqual([stage.composer.names, stage.held.names], [['a.ts'], []]);
      await stage.settled();
      assert.deepEqual(stage.prompts, []);
    }
    stage = new Stage();
    await stage.begin();
    await stage.end('length');
    // Another version of the question before it.
    void stage.session.edit(stage.session.conversation.turns[0]?.id ?? '', { ...question, prompt: 'Else' });
    assert.equal(stage.back.length, 1);
    await stage.end();
    await stage.settled();
    assert.deepEqual(stage.prompts, ['Else']);
  });

  it('goes back as soon as there is a page, unless unsent text is deleted before', async () => {
    await stage.begin();
    stage.hasPage = false;
    stage.session.newConversation();
    assert.deepEqual(stage.back, []);
    stage.hasPage = true;
    stage.takeBack();
    stage.takeBack();
    assert.deepEqual(stage.back, [{ text: 'Next', typed: 4 }]);
    await stage.begin('Unsent');
    stage.hasPage = false;
    stage.waiting.giveBack();
    stage.waiting.forget();
    stage.hasPage = true;
    stage.takeBack();
    assert.equal(stage.back.length, 1);
  });

  it('stays with an error if its attachments cannot be read', async () => {
    await stage.begin();
    stage.held.error = new ServiceError('gate', 'gone', { code: 'nothing-there' });
    await stage.end();
    await stage.settled();
    assert.deepEqual(stage.errors, [stage.held.error]);
    assert.deepEqual(stage.prompts, ['First']);
    assert.deepEqual(stage.waiting.shown, { text: 'Next', attachments: stage.held.chips, isSending: false });
    stage.held.error = undefined;
    await stage.waiting.send();
    assert.deepEqual(stage.prompts, ['First', 'Next']);
  });

  it('is not sent if it was removed, taken back, or overtaken while its attachments were read', async () => {
    for (const meanwhile of ['remove', 'giveBack', 'ask'] as const) {
      stage = new Stage();
      await stage.begin();
      stage.held.whileReading = () => {
        if (meanwhile === 'ask') void stage.session.ask({ ...question, prompt: 'Overtakes' });
        else stage.waiting[meanwhile]();
      };
      await stage.end();
      await stage.settled();
      assert.deepEqual(stage.prompts, meanwhile === 'ask' ? ['First', 'Overtakes'] : ['First']);
      assert.equal(stage.waiting.shown?.isSending, meanwhile === 'ask' ? false : undefined);
      assert.equal(stage.back.length, meanwhile === 'giveBack' ? 1 : 0);
      stage.session.dispose();
    }
  });

  it('keeps the code that its command works on, and is not put into another conversation', async () => {
    await stage.begin('/tests');
    assert.deepEqual(stage.pinned, ['/tests']);
    stage.waiting.remove();
    const put = stage.waiting.put({ text: '/tests', typed: 6 });
    stage.session.newConversation();
    await assert.rejects(put, /The question was not sent\./);
    assert.equal(stage.waiting.shown, undefined);
  });

  it('is sent immediately if the answer has ended while its command was looked up', async () => {
    void stage.session.ask(question);
    stage.fake.send(text('Done.'));
    const idle = stage.end();
    const put = stage.waiting.put({ text: '/tests', typed: 6 });
    await idle;
    await put;
    await stage.settled();
    assert.deepEqual(stage.prompts, ['First', '/tests']);
  });

  it('shows only the beginning of a long question', async () => {
    await stage.begin('x'.repeat(3_000));
    assert.equal(stage.waiting.shown?.text, `${'x'.repeat(2_000)}…`);
  });
});
