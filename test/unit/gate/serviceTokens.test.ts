import assert from 'node:assert/strict';
import { serviceTokens } from '../../../src/gate/secrets/rules/services.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { maskText } from './untagged.ts';

// Assembled here, so that secret scanners find nothing in this file.
const part = (...parts: readonly string[]): string => parts.join('');
const letters = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF';
const some = (count: number): string => letters.repeat(10).slice(0, count);
const hex = (count: number): string => '0a1b2c3d4e5f6789'.repeat(10).slice(0, count);
const masked = async (text: string): Promise<string> => maskText(text, await scanText(text));

/** Tokens that the published examples of other scanners lack. */
const tokens: readonly (readonly [string, string])[] = [
  ['docker-personal-access-token', part('dckr', '_pat_', some(27))],
  ['bitbucket-app-password', part('AT', 'BB', some(32))],
  ['atlassian-token', part('ATC', 'TT3', some(180))],
  ['contentful-token', part('CF', 'PAT-', some(43))],
  ['netlify-token', part('nf', 'p_', some(36))],
  ['linear-api-token', part('lin_', 'oauth_', hex(64))],
  ['google-client-secret', part('GOC', 'SPX-', some(28))],
  ['google-access-token', part('ya', '29.', some(120))],
  ['google-refresh-token', part('1/', '/0', some(60))],
  ['supabase-key', part('sb', 'p_', hex(40))],
  ['supabase-key', part('sb_', 'secret_', some(31))],
  ['stripe-webhook-secret', part('wh', 'sec_', some(32))],
  ['discord-webhook', part('discord.com/api/', 'webhooks/', '123456789012345678/', some(68))],
  ['discord-token', part('M', some(25), '.G1aB2c.', some(30))],
  ['replicate-token', part('r', '8_', some(37))],
  ['xai-key', part('xa', 'i-', some(80))],
  ['vault-token', part('hv', 's.', some(24))],
  ['yandex-token', part('y', '0_', some(55))],
  ['new-relic-key', part(hex(36), 'NR', 'AL')],
  ['asana-token', part('1/', '1234567890123456', ':', hex(32))],
  ['azure-devops-token', part(some(76), 'AZ', 'DO', 'a1B2')],
  ['azure-key', part(some(76), '+A', 'St', some(8), '==')],
  ['svc-key', part('svc_', 'ent_', 'abcdef0123456789')],
];

describe('gate: secrets, tokens of services', () => {
  for (const [rule, token] of tokens) {
    it(`finds a ${rule} (${token.slice(0, 6)}…) as a value, in a list and in a string's second line`, async () => {
      assert.equal(await masked(`key: ${token}\n`), `key: [masked: ${rule}]\n`);
      assert.equal(await masked(`["${token}","b"]`), `["[masked: ${rule}]","b"]`);
      assert.equal(await masked(`"a\\n${token}\\nb"`), `"a\\n[masked: ${rule}]\\nb"`);
    });
  }

  it('masks the signature of an address, and everything after the host of a webhook', async () => {
    assert.equal(
      await masked(part('https://a.blob.core.windows.net/c?sv=2024&s', 'ig=', some(43), '%3D&se=2')),
      'https://a.blob.core.windows.net/c?sv=2024&sig=[masked: azure-signature]&se=2',
    );
    assert.equal(
      await masked(part('https://a.webhook.office', '.com/webhookb2/', hex(80))),
      'https://a.webhook.office.com/[masked: teams-webhook]',
    );
  });

  it('finds a token after an encoded character and a terminal color code, not within a word', async () => {
    const token = part('gh', 'p_', some(36));
    assert.equal(await masked(`?next=%3D${token}`), '?next=%3D[masked: github-token]');
    assert.equal(await masked(`"\\u003d${token}"`), '"\\u003d[masked: github-token]"');
    assert.equal(await masked(`\u001b[1;31m${token}\u001b[0m`), '\u001b[1;31m[masked: github-token]\u001b[0m');
    assert.deepEqual(await scanText(`high${token}`), []);
  });

  it('does not mask placeholders, words and longer strings', async () => {
    for (const text of [
      part('gh', 'p_', 'x'.repeat(36)),
      part('gl', 'pat-', 'your-personal-access-token'),
      part('do', 'p_v1_', '0'.repeat(64)),
      'access-sandbox-mode and pul-requests and API-KEYSAREWRITTENINUPPERCASE and ico-arrow-left-circle-outline',
      'cache-key-0a1b2c3d4e5f67890a1b2c3d4e5f6789',
      's.makeKubeConfigController = args; s.thisIsALongName1WithDots2345.x()',
      `data:application/wasm;base64,EAAM${letters.repeat(20)}`,
      `sha512-${letters.repeat(2)}EAAA${letters}==`,
      'v1.0-beta and t1.name.of.a.module and pat.test(value)',
    ]) {
      assert.deepEqual(await scanText(text), [], text);
    }
  });

  it('has a length limit for each token, below the window size of a scan', () => {
    for (const { rule, rest } of serviceTokens)
      assert.doesNotMatch(rest.source, /[*+]$|[\])][*+](?!\])|\{\d+,\}/, rule);
  });
});
