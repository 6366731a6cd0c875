import assert from 'node:assert/strict';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { Session } from '../../../src/session/session.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';

/** A conversation about files; those in `changed` do not have their text anymore. */
class Talk {
  readonly stage = new Stage();
  readonly changed = new Set<string>();
  /** The labels that were compared with the files, for each question. */
  readonly compared: (readonly string[])[] = [];
  readonly session = new Session(this.stage.dispatch, undefined, undefined, async (attached) => {
    const labels = attached.map(({ label }) => label);
    this.compared.push(labels);
    return labels.filter((label) => this.changed.has(label));
  });

  ask(prompt: string, ...attachments: readonly Attachment[]) {
    return this.session.ask({ action: 'chat', prompt, attachments });
  }

  /** The last message of the last request. */
  get last(): string {
    return this.stage.sent.at(-1)?.messages.at(-1)?.content ?? '';
  }
}

const words = 'Changed or removed since they were attached above';
const a = attachment({ label: 'a.ts', uri: 'file:///w/a.ts', text: 'const a = 1;' });
const b = attachment({ label: 'b.ts:3-4', uri: 'file:///w/b.ts', text: 'const b = 1;' });

describe('session: a file that has changed since it was attached', () => {
  it('is named once in the question after the change, at its end, and in later requests at the same place', async () => {
    const talk = new Talk();
    await talk.ask('One', a, b);
    await talk.ask('Two');
    assert.equal(talk.last, 'Two');
    talk.changed.add('b.ts:3-4');
    const turn = await talk.ask('Three');
    assert.deepEqual(turn.question.outdated, ['b.ts:3-4']);
    assert.equal(talk.last, `Three\n\n${words}: b.ts:3-4.`);
    await talk.ask('Four');
    assert.equal(talk.last, 'Four');
    assert.deepEqual(talk.compared, [['a.ts', 'b.ts:3-4'], ['a.ts', 'b.ts:3-4'], ['a.ts']]);
    const questions = talk.stage.sent.at(-1)?.messages.filter(({ role }) => role === 'user');
    assert.equal(questions?.at(-2)?.content, `Three\n\n${words}: b.ts:3-4.`);
  });

  it('is not named if the question attaches it again; if it changes after that, it is', async () => {
    const talk = new Talk();
    await talk.ask('One', a);
    talk.changed.add('a.ts');
    await talk.ask('Two', attachment({ ...a, text: 'const a = 2;' }));
    assert.doesNotMatch(talk.last, new RegExp(words));
    assert.deepEqual(talk.compared, []);
    await talk.ask('Three');
    assert.match(talk.last, new RegExp(`${words}: a\\.ts\\.`));
  });

  it('is compared again when the question is asked again, and is in the preview, but not read for the meter', async () => {
    const talk = new Talk();
    await talk.ask('One', a);
    talk.changed.add('a.ts');
    const { id } = await talk.ask('Two');
    talk.changed.clear();
    assert.deepEqual((await talk.session.retry(id))?.question.outdated, []);
    assert.equal(talk.last, 'Two');
    talk.changed.add('a.ts');
    const question = { action: 'chat', prompt: 'Three', attachments: [] } as const;
    const { request } = await talk.session.preview(question);
    assert.match(request.body, new RegExp(words));
    const times = talk.compared.length;
    await talk.session.measure(question);
    assert.equal(talk.compared.length, times);
  });
});
