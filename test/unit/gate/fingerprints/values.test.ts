import assert from 'node:assert/strict';
import { allAssignedIn, mayHaveSecret } from '../../../../src/gate/fingerprints/assigned.ts';
import { tokensIn } from '../../../../src/gate/fingerprints/values.ts';
import { leastCost, measured, processorMs } from '../../../tools/processorTime.ts';

const megabyte = (line: string): string => line.repeat(Math.ceil(2 ** 20 / line.length)).slice(0, 2 ** 20);

describe('gate: values of files with credentials', () => {
  it('are read in short steps, whatever the lines consist of', async () => {
    for (const piece of ['://:', '://a', 'abcdefghijklmnopqrs ', 'a:', '="', 'password=', '"a": "b", ']) {
      const text = megabyte(`${piece.repeat(3_900 / piece.length)}\n`);
      const step = () => Math.max(measured(allAssignedIn(text)).longestMs, measured(mayHaveSecret(text)).longestMs);
      const longest = await leastCost(50, step);
      assert.ok(longest <= 50, `${piece}: ${longest} ms`);
    }
  });

  it('find tokens in a text of words that are almost as long in a short time', async () => {
    const text = megabyte('abcdefghijklmnopqrs ');
    const cost = await leastCost(60, () => {
      const from = processorMs();
      assert.equal([...tokensIn(text)].length, 0);
      return processorMs() - from;
    });
    assert.ok(cost <= 60, `${cost} ms`);
  });
});
