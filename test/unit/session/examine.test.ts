import assert from 'node:assert/strict';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import type { Attachment } from '../../../src/session/conversation/attachment.ts';
import { examine } from '../../../src/session/dispatch/examine.ts';
import type { OutgoingMessage } from '../../../src/session/dispatch/outgoing.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { maskText } from '../gate/untagged.ts';
import { attachment } from './attachment.ts';

const scanner = { scanText, maskText };
const key = 'svc_ent_0123456789abcdef0123';
const mark = '[masked: svc-key]';

const examined = (message: Partial<OutgoingMessage>, excluded: readonly Attachment[] = [], signal?: AbortSignal) =>
  examine(
    { messages: [{ role: 'user', parts: [], secrets: 'ask', ...message }] },
    { scanner, mayUnmask: true, excluded: new Set(excluded), destination: 'http://a' },
    signal,
  );

describe('what is sent', () => {
  it('never has a secret in a label, and does not ask about it', async () => {
    const file = attachment({ label: `keys/${key}.txt`, text: 'nothing' });
    const { masked, asIs, found, labels } = await examined({ parts: [file] });
    for (const form of [masked, asIs]) {
      assert.ok(form.messages[0]?.content.startsWith(`keys/${mark}.txt\n`));
      assert.deepEqual(form.masked, [{ rule: 'svc-key', where: `keys/${mark}.txt`, line: 1 }]);
    }
    assert.deepEqual([found, labels.get(file)], [[], `keys/${mark}.txt`]);
  });

  it('has none in the line about omitted files, and does not scan their text', async () => {
    const file = attachment({ label: `${key}.txt`, text: key });
    const { masked, labels } = await examined({ parts: [file] }, [file]);
    assert.equal(masked.messages[0]?.content, `[left out: ${mark}.txt]`);
    assert.equal(labels.get(file), `${mark}.txt`);
    assert.equal(masked.masked.length, 1);
  });

  it('names the place of a secret by a masked label', async () => {
    const file = attachment({ label: `${key}.txt`, text: `a\n${key}`, firstLine: 5 });
    const { found } = await examined({ parts: [file] });
    assert.deepEqual(found, [{ rule: 'svc-key', where: `${mark}.txt`, line: 6 }]);
    const result = await examined({ role: 'tool', parts: [key], label: `tool ${key}`, toolCallId: 'c1' });
    assert.deepEqual(result.found, [{ rule: 'svc-key', where: `tool ${mark}`, line: 1 }]);
  });

  it('has none in the name and the id of a call, and its result still refers to the call', async () => {
    const call = { id: key, name: key, input: {} };
    const made = await examined({ role: 'assistant', parts: [''], toolCalls: [call] });
    const result = await examined({ role: 'tool', parts: ['done'], toolCallId: key });
    assert.deepEqual(made.asIs.messages[0]?.toolCalls, [{ id: mark, name: mark, input: {} }]);
    assert.equal(result.asIs.messages[0]?.toolCallId, mark);
  });

  it('masks secrets of the whole document in a part of it, and counts them once', async () => {
    const marks = [{ rule: 'private-key', start: 0, end: 8 }];
    const part = attachment({ text: 'cut of ak\nkey', firstLine: 9, marks });
    const { masked, asIs, found } = await examined({ parts: [part] });
    assert.match(masked.messages[0]?.content ?? '', /\n\[masked: private-key\]k\nkey\n/);
    assert.match(asIs.messages[0]?.content ?? '', /\ncut of ak\nkey\n/);
    assert.deepEqual(found, [{ rule: 'private-key', where: 'a.ts', line: 9 }]);
  });

  it('without a document, lines of a key count as one secret; with a scanned document they do not', async () => {
    const line = 'Ab3dEfGhIjKlMn0pQrStUvWxYz12345678AbCdEfGhIjKlMnOpQrStUvWxYz+/9k';
    const text = `${line}\n${[...line].reverse().join('')}\n`;
    assert.equal((await examined({ parts: [text] })).found.length, 1);
    assert.equal((await examined({ parts: [attachment({ text })] })).found.length, 1);
    assert.equal((await examined({ parts: [attachment({ text, marks: [] })] })).found.length, 0);
  });

  it('is scanned no further after the request is cancelled', async () => {
    const text = 'some words '.repeat(400_000);
    await assert.rejects(
      examined({ parts: [text] }, [], AbortSignal.abort()),
      (error) => isServiceError(error) && error.kind === 'aborted',
    );
  });

  it('may have any number of secrets', async () => {
    // As a dump of a table of cards has.
    const spans = Array.from({ length: 250_000 }, (_, at) => ({
      rule: 'payment-card',
      start: at,
      end: at + 1,
      line: at,
    }));
    const many = { scanText: async (text: string) => (text === 'a dump' ? spans : []), maskText: () => mark };
    const { masked, asIs, found } = await examine(
      { messages: [{ role: 'user', parts: ['a dump'], secrets: 'ask' }] },
      { scanner: many, mayUnmask: true, excluded: new Set(), destination: 'http://a' },
    );
    assert.deepEqual(
      [masked.masked.length, asIs.unmasked.length, found.length, masked.messages[0]?.content],
      [spans.length, spans.length, spans.length, mark],
    );
  });
});

describe('content of tools', () => {
  const rules = { scanner, mayUnmask: true, excluded: new Set<never>(), destination: '' };

  it('calls, results and definitions are examined like other content', async () => {
    const { masked, asIs, found } = await examine(
      {
        messages: [
          { role: 'user', parts: ['Write it'], secrets: 'mask' },
          {
            role: 'assistant',
            parts: [''],
            secrets: 'mask',
            toolCalls: [{ id: 'c1', name: 'write', input: { text: key } }],
          },
          { role: 'tool', parts: [`written ${key}`], secrets: 'ask', label: 'write', toolCallId: 'c1' },
        ],
        offer: { tools: [{ name: 'write', description: `like ${key}`, schema: { default: key } }], choice: 'auto' },
      },
      rules,
    );
    assert.deepEqual(
      found.map(({ where, line }) => [where, line]),
      [['write', 1]],
    );
    assert.ok(!JSON.stringify([masked.messages, masked.offer]).includes(key));
    assert.deepEqual(
      masked.messages[1]?.toolCalls?.map(({ id, name }) => [id, name]),
      [['c1', 'write']],
    );
    assert.equal(masked.masked.length, 4);
    // The user's choice applies to new content. The rest stays masked.
    assert.equal(JSON.stringify([asIs.messages, asIs.offer]).split(key).length, 2);
    assert.equal(asIs.messages[2]?.toolCallId, 'c1');
    assert.equal(asIs.masked.length, 3);
  });
});
