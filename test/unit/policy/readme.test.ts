import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { withSettingsTable } from '../../tools/settingsTable.ts';

describe('README.md', () => {
  it('has the table of settings as it is (npm run docs makes it)', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.equal(withSettingsTable(readme, JSON.parse(readFileSync('package.nls.json', 'utf8'))), readme);
  });
});
