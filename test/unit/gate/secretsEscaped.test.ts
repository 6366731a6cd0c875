import assert from 'node:assert/strict';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { leastCost, processorMs } from '../../tools/processorTime.ts';
import { maskText } from './untagged.ts';

// Assembled here, so that secret scanners find nothing in this file.
const part = (...parts: readonly string[]): string => parts.join('');
const card = part('4111', '111111111111');
const masked = async (text: string): Promise<string> => maskText(text, await scanText(text));

const numbers: readonly (readonly [string, string])[] = [
  ['payment-card', card],
  ['payment-card', part('4111', ' 1111 1111 1111')],
  ['payment-card', part('3782', '-822463-10005')],
  ['us-ssn', part('536', '-22-8726')],
  ['us-ssn', part('536', ' 22 8726')],
  ['iban', part('DE89', '370400440532013000')],
  ['iban', part('GB82', ' WEST 1234 5698 7654 32')],
];

/** Text that ends in a letter or digit, which is not part of the next word. */
const escapes = [
  ...['\\n', '\\r\\n', '\\t', '\\\\n', '\\N', '\\u0022', '\\u000A', '\\x22', '\\x0a'],
  ...['%3D', '%20', '%0d%0a', '\x1b[32m', '\\u001b[1;32m'],
];

describe('gate: numbers after an escape', () => {
  for (const [rule, number] of numbers) {
    it(`masks a ${rule} (${number.slice(0, 5)}…) after each, and between two`, async () => {
      for (const coded of escapes) {
        for (const [before, after] of [
          ['x', ''],
          ['', '"}'],
          [' a', coded],
        ] as const) {
          const text = before + coded + number + after;
          assert.equal(await masked(text), `${before}${coded}[masked: ${rule}]${after}`, text);
        }
      }
    });
  }

  it('masks each in the rows of a table in JSON', async () => {
    const rows = ['id,pan,iban,ssn', '1,x,y,z', card, part('DE89', '370400440532013000'), part('536', '-22-8726'), ''];
    const left = ['id,pan,iban,ssn', '1,x,y,z', '[masked: payment-card]', '[masked: iban]', '[masked: us-ssn]', ''];
    for (const end of ['\n', '\r\n', '\t'])
      assert.equal(await masked(JSON.stringify({ rows: rows.join(end) })), JSON.stringify({ rows: left.join(end) }));
    const repeated = JSON.stringify(`${card}\n`.repeat(100));
    assert.equal(await masked(repeated), repeated.replaceAll(card, '[masked: payment-card]'));
  });

  it('masks a social security number without dashes whose name is before or after an escape', async () => {
    const number = part('536', '228726');
    for (const [before, after] of [
      ['ssn\\n', '\\n'],
      ['x\\nssn: ', ''],
      ['?a=b%26ssn%3D', '%26c'],
      ['{\\u0022ssn\\u0022:\\u0022', '\\u0022}'],
    ] as const)
      assert.equal(await masked(before + number + after), `${before}[masked: us-ssn]${after}`);
  });

  it('masks a card after a percent sign, and no number in a word, of an id or of other digits', async () => {
    assert.equal(await masked(`100%${card}`), '100%[masked: payment-card]');
    for (const before of [
      'an',
      'n',
      'u0022',
      'x22',
      'm',
      '32m',
      '3D',
      '\\nan',
      '\\u002',
      '%2D',
      '\\u002d',
      '\\x2E',
      '1\\n1',
      '\\n-',
    ])
      for (const [, number] of numbers.filter(([rule]) => rule === 'payment-card'))
        assert.equal(await masked(before + number), before + number);
    for (const text of [
      `\\n${card}5`,
      `\\n${card}e5`,
      `%20${card}.5`,
      part('\\n4111', '111111111112'),
      part('an536', '-22-8726'),
      part('\\nan536', '-22-8726'),
      part('anDE89', '370400440532013000'),
      part('\\nDE88', '370400440532013000'),
      part('\\n1 536', ' 22 8726'),
    ])
      assert.equal(await masked(text), text);
  });

  it('takes time linear in the text', async () => {
    for (const piece of [
      '\\',
      '4',
      '%',
      '%4',
      '[',
      '[1;',
      '\\u',
      '\\u0',
      '\\u00',
      '\\n',
      '\\n4',
      'A',
      'DE89',
      'ssn',
      'ssn\\n',
      'ssn%2',
      '%20',
      '4111 ',
      '\\n1234-',
    ]) {
      const text = piece.repeat(Math.floor(1_000_000 / piece.length));
      const ms = await leastCost(2_000, async () => {
        const from = processorMs();
        await scanText(text);
        return processorMs() - from;
      });
      assert.ok(ms < 2_000, `${piece}: ${ms} ms`);
    }
  });
});
