import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { errorKinds } from '../../../src/util/errorKinds.ts';
import { commandsPage, readmePage, withCommandsTable, withMainCommands } from '../../tools/commandsTable.ts';
import { troubleshootingPage, withErrorTable } from '../../tools/errorTable.ts';
import {
  credentialsPage,
  guardedPage,
  withBuiltFolders,
  withCredentialFiles,
  withGuardedFiles,
} from '../../tools/fileTables.ts';
import { withGeneratedPart } from '../../tools/generatedPart.ts';
import { reviewPage, withSampleReview } from '../../tools/sampleReview.ts';
import { settingsPage, withSettingsTable } from '../../tools/settingsTable.ts';
import { linesOfProgram, verifyPages } from '../../tools/verifyFigures.ts';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const nls: Readonly<Record<string, string>> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const docs = globSync('docs/*.md').map((path) => path.replaceAll('\\', '/'));
const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'src/README.md', ...docs];

describe('the generated parts of the documentation (npm run docs writes them)', () => {
  const isCurrent = (path: string, update: (page: string) => string): void => {
    const page = readFileSync(path, 'utf8');
    assert.equal(update(page), page, `${path} is out of date: run npm run docs`);
  };

  it('have all settings', () => isCurrent(settingsPage, (page) => withSettingsTable(page, nls)));

  it('have all commands', () => isCurrent(commandsPage, (page) => withCommandsTable(page, manifest, nls)));

  it('have the main commands', () => isCurrent(readmePage, (page) => withMainCommands(page, manifest, nls)));

  it('have the results of a review of the sample', () => isCurrent(reviewPage, withSampleReview));

  it('have advice for every kind of error', () => {
    isCurrent(troubleshootingPage, withErrorTable);
    const page = readFileSync(troubleshootingPage, 'utf8');
    const kinds = [...page.matchAll(/^\| `(\w+)` \| [^|]{10,} \| [^|]{10,} \|$/gm)].map(([, kind]) => kind);
    assert.deepEqual(kinds, Object.keys(errorKinds));
  });

  it('have the names of the files with credentials', () => isCurrent(credentialsPage, withCredentialFiles));
  it('have the names of folders of what was built or installed', () => isCurrent(credentialsPage, withBuiltFolders));

  it('have the names of the files that are confirmed twice', () => isCurrent(guardedPage, withGuardedFiles));
  it('have the number of lines of verify.mjs', async () => {
    const lines = await linesOfProgram();
    assert.ok(Number(lines.replace(',', '')) > 1_000, lines);
    for (const [path, update] of Object.entries(verifyPages)) isCurrent(path, (page) => update(page, lines));
  });

  it('need their markers', () => {
    const part = '<!-- a: made by npm run docs -->\nold\n<!-- /a -->';
    assert.equal(withGeneratedPart(`x\n${part}\ny`, 'a', 'new'), `x\n${part.replace('old', 'new')}\ny`);
    for (const page of ['', '<!-- a: made by npm run docs -->', '<!-- /a -->\n<!-- a: made by npm run docs -->']) {
      assert.throws(() => withGeneratedPart(page, 'a', 'new'), /no place/);
    }
  });
});

describe('README.md', () => {
  it('has at most 150 lines, without pictures', () => {
    const text = readFileSync('README.md', 'utf8').replace(/^!\[.*\n\n/gm, '');
    const lines = text.trimEnd().split('\n');
    assert.ok(lines.length <= 150, `${lines.length}`);
  });

  it('has the two commands for a clone', () => {
    const readme = readFileSync('README.md', 'utf8');
    assert.match(readme, /^ {4}npm ci && npm start$/m);
    assert.match(readme, /^ {4}npm ci && npm test$/m);
  });
});

describe('the documentation', () => {
  it('shows each picture once, on its own line, and every picture exists', () => {
    const shown = pages.flatMap((page) =>
      [...proseOf(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path = '']) => join(dirname(page), path)),
    );
    const alone = pages.flatMap((page) => proseOf(page).match(/^!\[[^\]]+\]\([^)]+\)$/gm) ?? []);
    assert.ok(shown.length >= 8, `${shown.length}`);
    assert.equal(alone.length, shown.length);
    assert.equal(new Set(shown).size, shown.length);
    assert.deepEqual(
      shown.filter((path) => !existsSync(path)),
      [],
    );
  });

  for (const page of pages) {
    it(`${page} links only to existing files and headings`, () => {
      assert.deepEqual(brokenLinks(page), []);
    });
  }

  it('names commands by their titles', () => {
    const titles = Object.entries(nls).flatMap(([name, title]) => (name.endsWith('.title') ? [title] : []));
    // The changelog names them as they were called at that time.
    const current = pages.filter((page) => page !== 'CHANGELOG.md');
    const named = current.flatMap((page) =>
      [...proseOf(page).matchAll(/\*Svc:\s+([^*]+)\*/g)].map(([, title = '']) => title.replace(/\s+/g, ' ')),
    );
    assert.ok(named.length > 30, `${named.length}`);
    assert.deepEqual(
      named.filter((title) => !titles.includes(title)),
      [],
    );
  });

  it('is linked from README.md, page by page', () => {
    const links = linksIn('README.md');
    assert.deepEqual(
      docs.filter((page) => !links.includes(page)),
      [],
    );
  });
});

/** The text of a page without its blocks of code. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
}

function linksIn(page: string): readonly string[] {
  const links = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function brokenLinks(page: string): readonly string[] {
  return linksIn(page).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
}

/** The anchors of the headings, as GitHub and VS Code make them. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
