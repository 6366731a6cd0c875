import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { pageForVsix } from '../../tools/packaging/pages.ts';
import { listedFiles, madePages } from '../../tools/packaging/vsix.ts';

describe('the pages in the VSIX', () => {
  const shipped = new Set(['README.md', 'CHANGELOG.md', 'docs/a.md', 'docs/a.png']);

  it('have only shipped pictures', () => {
    const text = '# A\n\n![One](docs/a.png)\n\nText\n\n![Two](docs/b.png)\n\n![Far](https://example.com/c.png)\n';
    const expected = '# A\n\n![One](docs/a.png)\n\nText\n\n![Far](https://example.com/c.png)\n';
    assert.equal(pageForVsix('README.md', text, shipped), expected);
  });

  it('have no marks of generated parts', () => {
    const text = '# A\n\n<!-- errors: made by npm run docs -->\n| a |\n\n<!-- /errors -->\n';
    assert.equal(pageForVsix('docs/a.md', text, shipped), '# A\n\n| a |\n\n');
  });

  it('have only links to shipped files, by their names in the VSIX', () => {
    const text = '[a](docs/a.md#b), [c](CONTRIBUTING.md#d), [e](CHANGELOG.md#f), [g](#h), [i](https://example.com/j)';
    const expected = '[a](docs/a.md#b), c, [e](changelog.md#f), [g](#h), [i](https://example.com/j)';
    assert.equal(pageForVsix('README.md', text, shipped), expected);
    assert.equal(
      pageForVsix('docs/a.md', '[a](../README.md#b) [c](d.md) [e](a.md)', shipped),
      '[a](../readme.md#b) c [e](a.md)',
    );
  });

  it('omit only the section about the sources', () => {
    const text = '# A\n\n## Try it from source\n\n    npm ci\n\n## Read on\n';
    assert.equal(pageForVsix('README.md', text, shipped), '# A\n\n## Read on\n');
    const headings = (page: string): readonly string[] => page.match(/^## .+$/gm) ?? [];
    const readme = readFileSync('README.md', 'utf8');
    assert.deepEqual(
      headings(pageForVsix('README.md', readme, shipped)),
      headings(readme).filter((heading) => heading !== '## Try it from source'),
    );
  });

  it('are README.md and all of docs/, and refer to nothing outside of the VSIX', () => {
    const files = new Set(listedFiles());
    const pages = Object.entries(madePages());
    assert.ok(pages.length > 10 && files.has('README.md'));
    for (const [page, text] of pages) {
      const addresses = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, address = '']) => address.split('#')[0] ?? '');
      const targets = addresses
        .filter((address) => !/^[a-z]+:|^$/.test(address))
        .map((address) => join(dirname(page), address));
      const renamed: Readonly<Record<string, string>> = { 'readme.md': 'README.md', 'changelog.md': 'CHANGELOG.md' };
      assert.deepEqual(
        targets.filter((target) => !files.has(renamed[target] ?? target)),
        [],
        page,
      );
    }
  });

  it('have no pictures, which VS Code shows on the page of an extension only from https addresses', () => {
    assert.deepEqual(
      listedFiles().filter((file) => file.startsWith('docs/screenshots/')),
      [],
    );
    for (const [page, text] of Object.entries(madePages())) assert.doesNotMatch(text, /^!\[/m, page);
  });
});
