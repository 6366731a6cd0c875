import assert from 'node:assert/strict';
import { Session } from '../../../src/session/session.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';

describe('session: a file in many questions', () => {
  const text = 'const a = 1;\n'.repeat(3200);
  const ask = (session: Session, prompt: string, now = text) =>
    session.ask({ action: 'chat', prompt, attachments: [attachment({ text: now, marks: [] })] });

  it('is sent once as long as it is the same: ten questions about 40 KB are little longer than one', async () => {
    const stage = new Stage();
    const session = new Session(stage.dispatch);
    for (let index = 0; index < 10; index += 1) await ask(session, `Question ${index}`);
    const bytes = stage.sent.map(({ request }) => Buffer.byteLength(request.body));
    assert.ok((bytes.at(-1) ?? 0) <= (bytes[0] ?? 0) * 1.15, `${bytes[0]} ${bytes.at(-1)}`);
    const intents = stage.audited.filter(({ kind }) => kind === 'request-intent');
    assert.deepEqual(new Set(intents.map((entry) => ('files' in entry ? entry.files : null))), new Set([1]));
    assert.deepEqual(
      session.conversation.turns.map(({ lastRequest }) => lastRequest?.repeated),
      [[], ...Array(9).fill(['a.ts'])],
    );
  });

  it('is sent again after it has changed, and after it has changed back nothing is', async () => {
    const stage = new Stage();
    const session = new Session(stage.dispatch);
    for (const [prompt, now] of [
      ['One', text],
      ['Two', `${text}// more`],
      ['Three', text],
    ] as const)
      await ask(session, prompt, now);
    const contents = stage.sent
      .at(-1)
      ?.messages.filter(({ role }) => role === 'user')
      .map(({ content }) => content);
    assert.deepEqual(
      contents?.map((content) => [content.includes('const a = 1'), content.includes('as above')]),
      [
        [true, false],
        [true, false],
        [false, true],
      ],
    );
  });
});
