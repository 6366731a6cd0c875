import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

describe('the tests', () => {
  it('are never repeated until they pass', () => {
    assert.match(readFileSync('test/e2e/playwright.config.ts', 'utf8'), /^ {2}retries: 0,$/m);
    for (const path of ['package.json', '.ci/run', '.github/workflows/ci.yml']) {
      assert.doesNotMatch(readFileSync(path, 'utf8'), /--retries|\bretry\b/, path);
    }
    const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[cm]?[jt]sx?$/.test(name) && !name.includes('node_modules'))
      .filter((name) => /\.retries\(|--retries[ =]/.test(readFileSync(join('test', name), 'utf8')));
    assert.deepEqual(files, []);
  });

  it('the CI workflow uses actions at fixed commits', () => {
    const used = [...readFileSync('.github/workflows/ci.yml', 'utf8').matchAll(/uses: (.*)/g)].map(
      ([, action]) => action,
    );
    assert.ok(used.length > 0);
    assert.deepEqual(
      used.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d/.test(action ?? '')),
      [],
    );
  });
});

describe('the linter', () => {
  it('refuses a list as arguments of push(), which overflows the stack if the list is long', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-lint-'));
    try {
      cpSync('biome.json', join(folder, 'biome.json'));
      cpSync('test/lint', join(folder, 'test', 'lint'), { recursive: true });
      mkdirSync(join(folder, 'src', 'gate'), { recursive: true });
      const refused = ['list.push(...more);', 'list.push(1, ...more);', 'this.lists[0].push(...more.map(String), 2);'];
      const allowed = ['list.push(1, [...more]);', 'list.push({ ...more });', 'list.push(of(...more));'];
      const lines = ['export function add(list, more, of) {', ...refused, ...allowed, '}', ''];
      writeFileSync(join(folder, 'src', 'gate', 'planted.ts'), lines.join('\n'));
      const biome = resolve('node_modules/@biomejs/biome/bin/biome');
      const args = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', '.'];
      const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      const { diagnostics } = JSON.parse(stdout);
      const found = diagnostics.filter(({ category }: { category: string }) => category === 'plugin');
      assert.equal(found.length, refused.length, stdout);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
