import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { readmeForVsix } from '../../tools/packaging/readme.ts';
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

  it('says of every kind of error what helps', () => {
    const kinds = [...readFileSync('src/util/errors.ts', 'utf8').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, kind]) => kind);
    const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `(\w+)` \| [^|]{10,} \|/gm)].map(
      ([, kind]) => kind,
    );
    assert.ok(kinds.length > 10);
    assert.deepEqual(rows, kinds);
  });

  it('shows pictures that there are, each on a line of its own, which the VSIX leaves out', () => {
    const readme = readFileSync('README.md', 'utf8');
    const pictures = [...readme.matchAll(/^!\[[^\]]+\]\((.+)\)$/gm)].map(([, path = '']) => path);
    assert.ok(pictures.length >= 8);
    assert.deepEqual(
      pictures.filter((path) => !existsSync(path)),
      [],
    );
    assert.doesNotMatch(readmeForVsix(readme), /docs\/screenshots/);
  });

  it('leaves the figures of the benchmarks out of the VSIX, and nothing else', () => {
    const readme = readFileSync('README.md', 'utf8');
    const headings = (text: string): readonly string[] => text.match(/^## .+$/gm) ?? [];
    assert.deepEqual(
      headings(readmeForVsix(readme)),
      headings(readme).filter((heading) => heading !== '## Performance'),
    );
    assert.doesNotMatch(readmeForVsix(readme), /#performance/);
  });

  it('links to headings that there are', () => {
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
