import assert from 'node:assert/strict';
import { windowLength } from '../../../src/gate/secrets/matches.ts';
import { plainTextOf } from '../../../src/gate/secrets/plainText.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { maskText } from './untagged.ts';

function plainOf(text: string) {
  const work = plainTextOf(text);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

const masked = async (text: string): Promise<string> => maskText(text, await scanText(text));
// Assembled here so that nothing in this file looks like a secret.
const value = ['q7Rt2mZx', '9LbV4kWp', '8NcY3hJd'].join('');
const [head, tail] = [['gh', 'p_', 'aB3dE6gH9'].join(''), 'kL2nP5rS8uV1xY4zA7cD0fG3iJ6'] as const;
const token = '[masked: github-token]';
const generic = '[masked: generic-secret]';

describe('gate: secrets, in text that is not what it looks like', () => {
  for (const [inside, what] of [
    ['\x1b[0m\x1b[1;31m', 'colors'],
    ['\x1b[K', 'a cleared line'],
    ['\x9b31m', 'a color of one character'],
    ['\\u001b[31m', 'a color in JSON'],
    ['\\x1b[38;5;1m', 'a color in code'],
    ['\\033[0m', 'a color in a shell'],
    ['\x1b]8;;https://h.example\x07', 'a link'],
    ['\x1b]8;;\x1b\\', 'the end of a link'],
    ['\u200b', 'a space without a width'],
    ['\u00ad', 'a soft hyphen'],
    ['\u202e\u2066', 'marks of direction'],
    ['\ufe0f', 'a variation'],
    ['\u{e0041}\u{e0042}', 'tags'],
    ['<wbr>', 'a place for a line break'],
    ['<em>', 'an emphasis'],
    ['</mark>', 'the end of a highlight'],
  ] as const) {
    it(`masks all of a token with ${what} inside it`, async () => {
      assert.equal(await masked(`a ${head}${inside}${tail} b`), `a ${token} b`);
    });
  }

  it('masks all of a token with a number for a character, and reads a name with one', async () => {
    for (const dash of ['\\u005f', '\\u005F', '\\\\u005f', '&#95;', '&#x5f;', '&#x5F;', '&#095;']) {
      assert.equal(await masked(`"${`${head}${tail}`.replace('_', dash)}"`), `"${token}"`);
    }
    const [start, last] = [`${head}${tail}`.slice(0, -1), `${head}${tail}`.slice(-1).charCodeAt(0)] as const;
    assert.equal(await masked(`${start}&#${last}; b`), `${token} b`);
    assert.equal(await masked(`{"p\\u0061ssword": "${value}"}`), `{"p\\u0061ssword": "${generic}"}`);
  });

  it('masks a token that continues in the next line, and keeps the lines', async () => {
    assert.equal(await masked(`a ${head}\\\n${tail} b`), `a ${token}\n b`);
    assert.equal(await masked(`a ${head}=\r\n${tail} b`), `a ${token}\r\n b`);
  });

  for (const name of [
    'ｐａｓｓｗｏｒｄ',
    'PＡSSWORD',
    'раsswоrd',
    'раѕѕԝоrd',
    'TОKEN',
    'pαsswοrd',
    'pass\u200bword',
    'pass\u00adword',
    'p\u{e0041}assword',
    '\u202epassword\u202c',
    'password\u200e',
    '\x1b[01;31m\x1b[Kpass\x1b[m\x1b[Kword',
  ]) {
    it(`reads the name ${JSON.stringify(name)}`, async () => {
      assert.equal(await masked(`${name} = "${value}"`), `${name} = "${generic}"`);
      assert.equal(await masked(`${name}：${value}`), `${name}：${generic}`);
    });
  }

  it('finds each secret of a long text at its place', async () => {
    const line = `раsswоrd: ${value} \u200bжж\n`;
    const text = `${line.repeat(Math.ceil((2 * windowLength) / line.length))}${'x'.repeat(windowLength)}${line}`;
    const found = await scanText(text);
    assert.equal(found.length, text.split(value).length - 1);
    for (const { start, end } of found) assert.equal(text.slice(start, end), value);
  });

  it('is the text itself where nothing deceives', () => {
    for (const text of ['', 'plain', 'пароль и слово', 'Ελληνικά κείμενα', 'a\\\n  b', 'x =\ny', '\\[b', '日本語']) {
      assert.equal(plainOf(text), null, text);
    }
    assert.equal(plainOf('сash \x1b[1mａ\u200bb')?.text, 'cash ab');
  });

  it('finds nothing in ordinary text of other scripts', async () => {
    const text =
      'Пароль: введите пароль123 и токен. Ｎｏ．１２３４５６７８９０ ключ=значение Xпример2 token токен_доступа';
    assert.deepEqual(await scanText(text), []);
  });
});
