import assert from 'node:assert/strict';
import fc from 'fast-check';
import { maskInRounds } from '../../../src/gate/secrets/maskInRounds.ts';
import { scanText, maskText as tagged } from '../../../src/gate/secrets/scanner.ts';
import { turnsOf } from '../../tools/processorTime.ts';
import { maskText } from './untagged.ts';

// Assembled here, so that secret scanners find nothing in this file.
const part = (...parts: readonly string[]): string => parts.join('');
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ sub: '1' })}.c2lnbmF0dXJl`;
const keyBody = 'MIIEowIBAAKCAQEAu1SU1LfVLPHCozMxH2Mo\n'.repeat(4);
const keyBlock = part('-----BEGIN RSA PRIVATE', ' KEY-----\n', keyBody, '-----END RSA PRIVATE', ' KEY-----');

const secrets: readonly (readonly [string, string])[] = [
  ['svc-key', part('svc_', 'ent_', 'abcdef0123456789')],
  ['jwt', jwt],
  ['aws-access-key', part('AKIA', 'IOSFODNN7ABCDEFG')],
  ['github-token', part('ghp_', 'a1B2'.repeat(9))],
  ['google-api-key', part('AIza', 'SyA1b2C3d4'.repeat(3), 'abcde')],
  ['api-key', part('sk-', 'ant-api03-', 'a1B2c3D4'.repeat(6))],
  ['slack-token', part('xoxb-', '123456789012-123456789012-', 'a'.repeat(24))],
  ['stripe-secret-key-live', part('sk_live_', 'a1'.repeat(12))],
  ['private-key', keyBlock],
  ['private-key', keyBlock.replaceAll('\n', '\\n')],
  ['private-key', part('-----BEGIN PRIVATE', ' KEY-----\n', keyBody)],
  ['payment-card', part('4111', '111111111111')],
  ['payment-card', part('4111', ' 1111 1111 1111')],
  ['payment-card', part('5555', '-5555-5555-4444')],
  ['payment-card', part('3782', ' 822463 10005')],
  ['payment-card', part('6011', '111111111117')],
  ['us-ssn', part('123', '-45-6789')],
  ['iban', part('DE89', ' 3704 0044 0532 0130 00')],
  ['iban', part('GB82', 'WEST12345698765432')],
];

/** Content of ordinary files that is not secret. */
const harmless: readonly string[] = [
  'const a = 1234567890123456;',
  '550e8400-e29b-41d4-a716-446655440000',
  '3280c94f1e2d4c5b6a79880716253443526170ff',
  'sha512-fNAjWnA/nZ2jz31kxR/AqRaUT8ewHBw/WuBIosK0moMy1C9e5ValbDfFdIxJzVOOYaYkV/b2F1S4H/aHiqfVQg==',
  '2026-11-21T07:28:20.123Z',
  '1795246100123',
  '1795246100123456789',
  '+49 170 1234567, 555-123-4567, (555) 123-4567',
  '000-12-3456 666-12-3456 900-12-3456 123-00-4567 123-45-0000',
  '4111 1111 1111 1112',
  '4111111111111111.5 and x4111111111111111 and 4111111111111111e5',
  'DE88 3704 0044 0532 0130 00',
  'GB82WEST1234569876543',
  'https://example.com:8080/a@b',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of a shell.
  'postgres://user:${PASSWORD}@host/db and https://user:<password>@host and https://user:***@host',
  'eyJub3QiOiJhIGp3dCJ9 is one part',
  'eyJhIjoxfQ.eyJhIjoxfQ.abc has no algorithm',
  'sk-button-primary-hover-active-disabled-focus-visible-within',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  'AKIAlowercaseisnone and XAKIAIOSFODNN7ABCDEFGX',
  'MIT license 12.3.4.5 v1.2.3 0xdeadbeef #ff00aa',
];

describe('gate: secrets', () => {
  for (const [rule, secret] of secrets) {
    it(`finds a ${rule} (${secret.slice(0, 6)}…) in its place, and nothing else`, async () => {
      for (const [before, after] of [
        ['', ''],
        ['const value = "', '";\n'],
        ['line one\r\nline two ', ' (end)'],
        ['(', ')'],
      ] as const) {
        const text = before + secret + after;
        const found = await scanText(text);
        assert.deepEqual(
          found.map((one) => one.rule),
          [rule],
          text,
        );
        assert.equal(found[0]?.line, before.includes('\n') ? 2 : 1);
        const masked = await maskText(text, found);
        assert.ok(masked.includes(`[masked: ${rule}]`));
        assert.ok(!masked.includes(secret.slice(-12)));
        assert.equal(masked.split('\n').length, text.split('\n').length);
      }
    });
  }

  it('masks only the password of an address and only the key of a connection string', async () => {
    const address = part('postgres://admin:', 'hunter2!', '@db.internal:5432/app');
    assert.equal(
      await maskText(address, await scanText(address)),
      'postgres://admin:[masked: url-password]@db.internal:5432/app',
    );
    const account = part('AccountName=a;AccountKey=', 'Ab1+'.repeat(21), 'ab==', ';EndpointSuffix=core');
    const masked = await maskText(account, await scanText(account));
    assert.equal(masked, 'AccountName=a;AccountKey=[masked: azure-account-key];EndpointSuffix=core');
  });

  it('finds a social security number without dashes if the text names it', async () => {
    const [found] = await scanText(part('SSN: 123 ', '45 6789'));
    assert.deepEqual([found?.rule, found?.start], ['us-ssn', 5]);
  });

  for (const text of harmless) {
    it(`does not mask ${JSON.stringify(text.slice(0, 40))}`, async () => {
      assert.deepEqual(await scanText(text), []);
    });
  }

  it('ignores comments that ask to skip a secret', async () => {
    const [, token] = secrets[3] ?? assert.fail();
    const text = `// secretlint-disable\n/* secretlint-disable */\n# secretlint-disable\nconst a = "${token}";`;
    assert.equal((await scanText(text))[0]?.line, 4);
  });

  it('keeps lines and line endings of masked text', async () => {
    const text = `a\r\n${keyBlock.replaceAll('\n', '\r\n')}\r\nb\n`;
    const masked = await maskText(text, await scanText(text));
    assert.equal(masked, `a\r\n[masked: private-key]${'\r\n'.repeat(5)}\r\nb\n`);
  });

  it('masks tens of thousands in short steps', async () => {
    const text = 'postgres://a:b@c/\n'.repeat(50_000);
    const { value, longestMs } = await turnsOf(() => maskInRounds(text, {}, { scanText, maskText: tagged }, () => {}));
    assert.equal(value?.match(/\[masked: /g)?.length, 50_000);
    assert.ok(longestMs <= 50, `${longestMs} ms`);
  });

  it('finds all of many, in order and separately', async () => {
    const text = secrets.map(([, secret]) => secret).join('\n--\n');
    const found = await scanText(text);
    assert.deepEqual(
      found.map(({ rule }) => rule),
      secrets.map(([rule]) => rule),
    );
    for (const [index, { start }] of found.entries()) assert.ok(start >= (found[index - 1]?.end ?? 0));
  });

  it('a masked text has nothing left to mask, and any text is accepted', async () => {
    const piece = fc.oneof(
      fc.constantFrom(...secrets.map(([, secret]) => secret), ...harmless),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('\0', '\ud800', ' ', '\n', '-', '4', '4111', 'eyJ', '://', '@', ':', 'svc_ent_'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        let text = pieces.join('');
        for (let rounds = 0; ; rounds += 1) {
          const found = await scanText(text);
          if (found.length === 0) return;
          assert.ok(rounds < 5, 'masking comes to an end');
          text = await maskText(text, found);
        }
      }),
      { numRuns: 300 },
    );
  });
});
