import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { examineText } from '../../../src/gate/secrets/examineText.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { maskText } from './untagged.ts';

const part = (...parts: readonly string[]): string => parts.join('');
const scanner = { scanText, maskText };
const left = async (text: string): Promise<string> => (await examineText(text, { where: null }, scanner)).masked;
const mark = '[masked: us-ssn]';

/** A text, and the text after masking. */
const rows: readonly (readonly [string, string, string])[] = [
  ['a short token', '_authToken=12345678', '_authToken=[masked: npm-auth-token]'],
  ['a mark in a token’s place', `_authToken=${mark}`, `_authToken=${mark}`],
  ['a mark in a key’s place', `AccountKey=${mark};`, `AccountKey=${mark};`],
  ['a mark in a password’s place', `https://u:${mark}@host`, `https://u:${mark}@host`],
  [
    'what stands around a mark in a password’s place',
    part('https://u:', `abc${mark}def`, '@host'),
    `https://u:[masked: url-password]${mark}[masked: url-password]@host`,
  ],
  ['a row of marks', `${mark}${mark}\n${mark}`, `${mark}${mark}\n${mark}`],
  ['a mark that is a label of nothing', part(`${mark} 123`, '456789'), `${mark} ${part('123', '456789')}`],
  ['what only looks like a mark', part('[masked: gh', 'p_', 'a1B2'.repeat(9), ']'), '[masked: [masked: github-token]]'],
  [
    'a token in the brackets of a mark, in small letters',
    part('[masked: glpat', '-abcdefghij0123456789]'),
    '[masked: [masked: gitlab-token]]',
  ],
];

describe('gate: marks', () => {
  it('are put back only by edits: never in chat texts, tool calls, the history or the clipboard', () => {
    const users = globSync('src/**/*.{ts,tsx}').filter((path) =>
      /\b(putBack|keeperOf|withSecretsBack)\b/.test(readFileSync(path, 'utf8')),
    );
    assert.ok(users.length > 3);
    assert.deepEqual(
      users.filter((path) => !/^src\/(gate\/secrets\/marks|features\/edits)\//.test(path)),
      [],
    );
  });

  for (const [what, text, expected] of rows) {
    it(`masks ${what} in one pass`, async () => {
      const once = await left(text);
      assert.equal(once, expected);
      assert.equal(await left(once), once);
    });
  }

  it('secrets known from the document are masked with those found in the text, and counted with their line', async () => {
    const text = part('one\nSECRETS\n', 'svc_ent_', '0123456789abcdef');
    const marks = [
      { rule: 'private-key', start: 4, end: 11 },
      { rule: 'private-key', start: 400, end: 500 },
    ];
    const { masked, found } = await examineText(text, { where: 'a.txt', firstLine: 10, marks }, scanner);
    assert.equal(masked, 'one\n[masked: private-key]\n[masked: svc-key]');
    assert.deepEqual(
      found.map(({ rule, where, line }) => [rule, where, line]),
      [
        ['private-key', 'a.txt', 11],
        ['svc-key', 'a.txt', 12],
      ],
    );
  });

  it('keeps the number of lines, for any line endings and any position of a secret', async () => {
    const rule = 'jwt';
    const count = (text: string): number => text.split(/\r\n|\r|\n/).length;
    const text = 'a\r\nb\rc\n\rd\re\n\n\r\r\nf';
    for (let start = 0; start < text.length; start += 1) {
      for (let end = start + 1; end <= text.length; end += 1) {
        const masked = await maskText(text, [{ rule, start, end }]);
        assert.equal(count(masked), count(text), JSON.stringify([masked, start, end]));
      }
    }
  });

  it('masking that does not converge is refused', async () => {
    const endless = {
      scanText: async () => [{ rule: 'x', start: 0, end: 1, line: 1 }],
      maskText: async (text: string) => text,
    };
    await assert.rejects(
      examineText('a', { where: 'a.txt' }, endless),
      (error) => isServiceError(error) && error.kind === 'gate' && error.code === 'masking-endless',
    );
  });
});
