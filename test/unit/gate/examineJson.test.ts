import assert from 'node:assert/strict';
import fc from 'fast-check';
import { examineJson } from '../../../src/gate/secrets/examineJson.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { maskText } from './untagged.ts';

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

  it('are found in field names, in numbers, and in a private key with line endings escaped in JSON', async () => {
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
