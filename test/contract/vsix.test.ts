import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sources = [
  ...[
    'src',
    'media',
    'esbuild.mjs',
    'tsconfig.json',
    'package.json',
    'package-lock.json',
    'package.nls.json',
    'package.nls.de.json',
    'l10n',
    '.vscodeignore',
  ],
  ...['README.md', 'docs', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE', 'test/tools', 'test/integration', 'test/service'],
];

/** Runs `npm run package` on a copy of the sources. Returns the hash of its VSIX. */
async function packaged(root: string, env: Readonly<Record<string, string>>, umask: string): Promise<string> {
  mkdirSync(root, { recursive: true });
  for (const source of sources) {
    mkdirSync(dirname(join(root, source)), { recursive: true });
    cpSync(source, join(root, source), { recursive: true });
  }
  // esbuild's hashes include the path to a package, so both copies have to be equally far from here.
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
  utimesSync(join(root, 'LICENSE'), 0, Math.random() * 1e9);
  const PATH = [dirname(process.execPath), resolve('node_modules/.bin'), process.env.PATH].join(delimiter);
  const build = `umask ${umask} && node esbuild.mjs && node test/tools/package.ts`;
  await run('sh', ['-c', build], { cwd: root, env: { ...process.env, ...env, PATH } });
  return createHash('sha256')
    .update(readFileSync(join(root, 'svc-coder.vsix')))
    .digest('hex');
}

describe('the VSIX', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-package-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('has the same bytes from another folder, at another time, in another time zone, for another user', async function () {
    this.timeout(120_000);
    const one = await packaged(join(folder, 'one'), { TZ: 'Asia/Tokyo', LC_ALL: 'de_DE.UTF-8' }, '022');
    const other = await packaged(join(folder, 'other'), { TZ: 'America/Lima', LC_ALL: 'C' }, '077');
    assert.equal(one, other);
  });
});
