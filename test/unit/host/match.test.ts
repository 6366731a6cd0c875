import assert from 'node:assert/strict';
import { best, score } from '../../../src/host/attachments/match.ts';

const order = (query: string, ...names: readonly string[]): readonly string[] => best(query, names, (name) => name, 10);

describe('host/context/match', () => {
  it('takes the letters in their order, in any case, and nothing else', () => {
    assert.ok(score('pyts', 'src/pay.ts') > 0);
    assert.ok(score('PAY', 'src/pay.ts') > 0);
    assert.equal(score('yap', 'src/pay.ts'), 0);
    assert.equal(score('payx', 'src/pay.ts'), 0);
  });

  it('prefers the beginning of the name, then the name, then the folders, then scattered letters', () => {
    assert.deepEqual(order('pay', 'p/a/y.ts', 'pay/index.ts', 'src/repay.ts', 'src/pay.ts'), [
      'src/pay.ts',
      'src/repay.ts',
      'pay/index.ts',
      'p/a/y.ts',
    ]);
  });

  it('prefers letters that begin words', () => {
    assert.deepEqual(order('ct', 'src/accent.ts', 'src/chatTurn.ts')[0], 'src/chatTurn.ts');
  });

  it('keeps the order of what fits equally well, all of it where nothing was typed', () => {
    assert.deepEqual(order('', 'b', 'a', 'c'), ['b', 'a', 'c']);
  });

  it('gives no more than was asked for', () => {
    assert.equal(best('a', ['a', 'a1', 'a2'], (name) => name, 2).length, 2);
  });
});
