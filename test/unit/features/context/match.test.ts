import assert from 'node:assert/strict';
import { best, score } from '../../../../src/features/context/vscode/attachments/match.ts';
import { withClockOfLooks } from '../../../tools/clock.ts';

const order = (query: string, ...names: readonly string[]): Promise<readonly string[]> =>
  best(query, names, (name) => name, 10);

describe('context/match', () => {
  it('matches the letters in order, in any case', () => {
    assert.ok(score('pyts', 'src/pay.ts') > 0);
    assert.ok(score('PAY', 'src/pay.ts') > 0);
    assert.equal(score('yap', 'src/pay.ts'), 0);
    assert.equal(score('payx', 'src/pay.ts'), 0);
  });

  it('matches a name with umlauts in either form, and a path that is typed with backslashes', () => {
    for (const form of ['NFC', 'NFD'] as const) {
      const name = 'src/Größen für 학점.md'.normalize(form);
      for (const query of ['größ', 'FÜR', '학점', 'src\\grö']) {
        assert.ok(score(query, name) > 0, `${query} ${form}`);
        assert.ok(score(query.normalize('NFD'), name) > 0, `${query} ${form}`);
      }
    }
  });

  it('ranks the start of the name first, then the name, then the folders, then scattered letters', async () => {
    assert.deepEqual(await order('pay', 'p/a/y.ts', 'pay/index.ts', 'src/repay.ts', 'src/pay.ts'), [
      'src/pay.ts',
      'src/repay.ts',
      'pay/index.ts',
      'p/a/y.ts',
    ]);
  });

  it('prefers letters at the start of words', async () => {
    assert.deepEqual((await order('ct', 'src/accent.ts', 'src/chatTurn.ts'))[0], 'src/chatTurn.ts');
  });

  it('keeps the order of equal matches, and returns all for an empty query', async () => {
    assert.deepEqual(await order('', 'b', 'a', 'c'), ['b', 'a', 'c']);
  });

  it('returns at most the requested number', async () => {
    assert.equal((await best('a', ['a', 'a1', 'a2'], (name) => name, 2)).length, 2);
  });

  it('lets the event loop turn while it compares thousands of names', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `src/file${index}.ts`);
    let [compared, before, most, isOver] = [0, 0, 0, false];
    const turn = (): void => {
      most = Math.max(most, compared - before);
      before = compared;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const nameOf = (name: string): string => {
      compared += 1;
      return name;
    };
    const found = await withClockOfLooks(() => best('file2999', names, nameOf, 10)).finally(() => {
      isOver = true;
    });
    assert.deepEqual(found, ['src/file2999.ts']);
    assert.ok(most > 0 && most <= 20, `${most} names in one turn`);
  });
});
