import assert from 'node:assert/strict';
import { maskInRounds } from '../../../src/gate/secrets/maskInRounds.ts';
import { maskText, scanText } from '../../../src/gate/secrets/scanner.ts';

// Split, so that no scanner reports this file.
const databricks = ['dapi', 'fbe54ba747ae29fd9bfcd6c0c51d0a27'].join('');
const docker = ['dckr', '_pat_', 'WU3MgeNTQh8M6qT2negb72shpH7'].join('');
const groq = ['gsk_', 'MOs0WqUYHsii3OuR18NXfBXZU96R5XJfPnVKWb9sHxULZr8LiOIm'].join('');

/** The masked text, and the number of rounds. */
async function mask(text: string): Promise<readonly [string | null, number]> {
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
  };
  return [await maskInRounds(text, {}, { scanText, maskText }, count), rounds];
}

const marks = /\[masked: [a-z0-9-]+( [a-z2-7]{5})?\]/g;

describe('gate: secrets without gaps', () => {
  for (const length of [1, 4, 50]) {
    it(`a chain of ${length} of each kind is masked completely`, async () => {
      const chain = databricks.repeat(length) + docker.repeat(length) + groq;
      const [masked, rounds] = await mask(`url=${chain}\nnext line\n`);
      assert.ok(masked !== null && rounds <= 6, `${rounds} rounds`);
      for (const secret of [databricks, docker, groq]) assert.equal(masked.includes(secret.slice(-12)), false, masked);
      assert.ok(masked.endsWith(']\nnext line\n'), masked);
    });
  }

  it('two chains in a line are masked separately, and the text between them stays', async () => {
    const chain = databricks.repeat(6) + groq;
    const [masked] = await mask(`one("${chain}", "${chain}")\n`);
    const [first = '', second = '', ...none] = (masked ?? '').split(/(?<=\]")|(?<=\]")\)/);
    assert.ok(first.startsWith('one("[masked: ') && second.startsWith(', "[masked: '), masked ?? '');
    assert.equal(none.join(''), ')\n');
  });

  it('a chain of few is masked one by one', async () => {
    const [masked] = await mask(databricks.repeat(2) + groq);
    assert.equal((masked ?? '').match(marks)?.length, 3);
  });
});
