import assert from 'node:assert/strict';
import { type Completion, complete } from '../../../../src/session/inline/complete.ts';
import { cursorMark } from '../../../../src/session/inline/place.ts';
import { isServiceError, ServiceError } from '../../../../src/util/errors.ts';
import { attachment } from '../attachment.ts';
import { FakeDispatch, preview } from '../fakeDispatch.ts';

/** The scanner finds the word SECRET in the text around the place. */
async function ask(fake: FakeDispatch, before: string, after = ''): Promise<string> {
  return (await answer(fake, before, after)).insertion;
}

function answer(fake: FakeDispatch, before: string, after = ''): Promise<Completion> {
  const text = `${before}${cursorMark}${after}`;
  const start = text.indexOf('SECRET');
  const marks = start < 0 ? [] : [{ rule: 'word', start, end: start + 'SECRET'.length }];
  return complete(
    {
      dispatch: fake.dispatch,
      requireEnd: (reason) => {
        if (reason === 'unknown') throw new ServiceError('protocol', 'Doubtful.', { code: 'doubtful-end', reason });
      },
    },
    attachment({ text, marks }),
    { before, after },
    new AbortController().signal,
  );
}

describe('inline completions: requests', () => {
  it('asks the code model for few tokens, and masks without a question', async () => {
    const fake = new FakeDispatch();
    const asked = ask(fake, 'const a = ');
    fake.send({ type: 'text-delta', text: '1;' });
    fake.end();
    assert.equal(await asked, '1;');
    const [sent] = fake.sent;
    assert.equal(sent?.action, 'inlineCompletions');
    assert.equal(sent.modelKey, 'svc.model.code');
    assert.equal(sent.maxTokens, 256);
    assert.equal(sent.messages[0]?.secrets, 'mask');
  });

  it('names the request and the model that it is from', async () => {
    const fake = new FakeDispatch();
    const asked = answer(fake, 'const a = ');
    fake.send({ type: 'response', status: 200, request: 'in the log' }, { type: 'text-delta', text: '1;' });
    fake.end();
    assert.deepEqual(await asked, { insertion: '1;', model: 'svc/auto', request: 'in the log' });
  });

  it('asks nothing next to a secret', async () => {
    const fake = new FakeDispatch();
    assert.equal(await ask(fake, '// SECRET is the key\n// '), '');
    assert.equal(await ask(fake, 'a = ', '\nSECRET\n\nb'), '');
    assert.equal(fake.sent.length, 0);
  });

  it('asks near a secret that is further away', async () => {
    const fake = new FakeDispatch();
    const asked = ask(fake, '// SECRET\n\nconst a = ');
    fake.end();
    assert.equal(await asked, '');
    assert.equal(fake.sent.length, 1);
  });

  it('ends an answer that is long enough', async () => {
    const fake = new FakeDispatch();
    const asked = ask(fake, 'add(', ', 2)');
    fake.send({ type: 'text-delta', text: '1\n' });
    fake.send({ type: 'text-delta', text: 'never\nused\n' });
    // The service sends no end: the reader ends the answer.
    assert.equal(await asked, '1');
  });

  it('does not wait for a retry', async () => {
    const fake = new FakeDispatch();
    const asked = ask(fake, 'a');
    const error = new ServiceError('rateLimit', 'Too many.', { retryAfterMs: 2_000 });
    fake.send({ type: 'retry-wait', attempt: 2, delayMs: 2_000, error, retryNow: () => undefined });
    await assert.rejects(asked, (thrown) => thrown === error);
  });

  it('asks nothing if each request requires a preview', async () => {
    const fake = new FakeDispatch();
    fake.confirmation = { preview, found: [], leftOutOfMessage: [] };
    await assert.rejects(ask(fake, 'a'), (thrown) => isServiceError(thrown) && thrown.code === 'preview-required');
    assert.equal(fake.sent.length, 0);
  });
});
