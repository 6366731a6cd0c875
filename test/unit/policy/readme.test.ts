import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { errorCodes } from '../../../src/util/errors.ts';
import { readmeForVsix } from '../../tools/packaging/readme.ts';
import { withSampleReview } from '../../tools/sampleReview.ts';
import { withSettingsTable } from '../../tools/settingsTable.ts';

describe('README.md', () => {
  it('has an up-to-date table of settings (npm run docs generates it)', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.equal(withSettingsTable(readme, JSON.parse(readFileSync('package.nls.json', 'utf8'))), readme);
  });

  it('has the current results of a review of the sample (npm run docs generates them)', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.equal(withSampleReview(readme), readme);
  });

  it('has advice for every kind of error', () => {
    const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `(\w+)` \| [^|]{10,} \|/gm)].map(
      ([, kind]) => kind,
    );
    assert.deepEqual(rows, Object.keys(errorCodes));
  });

  it('shows only existing pictures, each on its own line, which the VSIX omits', () => {
    const readme = readFileSync('README.md', 'utf8');
    const pictures = [...readme.matchAll(/^!\[[^\]]+\]\((.+)\)$/gm)].map(([, path = '']) => path);
    assert.ok(pictures.length >= 8);
    assert.deepEqual(
      pictures.filter((path) => !existsSync(path)),
      [],
    );
    assert.doesNotMatch(readmeForVsix(readme), /docs\/screenshots/);
  });

  it('omits only the benchmark figures in the VSIX', () => {
    const readme = readFileSync('README.md', 'utf8');
    const headings = (text: string): readonly string[] => text.match(/^## .+$/gm) ?? [];
    assert.deepEqual(
      headings(readmeForVsix(readme)),
      headings(readme).filter((heading) => heading !== '## Performance'),
    );
    assert.doesNotMatch(readmeForVsix(readme), /#performance/);
  });

  it('links only to existing headings', () => {
    const readme = readFileSync('README.md', 'utf8');
    const anchors = [...readme.matchAll(/^#+ (.+)$/gm)].map(
      ([, heading = '']) =>
        `#${heading
          .toLowerCase()
          .replace(/[^\w -]/g, '')
          .replaceAll(' ', '-')}`,
    );
    const links = [...readme.matchAll(/\]\((#[^)]+)\)/g)].map(([, link = '']) => link);
    assert.deepEqual(
      links.filter((link) => !anchors.includes(link)),
      [],
    );
  });
});
