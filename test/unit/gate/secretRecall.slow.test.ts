import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { examplesFile, readExamples, scoreOf } from '../../tools/secretExamples.ts';
import { gaps } from '../../tools/secretGaps.ts';
import { isCovered, measureRecall, type Recall, secretsPage, withRecall } from '../../tools/secretsTable.ts';
import { maskText } from './untagged.ts';

describe('gate: secrets, the examples of another scanner', () => {
  let rows: readonly Recall[] = [];
  before(async () => {
    rows = await measureRecall();
  });

  it('finds 99 % of the examples of each rule, or docs/secrets.md names the gap', () => {
    assert.ok(rows.length > 200);
    const below = rows.filter((row) => !isCovered(row)).map(({ rule }) => rule);
    assert.deepEqual(below, [...gaps.keys()].sort(), 'test/tools/secretGaps.ts has the reasons');
  });

  it('docs/secrets.md is up to date (npm run docs generates it)', () => {
    const page = readFileSync(secretsPage, 'utf8');
    assert.equal(withRecall(page, rows), page);
  });

  it('finds nothing more in masked text', async () => {
    for (const { secrets, harmless } of readExamples()) {
      for (const { text } of [...secrets, ...harmless]) {
        const masked = await maskText(text, await scanText(text));
        assert.deepEqual(await scanText(masked), [], masked);
      }
    }
  });

  it('does not report a secret of which only eight characters remain', async () => {
    const text = ['gh', 'p_', 'a1B2'.repeat(9), '-12345678'].join('');
    const score = (length: number) => scoreOf({ text, values: [{ at: 0, length }] });
    assert.deepEqual(await score(text.length), { values: 1, found: 0, touched: 1 });
    assert.deepEqual(await score(text.length - 2), { values: 1, found: 1, touched: 1 });
  });

  it('stores its examples in a file that no scanner reports as a leak', async () => {
    assert.deepEqual(await scanText(readFileSync(examplesFile, 'utf8')), []);
  });
});
