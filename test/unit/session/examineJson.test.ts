import assert from 'node:assert/strict';
import fc from 'fast-check';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { examine } from '../../../src/session/dispatch/examine.ts';
import { examineJson } from '../../../src/session/dispatch/examineJson.ts';
import { maskText } from '../gate/untagged.ts';

const scanner = { scanText, maskText };
const key = 'svc_ent_0123456789abcdef0123';

describe('secrets in JSON', () => {
  it('are masked in place, and everything else is unchanged', async () => {
    const value = { path: 'a.ts', deep: [{ text: `one\ntwo ${key}\nthree`, n: 3, on: true, none: null }] };
    const { masked, found } = await examineJson(value, 'write', scanner);
    assert.equal(found.length, 1);
    assert.equal(found[0]?.where, 'write');
    assert.ok(!JSON.stringify(masked).includes(key));
    assert.match(masked.deep[0]?.text ?? '', /^one\ntwo \[masked: [\w-]+\]\nthree$/);
    assert.deepEqual({ ...masked.deep[0], text: '' }, { text: '', n: 3, on: true, none: null });
  });

  it('are found in field names, in numbers, and in a private key with line ends escaped in JSON', async () => {
    const pem = `-----BEGIN RSA PRIVATE KEY-----\r\n${'MIIEpAIBAAKCAQEA7bq'.repeat(4)}\r\n-----END RSA PRIVATE KEY-----\r`;
    const value = { [key]: 1, card: 4111111111111111, pem, after: 'stays' };
    const { masked, found } = await examineJson(value, 'write', scanner);
    const text = JSON.stringify(masked);
    assert.equal(found.length, 3);
    assert.ok(!text.includes(key) && !text.includes('4111111111111111') && !text.includes('MIIEpAIBAAKCAQEA7bq'));
    assert.equal(masked.after, 'stays');
  });

  it('masking keeps the structure of any value, wherever a secret is', async () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>;
    await fc.assert(
      fc.asyncProperty(fc.array(json), fc.array(json), fc.string(), async (before, after, around) => {
        const value = [...before, `${around}\n ${key} \r`, ...after];
        const { masked } = await examineJson(value, 'x', scanner);
        assert.ok(!JSON.stringify(masked).includes(key));
        assert.equal(masked.length, value.length);
      }),
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
