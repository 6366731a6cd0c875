import assert from 'node:assert/strict';
import fc from 'fast-check';
import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import { chunked, delta, done, finish, lastChunk, sseHead, whole } from '../../tools/rawServer.ts';
import { Theatre } from './harness.ts';

const key = 'svc_ent_Te.st/+key=0123456789';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
/** Encodings in which a service or a gateway may return the key, by name. */
const forms: readonly (readonly [string, string])[] = [
  ['as it is', key],
  ['in upper case', key.toUpperCase()],
  ['in lower case', key.toLowerCase()],
  ['percent-encoded', encodeURIComponent(key)],
  ['percent-encoded in lower case', encodeURIComponent(key).toLowerCase()],
  ['as hex', Buffer.from(key).toString('hex')],
  ['in base64', base64(key)],
  ['in base64, after Bearer', base64(`Bearer ${key}`)],
  ['in base64, as a password', base64(`user:${key}`)],
  ['in base64, before a colon', base64(`${key}:`)],
  ['in base64url', Buffer.from(key).toString('base64url')],
  ['cut off', key.slice(0, 20)],
];

/** The part of an encoded key that does not depend on its neighbors in base64. */
function holds(text: string, form: string): boolean {
  const inner = form.toLowerCase().slice(16, 28);
  return inner.length >= 4 && text.toLowerCase().includes(inner);
}

describe('removal of the key from texts of the service', () => {
  for (const [name, form] of forms) {
    it(name, () => {
      const filter = keyFilter([key]);
      const masked = filter.text(`before ${form} after`);
      assert.match(masked, /^before .*<key>.* after$/);
      assert.ok(!holds(masked, form), masked);
      assert.equal(filter.text(masked), masked, 'masking twice is masking once');
      assert.deepEqual(filter.json({ [form]: [{ a: form }], n: 1, t: true, z: null }), {
        [filter.text(form)]: [{ a: filter.text(form) }],
        n: 1,
        t: true,
        z: null,
      });
    });
  }

  it('keeps other texts, and a key that could be an ordinary word', () => {
    for (const text of [
      '',
      'svc_ent_',
      'svc_ent_other-key',
      'a key that ends like svc_ent_Te.s',
      'İstanbul ſvc_ent_',
    ]) {
      assert.equal(keyFilter([key]).text(text), text);
      const pieces = keyFilter([key]).pieces();
      assert.equal([...text].map((piece) => pieces.push(piece)).join('') + pieces.end(), text);
    }
    assert.equal(keyFilter(['secret']).text('a secret'), 'a secret');
    assert.equal(keyFilter(['']).text('text'), 'text');
  });

  it('does not treat the key as a pattern', () => {
    for (const odd of ['(((((((((', '[a-\\](]$^.*+?{}|', '\\\\\\\\\\\\\\\\']) {
      assert.equal(keyFilter([odd]).text(`a ${odd} b`), 'a <key> b');
    }
  });

  it('covers a token with half a character', () => {
    assert.equal(keyFilter(['token-\ud800-of-a-collector']).text('a token-\ud800-of-a-collector b'), 'a <key> b');
  });

  it('covers JSON of any depth', () => {
    let deep: unknown = key;
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    assert.doesNotMatch(JSON.stringify(keyFilter([key]).json(deep)), /0123456789/);
  });

  it('works for any split of a text: removes all of the key and loses nothing else', () => {
    const word = fc.oneof(
      fc.constantFrom(...forms.map(([, form]) => form)),
      fc.string(),
      fc.constant(key.slice(0, 12)),
    );
    const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (said, sizes) => {
        const pieces = keyFilter([key]).pieces();
        let shown = '';
        for (let at = 0, n = 0; at < said.length; n += 1) {
          const size = sizes[n % sizes.length] ?? 1;
          shown += pieces.push(said.slice(at, at + size));
          at += size;
        }
        shown += pieces.end();
        for (const [, form] of forms) assert.ok(!holds(shown, form), shown);
        // Up to seven characters of each key were passed on before the filter could recognize it.
        const expected = keyFilter([key]).text(said).split('<key>');
        const parts = shown.split('<key>');
        assert.equal(parts.length, expected.length, shown);
        for (const [n, part] of parts.entries()) {
          assert.ok(part.startsWith(expected[n] ?? '?'), shown);
          assert.ok(part.length - (expected[n] ?? '').length <= (n === parts.length - 1 ? 0 : 7), shown);
        }
      }),
      { numRuns: 2000 },
    );
  });

  describe('through the client', () => {
    const theatre = new Theatre();
    afterEach(() => theatre.tearDown());
    const { signal } = new AbortController();
    const endpoint = { apiKey: key };
    const secret = /0123456789|MDEyMzQ1Njc4|313233343536/i;
    const echo = JSON.stringify(key).slice(1, -1).replace('s', '\\u0073');

    it('covers the headers, the code and the message of an error, and the log', async () => {
      const body = `{"error":{"message":"No ${echo}","code":"x.svc_ent_Te.st-0123456789"}}`;
      const stage = await theatre.stage(({ send }) =>
        send(whole(403, body, { 'x-request-id': key, 'request-id': key.toLowerCase(), 'x-correlation-id': 'ok-1' })),
      );
      const { error } = await stage.chat({ endpoint });
      assert.deepEqual([error?.requestId, error?.serviceMessage], ['ok-1', 'No <key>']);
      assert.doesNotMatch(JSON.stringify([error, error?.message, stage.log]), secret);
    });

    it('covers a key that is stored for another address', async () => {
      const other = 'svc_ent_other_9876543210';
      const stage = await theatre.stage(
        ({ send }) => send(whole(401, `{"error":{"message":"Not ${other}, not ${key}"}}`, { 'x-request-id': other })),
        { storedKeys: async () => [key, other] },
      );
      const { error } = await stage.chat({ endpoint });
      assert.deepEqual([error?.requestId, error?.serviceMessage], [undefined, 'Not <key>, not <key>']);
      const models = stage.client.listModels(stage.endpoint, signal);
      await assert.rejects(models, (thrown) => !JSON.stringify(thrown).includes('98765'));
    });

    it('covers the target of a redirect', async () => {
      const stage = await theatre.stage(({ send }) =>
        send(whole(302, '', { location: 'https://svc-ent-key-0123456789.test/' })),
      );
      const { error } = await stage.chat({ endpoint: { apiKey: 'svc-ent-key-0123456789' } });
      assert.deepEqual([error?.kind, error?.host], ['protocol', undefined]);
    });

    it('covers an answer split in two: its reasoning, tool calls, finish reason and security object', async () => {
      const stage = await theatre.stage(({ sendEach }) =>
        sendEach([
          `${sseHead.slice(0, -2)}x-request-id: ${key}\r\n\r\n`,
          chunked(`data: {"choices":[{"delta":{"reasoning_content":"I read ${key.slice(0, 15)}"}}]}\n\n`),
          chunked(`data: {"choices":[{"delta":{"reasoning_content":"${key.slice(15)}"}}]}\n\n`),
          chunked(delta(`Your header is: Bearer ${key.slice(0, 5)}`)),
          chunked(delta(key.slice(5, 22))),
          chunked(delta(`${key.slice(22)}. Goodbye`)),
          chunked(
            `data: {"choices":[{"delta":{"tool_calls":[{"id":"${key}","function":{"name":"t","arguments":"{\\"a\\":\\"${echo.replace('\\', '\\\\')}\\"}"}}]}}]}\n\n`,
          ),
          chunked(`data: {"choices":[],"security":{"level":"${key}","${key}":["${base64(key)}"]}}\n\n`),
          chunked(finish(key) + done),
          lastChunk,
        ]),
      );
      const { events, text, error } = await stage.chat({ endpoint });
      assert.equal(error, undefined);
      assert.equal(text, 'Your header is: Bearer svc_e<key>. Goodbye');
      const kinds = new Set(events.map(({ type }) => type));
      assert.deepEqual(
        [...kinds],
        ['response', 'reasoning-delta', 'text-delta', 'security', 'tool-call', 'finish'],
        'each of them came',
      );
      assert.doesNotMatch(JSON.stringify([events, stage.log]), secret);
    });

    it('keeps the withheld end of an interrupted answer if it is not a key', async () => {
      const stage = await theatre.stage(({ sendEach, reset }) =>
        sendEach([sseHead, chunked(delta('It begins with svc_ent_Te.s'))]).then(reset),
      );
      const { text, error } = await stage.chat({ endpoint });
      assert.deepEqual([text, error?.kind], ['It begins with svc_ent_Te.s', 'interrupted']);
    });

    it('covers the list of models', async () => {
      const list = { data: [{ id: 'a', name: `Model ${key}` }, { id: key }, { id: `b/${key}` }] };
      const stage = await theatre.stage(({ send }) => send(whole(200, JSON.stringify(list))));
      const models = await stage.client.listModels({ ...stage.endpoint, ...endpoint }, signal);
      assert.deepEqual(models, [{ id: 'a', name: 'Model <key>' }]);
    });

    it('covers a diagnosis', async () => {
      const stage = await theatre.stage(({ send }) => send(whole(403, '{}', { 'x-request-id': base64(key) })));
      const diagnosis = await stage.client.diagnose({ ...stage.endpoint, ...endpoint }, signal);
      assert.doesNotMatch(JSON.stringify([diagnosis, stage.log]), secret);
    });
  });
});
