import assert from 'node:assert/strict';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { examine } from '../../../src/send/examine.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
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
    const result = await examined({ parts: [key], label: `tool ${key}` });
    assert.deepEqual(result.found, [{ rule: 'svc-key', where: `tool ${mark}`, line: 1 }]);
  });

  it('has none in the name and the id of a call, and its result still refers to the call', async () => {
    const call = { id: key, name: key, input: {} };
    const { asIs } = await examine(
      {
        messages: [
          { role: 'user', parts: ['Do it'], secrets: 'ask' },
          { role: 'assistant', parts: [''], secrets: 'ask', toolCalls: [call] },
          { role: 'tool', parts: ['done'], secrets: 'ask', toolCallId: key },
        ],
        offer: { tools: [{ name: 'look', description: '' }], choice: 'auto' },
      },
      { scanner, mayUnmask: true, excluded: new Set(), destination: 'http://a' },
    );
    assert.deepEqual(asIs.messages[1]?.toolCalls, [{ id: mark, name: mark, input: {} }]);
    assert.equal(asIs.messages[2]?.toolCallId, mark);
  });

  it('messages that are sent as one each have their own choice about secrets, and their own name for the place of a secret', async () => {
    const { masked, asIs, found } = await examine(
      {
        messages: [
          { role: 'user', parts: [`One ${key}`], secrets: 'mask', label: 'a tool' },
          { role: 'user', parts: [`Two ${key}`], secrets: 'ask' },
        ],
      },
      { scanner, mayUnmask: true, excluded: new Set(), destination: 'http://a' },
    );
    assert.deepEqual(masked.messages, [{ role: 'user', content: `One ${mark}\n\nTwo ${mark}` }]);
    assert.deepEqual(asIs.messages, [{ role: 'user', content: `One ${mark}\n\nTwo ${key}` }]);
    assert.deepEqual(found, [{ rule: 'svc-key', where: null, line: 1 }]);
    assert.deepEqual(asIs.masked, [{ rule: 'svc-key', where: 'a tool', line: 1 }]);
    assert.deepEqual(
      asIs.parts[0]?.map(({ start, end, masked: hidden, unmasked }) => [
        asIs.messages[0]?.content.slice(start, end),
        hidden.length,
        unmasked.length,
      ]),
      [
        [`One ${mark}`, 1, 0],
        [`Two ${key}`, 0, 1],
      ],
    );
  });

  it('masks secrets of the whole document in a part of it, and counts them once', async () => {
    const marks = [{ rule: 'private-key', start: 0, end: 8 }];
    const part = attachment({ text: 'cut of ak\nkey', firstLine: 9, marks });
    const { masked, asIs, found } = await examined({ parts: [part] });
    assert.match(masked.messages[0]?.content ?? '', /\n\[masked: private-key\]k\nkey\n/);
    assert.match(asIs.messages[0]?.content ?? '', /\ncut of ak\nkey\n/);
    assert.deepEqual(found, [{ rule: 'private-key', where: 'a.ts', line: 9 }]);
  });

  it('lines of a key are one secret, except in a document whose scan found none', async () => {
    const line = 'Ab3dEfGhIjKlMn0pQrStUvWxYz12345678AbCdEfGhIjKlMnOpQrStUvWxYz+/9k';
    const text = `${line}\n${[...line].reverse().join('')}\n`;
    assert.equal((await examined({ parts: [text] })).found.length, 1);
    assert.equal((await examined({ parts: [attachment({ text })] })).found.length, 1);
    assert.equal((await examined({ parts: [attachment({ text, marks: [] })] })).found.length, 0);
    // A tool may have read only these lines of a key.
    const result = attachment({ uri: 'untitled:tool', text, marks: [] });
    assert.equal((await examined({ parts: [result] })).found.length, 1);
  });

  describe('of a file that is above', () => {
    const text = 'const a = 1;';
    const file = (over: Parameters<typeof attachment>[0] = {}) => attachment({ text, marks: [], ...over });
    const contents = async (messages: readonly Partial<OutgoingMessage>[], excluded: readonly Attachment[] = []) => {
      // Between two of them, there is an answer: they would be one message otherwise.
      const answer = { role: 'assistant', parts: ['Yes.'], secrets: 'mask' } as const;
      const all = messages.flatMap((one, index) => [
        ...(index === 0 ? [] : [answer]),
        { role: 'user', parts: [], secrets: 'mask', ...one } as const,
      ]);
      const rules = { scanner, mayUnmask: true, excluded: new Set(excluded), destination: 'http://a' };
      const { masked, asIs } = await examine({ messages: all }, rules);
      return [masked, asIs].map((form) =>
        form.messages.filter(({ role }) => role === 'user').map(({ content }) => content),
      );
    };
    const line = '[a.ts: as above]';

    it('is its name, in each form, and it is no file', async () => {
      const messages = [{ parts: ['One', file()] }, { parts: ['Two', file(), file()], secrets: 'ask' as const }];
      for (const form of await contents(messages)) {
        assert.match(form[0] ?? '', /const a = 1/);
        assert.equal(form[1], `Two\n\n${line}\n\n${line}`);
      }
      const { masked } = await examined({ parts: ['Two', file(), file()] });
      assert.deepEqual(
        masked.parts[0]?.map(({ file: quoted, quotedAbove }) => [quoted?.label, quotedAbove]),
        [
          [undefined, undefined],
          ['a.ts', undefined],
          [undefined, 'a.ts'],
        ],
      );
      const [, , last = { start: 0, end: 0 }] = masked.parts[0] ?? [];
      assert.equal(masked.messages[0]?.content.slice(last.start, last.end), line);
    });

    it('is the text if anything differs', async () => {
      for (const over of [
        { uri: 'file:///one/b.ts' },
        { text: `${text} ` },
        { firstLine: 2 },
        { label: 'b.ts' },
        { marks: [{ rule: 'other', start: 0, end: 5 }] },
      ]) {
        const [form = []] = await contents([{ parts: [file()] }, { parts: [file(over)] }]);
        assert.doesNotMatch(form[1] ?? '', /as above/, JSON.stringify(over));
      }
    });

    it('is the text if the one above may not be sent any more', async () => {
      const gone = file();
      const [form = []] = await contents([{ parts: [gone] }, { parts: [file()] }, { parts: [file()] }], [gone]);
      assert.equal(form[0], '[left out: a.ts]');
      assert.match(form[1] ?? '', /const a = 1/);
      assert.equal(form[2], line);
    });

    it('is the text if it has a secret that is treated otherwise', async () => {
      const secret = () => file({ text: key });
      const asked = [{ parts: [secret()] }, { parts: [secret()], secrets: 'ask' as const }];
      const [masked = [], asIs = []] = await contents(asked);
      assert.match(masked[1] ?? '', /masked: svc-key/);
      assert.ok(asIs[1]?.includes(key));
      const [same = []] = await contents([{ parts: [secret()] }, { parts: [secret()] }]);
      assert.equal(same[1], line);
    });

    it('has no secret in its name', async () => {
      const named = () => file({ label: `${key}.txt` });
      for (const form of await contents([{ parts: [named()] }, { parts: [named()], secrets: 'ask' }]))
        assert.equal(form[1], `[${mark}.txt: as above]`);
    });
  });

  it('is scanned no further after the request is cancelled', async () => {
    const text = 'some words '.repeat(400_000);
    await assert.rejects(
      examined({ parts: [text] }, [], AbortSignal.abort()),
      (error) => isServiceError(error) && error.kind === 'aborted',
    );
  });

  it('never has a secret before the user’s own text, and does not ask about it', async () => {
    const file = attachment({ label: 'AGENTS.md', text: `one\n${key}` });
    const { masked, asIs, found } = await examined({ lead: ['The rules', file], parts: [`My ${key}`], secrets: 'ask' });
    const own = (text: string) => `The rules\n\nAGENTS.md\n\`\`\`typescript\none\n${mark}\n\`\`\`\n\nMy ${text}`;
    assert.deepEqual([masked.messages[0]?.content, asIs.messages[0]?.content], [own(mark), own(key)]);
    assert.deepEqual(found, [{ rule: 'svc-key', where: null, line: 1 }]);
    assert.deepEqual(asIs.masked, [{ rule: 'svc-key', where: 'AGENTS.md', line: 2 }]);
    assert.deepEqual(asIs.unmasked, found);
    const [rules, instructions, text] = asIs.parts[0] ?? [];
    assert.deepEqual([rules?.isLead, instructions?.isLead, text?.isLead], [true, true, undefined]);
    assert.deepEqual([instructions?.masked, instructions?.unmasked], [[{ rule: 'svc-key', line: 3 }], []]);
    assert.equal(asIs.messages[0]?.content.slice(text?.start, text?.end), `My ${key}`);
  });

  it('may have any number of secrets', async () => {
    // As a dump of a table of cards has.
    const spans = Array.from({ length: 250_000 }, (_, at) => ({
      rule: 'payment-card',
      start: at,
      end: at + 1,
      line: at,
    }));
    const many = { scanText: async (text: string) => (text === 'a dump' ? spans : []), maskText: async () => mark };
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
