import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { withSampleReview } from '../../tools/sampleReview.ts';
import { withSettingsTable } from '../../tools/settingsTable.ts';

describe('README.md', () => {
  it('has the table of settings as it is (npm run docs makes it)', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.equal(withSettingsTable(readme, JSON.parse(readFileSync('package.nls.json', 'utf8'))), readme);
  });

  it('says what a review of the sample finds and misses (npm run docs does)', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.equal(withSampleReview(readme), readme);
  });
});
