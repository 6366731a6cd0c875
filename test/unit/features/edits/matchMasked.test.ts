import assert from 'node:assert/strict';
import { leftMark, matchMasked } from '../../../../src/features/edits/common/matchMasked.ts';
import { canCover } from '../../../../src/features/edits/common/secretCover.ts';
import { keeperOf, type SecretKeeper } from '../../../../src/gate/secrets/marks/keeper.ts';
import { maskText, scanText } from '../../../../src/gate/secrets/scanner.ts';
import { Dice } from '../../../tools/dice.ts';

const dice = new Dice(7);
const secret = (): string => `AKIA${dice.text(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`;
const [first, second] = [secret(), secret()];
const text = `const one = '${first}';\nconst two = '${second}';\nconst limit = 3;\n`;

describe('an edit of a file whose secrets were masked', () => {
  let keeper: SecretKeeper;
  let masked: readonly string[];
  before(async () => {
    const marks = await scanText(text);
    keeper = await keeperOf({ text, marks }, []);
    masked = (await maskText(text, marks)).split('\n');
    assert.ok(masked[0]?.includes('[masked: aws-access-key ') && masked[1]?.includes('[masked: '));
  });

  const match = (old: string, now: string, isForAll = false) =>
    matchMasked(
      text.split('\n'),
      { old, now, isForAll },
      { keeper, secrets: [first, second], languageId: 'typescript' },
    );
  const edited = (old: string, now: string) => {
    const found = match(old, now);
    return found.is === 'fit' ? found.lines.join('\n') : found;
  };
  const mark = (line: number): string => /\[masked:[^\]]*\]/.exec(masked[line] ?? '')?.[0] ?? '';

  it('finds its place by the marks, and keeps the secrets of lines that stay', () => {
    const old = masked.slice(0, 3).join('\n');
    assert.equal(edited(old, old.replace('limit = 3', 'limit = 4')), text.replace('limit = 3', 'limit = 4'));
  });

  it('puts a secret back into a line that changes', () => {
    const line = masked[1] ?? '';
    assert.equal(edited(line, line.replace('two', 'other')), text.replace('two', 'other'));
    assert.equal(edited(mark(0), `\${${mark(0)}}`), text.replace(first, `\${${first}}`));
  });

  it('is not found by a part of a secret, so that a model cannot guess one', () => {
    for (const length of [4, 8, first.length - 1]) {
      const [right, wrong] = [first.slice(0, length), `${first.slice(0, length - 1)}!`];
      for (const [start, end] of [
        ["const one = '", ''],
        ['', ''],
        ['limit', ''],
      ] as const) {
        const of = (guess: string) => match(`${start}${guess}${end}`, 'x');
        const unlike = { ...of(right), near: null };
        assert.deepEqual(unlike, { ...of(wrong), near: null }, `${start} ${length}`);
      }
      assert.deepEqual(match(`const one = '${right}`, `const one = '${right}`), { is: 'same' });
    }
    assert.deepEqual(match(first.slice(-5), 'x'), match('xxxxx', 'x'));
    // The text around it can be replaced without it.
    assert.equal(edited('const one', 'const uno'), text.replace('one', 'uno'));
  });

  it('is possible only in a file with a limited number of secrets, of which each line counts', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, at) => `secret ${at}`);
    assert.deepEqual([canCover(lines(200)), canCover(lines(201))], [true, false]);
    assert.equal(canCover([lines(201).join('\n')]), false);
  });

  it('is refused with a mark that is not of this file', () => {
    const other = mark(0).replace(/[a-z2-7]{5}\]$/, 'aaaaa]');
    assert.deepEqual(match('limit = 3', `limit = '${other}'`), { is: 'mark', line: 2 });
    assert.equal(match(`'${other}'`, "''").is, 'nowhere');
  });

  it('is refused with a mark of which it is unclear what it stands for', () => {
    const bare = mark(0).replace(/ [a-z2-7]{5}\]$/, ']');
    assert.deepEqual(match('limit = 3', `limit = '${bare}'`), { is: 'mark', line: 2 });
    assert.deepEqual(match('const limit', `key('${mark(0).slice(1, -1)}');\nconst limit`), { is: 'mark', line: 2 });
  });

  it('is refused in a new file, which has no secrets', async () => {
    const none = await keeperOf({ text: '', marks: [] }, []);
    assert.deepEqual(leftMark([], ['a', `b = '${mark(0)}'`], none), { is: 'mark', line: 1 });
    assert.equal(leftMark([], ['a', 'the word masked: is none'], none), null);
  });

  it('keeps a text of the file that only reads as a mark', async () => {
    const own = 'Marks look like `[masked: jwt]`.\nlimit';
    const its = await keeperOf({ text: own, marks: [] }, []);
    const found = matchMasked(
      own.split('\n'),
      { old: own, now: `${own}s` },
      { keeper: its, secrets: [], languageId: 'markdown' },
    );
    assert.deepEqual(found.is === 'fit' && found.lines, `${own}s`.split('\n'));
  });
});
