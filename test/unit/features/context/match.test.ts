import assert from 'node:assert/strict';
import { best, score } from '../../../../src/features/context/vscode/attachments/match.ts';

const order = (query: string, ...names: readonly string[]): readonly string[] => best(query, names, (name) => name, 10);

describe('context/match', () => {
  it('matches the letters in order, in any case', () => {
    assert.ok(score('pyts', 'src/pay.ts') > 0);
    assert.ok(score('PAY', 'src/pay.ts') > 0);
    assert.equal(score('yap', 'src/pay.ts'), 0);
    assert.equal(score('payx', 'src/pay.ts'), 0);
  });

  it('ranks the start of the name first, then the name, then the folders, then scattered letters', () => {
    assert.deepEqual(order('pay', 'p/a/y.ts', 'pay/index.ts', 'src/repay.ts', 'src/pay.ts'), [
      'src/pay.ts',
      'src/repay.ts',
      'pay/index.ts',
      'p/a/y.ts',
    ]);
  });

  it('prefers letters at the start of words', () => {
    assert.deepEqual(order('ct', 'src/accent.ts', 'src/chatTurn.ts')[0], 'src/chatTurn.ts');
  });

  it('keeps the order of equal matches, and returns all for an empty query', () => {
    assert.deepEqual(order('', 'b', 'a', 'c'), ['b', 'a', 'c']);
  });

  it('returns at most the requested number', () => {
    assert.equal(best('a', ['a', 'a1', 'a2'], (name) => name, 2).length, 2);
  });
});
