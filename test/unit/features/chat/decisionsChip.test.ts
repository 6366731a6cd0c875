import assert from 'node:assert/strict';
import { DecisionsChip } from '../../../../src/features/chat/vscode/question/decisionsChip.ts';
import type { ContextSource } from '../../../../src/features/context/vscode/source.ts';
import type { Decisions } from '../../../../src/features/edits/vscode/changes/panelChanges.ts';
import { emptyConversation } from '../../../../src/session/conversation/conversation.ts';
import { Session } from '../../../../src/session/session.ts';
import { Emitter } from '../../../../src/util/event.ts';
import { attachment } from '../../session/attachment.ts';
import { FakeDispatch } from '../../session/fakeDispatch.ts';

const label = 'decisions on changes';

class Stage {
  readonly fake = new FakeDispatch();
  readonly session = new Session(this.fake.dispatch);
  readonly #changed = new Emitter<void>();
  readonly #attached = new Emitter<void>();
  /** The number of decisions in each conversation that the model does not know. */
  readonly versions = new Map<string, number>();
  keys: readonly string[] = [];
  isBroken = false;
  warnings = 0;
  readonly chip = new DecisionsChip({
    session: this.session,
    changes: {
      decisions: () => this.#decisions(),
      told: () => {
        this.versions.delete(this.session.conversation.id);
        this.#changed.fire();
      },
      onDidChange: this.#changed.event,
    },
    attachments: this.#attachments(),
    logger: { warn: () => (this.warnings += 1) },
  });

  /** The user decides in the shown conversation. */
  async decide(): Promise<void> {
    const { id } = this.session.conversation;
    this.versions.set(id, (this.versions.get(id) ?? 0) + 1);
    await this.change();
  }

  async change(): Promise<void> {
    this.#changed.fire();
    await new Promise(setImmediate);
  }

  add(key: string): void {
    this.keys = [...this.keys.filter((one) => one !== key), key];
    this.#attached.fire();
  }

  /** Asks a question with attachments, and ends its answer; null for none. */
  async ask(labels: readonly string[], answer: string | null = 'Done.'): Promise<void> {
    const attachments = labels.map((one) => attachment({ label: one }));
    this.keys = [];
    const asked = this.session.ask({ action: 'chat', prompt: 'Go on.', attachments });
    if (answer !== null) this.fake.send({ type: 'text-delta', text: answer });
    this.fake.end();
    await asked;
    await new Promise(setImmediate);
  }

  #decisions(): Decisions | undefined {
    const { id } = this.session.conversation;
    const version = this.versions.get(id);
    const source: ContextSource = { key: `decisions:${id}`, label, icon: '', read: async () => ({ attachments: [] }) };
    return version === undefined ? undefined : { source, version };
  }

  #attachments() {
    const stage = this;
    return {
      get keys() {
        return stage.keys;
      },
      add: async ({ key }: ContextSource) => {
        if (stage.isBroken) throw new Error('It cannot be read.');
        stage.add(key);
      },
      removeKeys: (gone: readonly string[]) => {
        stage.keys = stage.keys.filter((key) => !gone.includes(key));
        stage.#attached.fire();
      },
      onDidChange: this.#attached.event,
    };
  }
}

describe('chat: the decisions that the next question carries', () => {
  it('are attached after each decision, and once they are removed, only after the next one', async () => {
    const stage = new Stage();
    const key = `decisions:${stage.session.conversation.id}`;
    await stage.change();
    assert.deepEqual(stage.keys, []);
    await stage.decide();
    assert.deepEqual(stage.keys, [key]);
    stage.keys = [];
    await stage.change();
    assert.deepEqual(stage.keys, []);
    await stage.decide();
    assert.deepEqual(stage.keys, [key]);
  });

  it('are known to the model with a question that carries them, and not with another one', async () => {
    const stage = new Stage();
    const { id } = stage.session.conversation;
    await stage.decide();
    await stage.ask(['src/a.ts']);
    assert.equal(stage.versions.get(id), 1);
    await stage.ask([label]);
    assert.equal(stage.versions.get(id), undefined);
    await stage.change();
    assert.deepEqual(stage.keys, []);
  });

  it('come back if the question gets no answer, and are gone when it does', async () => {
    const stage = new Stage();
    const key = `decisions:${stage.session.conversation.id}`;
    await stage.decide();
    await stage.ask([label], null);
    assert.deepEqual(stage.keys, [key]);
    const again = stage.session.retry(stage.session.conversation.turns[0]?.id ?? '');
    stage.fake.send({ type: 'text-delta', text: 'Done.' });
    stage.fake.end();
    await again;
    assert.deepEqual([stage.keys, stage.versions.size], [[], 0]);
  });

  it('are only in the questions of their conversation, even if a question that waited comes back', async () => {
    const stage = new Stage();
    const first = stage.session.conversation;
    const key = `decisions:${first.id}`;
    await stage.decide();
    stage.session.open(emptyConversation());
    await stage.change();
    assert.deepEqual(stage.keys, []);
    stage.add(key);
    stage.add('file:///a.ts');
    assert.deepEqual(stage.keys, ['file:///a.ts']);
    stage.session.open(first);
    await stage.change();
    assert.deepEqual(stage.keys, ['file:///a.ts', key]);
  });

  it('hold up nothing if they cannot be read', async () => {
    const stage = new Stage();
    stage.isBroken = true;
    await stage.decide();
    assert.deepEqual([stage.keys, stage.warnings], [[], 1]);
  });
});
