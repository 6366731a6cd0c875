import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import type { Diagnosis } from '../../../../src/client/diagnosis/diagnose.ts';
import type { FactName, FactValue } from '../../../../src/client/diagnosis/facts.ts';
import type { NotTried, Step } from '../../../../src/client/diagnosis/likelyCause.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { unwrapped } from '../../../tools/pseudo.ts';

const data = (text: string): string => `⟦${text}⟧`;

const names: Readonly<Record<FactName, true>> = {
  ...{ to: true, stack: true, via: true, 'named-by': true, 'sign-in': true, service: true, ipv4: true, ipv6: true },
  ...{ proxy: true, 'proxy-ipv4': true, 'proxy-ipv6': true, address: true, through: true, protocol: true },
  ...{ certificate: true, verdict: true, subject: true, issuer: true, chain: true, 'valid-from': true },
  ...{ 'valid-to': true, 'days-left': true, 'alternative-names': true, fingerprint: true, 'checked-with': true },
  ...{ status: true, key: true, models: true, 'clock-ahead': true, host: true, file: true, reason: true },
};

const worded: { readonly [I in Exclude<FactValue, string>['is']]: FactValue & { readonly is: I } } = {
  direct: { is: 'direct' },
  'named-by-system': { is: 'named-by-system' },
  'named-by-environment': { is: 'named-by-environment' },
  'no-user-name': { is: 'no-user-name' },
  'with-user-name': { is: 'with-user-name' },
  accepted: { is: 'accepted' },
  trusted: { is: 'trusted' },
  'not-trusted': { is: 'not-trusted' },
  unknown: { is: 'unknown' },
  unreadable: { is: 'unreadable' },
  'without-tls': { is: 'without-tls' },
  'undici-for-vscode': { is: 'undici-for-vscode' },
  'no-key': { is: 'no-key' },
  'stored-key': { is: 'stored-key' },
  none: { is: 'none', code: data('ENOTFOUND') },
  'unusable-proxy': { is: 'unusable-proxy' },
  port: { is: 'port', address: data('a'), port: '1' },
  seconds: { is: 'seconds', count: '12' },
  names: { is: 'names', names: [data('leaf'), ''] },
};

const whys: Readonly<Record<NotTried, true>> = { settings: true, 'no-answer': true, 'no-key': true, 'no-time': true };

const step = (more: Partial<Step>): Step => ({ step: 'route', state: 'ok', durationMs: 3, facts: {}, ...more });
const context = (mark: (text: string) => string) => ({
  ...{ host: mark('api.test'), baseUrl: mark('https://api.test/api/v1'), at: new Date(0) },
  ...{
    versions: [[mark('Node'), mark('v24')]] as const,
    problems: [mark('no')],
    form: [mark('temperature is left out')],
  },
  svcHeaders: [{ name: mark('Svc-A'), value: mark('b'), source: mark('user') }] as never,
});

async function reportIn(language: 'en' | 'pseudo', diagnosis: Diagnosis): Promise<readonly string[]> {
  const { describeDiagnosis } = await hostModule<
    typeof import('../../../../src/features/connection/vscode/describeDiagnosis.ts')
  >('src/features/connection/vscode/describeDiagnosis.ts', language);
  return describeDiagnosis(diagnosis, context(language === 'en' ? (text) => text : data)).split('\n');
}

describe('the report on the connection', () => {
  it('is words of the user’s language: every name, value and reason', async () => {
    const facts = Object.fromEntries(Object.keys(names).map((name) => [name, data('value')]));
    const steps: readonly Step[] = [
      step({ facts }),
      ...Object.values(worded).map((value) => step({ facts: { via: value } })),
      ...Object.keys(whys).map((why) => step({ state: 'not-tried', why: why as NotTried })),
      step({ step: 'names', state: 'failed' }),
      step({ step: 'connection', facts: { ipv4: { is: 'none' } } }),
      step({ step: 'clock' }),
    ];
    const headers = [[data('Authorization'), { is: 'stored-key' }]] as const;
    const lines = await reportIn('pseudo', { cause: 'unknown', steps, headers });
    const time = '1970-01-01T00:00:00.000Z';
    assert.deepEqual(
      lines.filter((line) => unwrapped(line.replace(time, '')) !== undefined),
      [],
    );
  });

  it('names a fault by its kind and code, and says what was not tried and why', async () => {
    const error = { kind: 'auth', code: 'no-key', status: undefined, requestId: undefined } as const;
    const lines = await reportIn('en', {
      cause: 'key-missing',
      steps: [
        step({ facts: { to: 'api.test', via: { is: 'direct' } } }),
        step({
          step: 'names',
          facts: { service: 'api.test', ipv4: '127.0.0.1', ipv6: { is: 'none', code: 'ENODATA' } },
        }),
        step({
          step: 'connection',
          facts: {
            address: { is: 'port', address: '127.0.0.1', port: '443' },
            verdict: { is: 'trusted' },
            chain: { is: 'names', names: ['api.test', ''] },
            'days-left': '9',
            fingerprint: 'AA:BB',
          },
        }),
        step({ step: 'token', state: 'not-tried', why: 'no-key', durationMs: 0, error }),
        step({ step: 'models', state: 'not-tried', why: 'no-answer', durationMs: 0 }),
        step({ step: 'clock', facts: { 'clock-ahead': { is: 'seconds', count: '12' } } }),
      ],
      headers: [['Authorization', { is: 'no-key' }]],
    });
    for (const line of [
      ...['| step | result | ms |', '| Route | ok | 3 |', '- to: `api.test`', '- via: `direct`'],
      ...['- IPv4: `127.0.0.1`', '- IPv6: `none (ENODATA)`', '- address: `127.0.0.1 port 443`', '- verdict: `trusted`'],
      ...['- chain: `api.test < unnamed`', '- days left: `9`', '- fingerprint (SHA-256): `AA:BB`'],
      ...['| /auth/token | failed: auth, no-key |  |', '- not tried: `no key stored`', '| /models | not tried |  |'],
      ...['- not tried: `the service did not answer`', '- ahead of the service by: `12 s`'],
      '| Authorization | `no key stored` |  |',
    ]) {
      assert.ok(lines.includes(line), `${line}\n${lines.join('\n')}`);
    }
  });

  it('renders third-party text as text: no link, image or element, and no further cell', async () => {
    const bad = '![a](https://x.test/i.png) [b](command:c) <img src=d> `e` | f\n# g \\';
    const error = { kind: 'auth', code: bad, status: undefined, requestId: bad } as never;
    const { describeDiagnosis } = await hostModule<
      typeof import('../../../../src/features/connection/vscode/describeDiagnosis.ts')
    >('src/features/connection/vscode/describeDiagnosis.ts', 'en');
    const facts = { issuer: bad, chain: { is: 'names', names: [bad] } } as const;
    const steps = [step({ facts, error, state: 'failed' })];
    const about = { ...context(() => bad), host: 'api.test', baseUrl: 'https://api.test/api/v1' };
    const text = describeDiagnosis({ cause: 'unknown', steps, headers: [['a', bad]] }, about);
    const tokens = new MarkdownIt({ html: true }).parse(text, {});
    const all = tokens.flatMap((token) => [token, ...(token.children ?? [])]);
    assert.deepEqual(
      all.filter(({ type }) => /^(html|image|link)/.test(type)).map(({ content }) => content),
      [],
    );
    const headings = all.flatMap(({ type }, at) => (type === 'heading_open' ? [all[at + 1]?.content] : []));
    assert.ok(!headings.includes('g'), headings.join());
    const rows = all.filter(({ type }) => type === 'tr_open').length;
    assert.equal(all.filter(({ type }) => type === 'td_open' || type === 'th_open').length, 2 * 3 + 3 * 3 + 2 * 2);
    assert.equal(rows, 2 + 3 + 2);
  });
});
