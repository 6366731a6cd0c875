import assert from 'node:assert/strict';
import fc from 'fast-check';
import { continuation } from '../../../src/session/conversation/continuation.ts';
import { Session } from '../../../src/session/session.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { FakeDispatch } from './fakeDispatch.ts';

const inFence = 'Like this:\n\n```ts\nfor (let i';

/** The whole answer, its continuation given in pieces. */
function joined(answer: string, pieces: readonly string[]): string {
  const next = continuation(answer);
  return answer + [...pieces, null].map(next).join('');
}

describe('session: the continuation of an answer', () => {
  it('continues in the open code block, with or without a repeated fence', () => {
    const whole = `${inFence} = 0;;)\n\`\`\`\nDone.`;
    assert.equal(joined(inFence, [' = 0;;)\n```\nDone.']), whole);
    assert.equal(joined(inFence, ['```ts\n = 0;;)\n```\nDone.']), whole);
    assert.equal(joined(inFence, [...'\n```typescript\n = 0;;)\n```\nDone.']), whole);
    assert.equal(joined('1. a\n   ~~~js\n   x', ['~~~js\r\n   y']), '1. a\n   ~~~js\n   x   y');
  });

  it('may be the end of the block', () => {
    assert.equal(joined(inFence, ['\n``', '`\nDone.']), `${inFence}\n\`\`\`\nDone.`);
    assert.equal(joined(inFence, ['\n```']), `${inFence}\n\`\`\``);
    assert.equal(joined(inFence, ['``']), `${inFence}\`\``);
  });

  it('is unchanged outside of code', () => {
    for (const answer of ['', 'Some words', '```ts\nx\n```\n', '```js x``` inline', '````\n```\n````\n'])
      assert.equal(joined(answer, ['```ts\ny\n```']), `${answer}\`\`\`ts\ny\n\`\`\``);
  });

  it('is the same for any split into pieces', () => {
    const character = fc.constantFrom('`', '~', '\n', ' ', 't', 's', '\r', '(');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 60 }), fc.array(fc.nat({ max: 60 })), (rest, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut < rest.length).sort((a, b) => a - b), rest.length];
        const pieces = at.slice(1).map((end, index) => rest.slice(at[index], end));
        assert.equal(joined(inFence, pieces), joined(inFence, [rest]));
      }),
      { numRuns: 500 },
    );
  });

  it('is joined by the session, after a break and after a stop', async () => {
    const fake = new FakeDispatch();
    const session = new Session(fake.dispatch);
    const asked = session.ask({ action: 'chat', prompt: 'Hello', attachments: [] });
    fake.send({ type: 'text-delta', text: inFence });
    fake.end(new ServiceError('interrupted', 'reset', { code: 'reset' }));
    const { id } = await asked;
    const again = session.continue(id);
    fake.send({ type: 'text-delta', text: '```' }, { type: 'text-delta', text: 'ts\n = 0;' });
    const came = new Promise<void>((resolve) =>
      session.onDidChange((event) => {
        if (event.type === 'delta') resolve();
      }),
    );
    await came;
    session.stop();
    assert.deepEqual([(await again)?.state.status, (await again)?.answer.text], ['stopped', `${inFence} = 0;`]);
    const last = session.continue(id);
    fake.send({ type: 'text-delta', text: ';)\n``' });
    fake.send({ type: 'text-delta', text: '`' });
    fake.end();
    assert.deepEqual(
      [(await last)?.state.status, (await last)?.answer.text],
      ['complete', `${inFence} = 0;;)\n\`\`\``],
    );
  });
});
