import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Asked, Rules } from './repositories.ts';

/** Git itself, in a temporary repository and home, independent of the settings of this machine. */
export class GitOracle {
  readonly version: string;
  /** See GitReading. */
  readonly looksBack: boolean;
  readonly #folder: string;

  static create(): GitOracle {
    return new GitOracle(mkdtempSync(join(tmpdir(), 'svc-ignore-')));
  }

  private constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(join(folder, 'work'));
    this.version = this.#git(['--version']).toString().trim().replace('git version ', '');
    const [major = 0, minor = 0] = this.version.split('.').map(Number);
    this.looksBack = major > 2 || minor >= 52;
    this.#git(['init', '--quiet', '--template=']);
  }

  /** The path where git looks for it by default. */
  get #excludesFile(): string {
    return join(this.#folder, 'settings', 'git', 'ignore');
  }

  /** The ignored ones among the paths. */
  ignored(rules: Rules, paths: readonly Asked[]): ReadonlySet<string> {
    return new Set(this.#ask(rules, paths, []).map((path) => path.slice(2)));
  }

  /** By path, the file and line of the pattern that ignores it. */
  rules(rules: Rules, paths: readonly Asked[]): ReadonlyMap<string, string> {
    const words = this.#ask(rules, paths, ['--verbose']);
    const found = new Map<string, string>();
    for (let at = 0; at + 3 < words.length; at += 4) {
      const [source = '', line = '', pattern = '', path = ''] = words.slice(at, at + 4);
      if (!pattern.startsWith('!'))
        found.set(
          path.slice(2),
          `${source.replace('.git/info', 'info').replace(this.#excludesFile, 'excludesFile')}:${line}`,
        );
    }
    return found;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #ask(rules: Rules, paths: readonly Asked[], options: readonly string[]): readonly string[] {
    this.#write(rules);
    // Git would interpret a colon at the start.
    const input = paths.map(({ path }) => `./${path}\0`).join('');
    const args = ['check-ignore', '--no-index', '--stdin', '-z', ...options];
    return this.#git(['-c', `core.ignoreCase=${rules.ignoresCase}`, ...args], input)
      .toString('utf8')
      .split('\0')
      .slice(0, -1);
  }

  #write({ ignoreFiles, exclude, excludesFile, folders }: Rules): void {
    const work = join(this.#folder, 'work');
    for (const name of readdirSync(work)) {
      if (name !== '.git') rmSync(join(work, name), { recursive: true, force: true });
    }
    for (const folder of folders) mkdirSync(join(work, folder), { recursive: true });
    for (const { folder, bytes } of ignoreFiles) writeFileSync(join(work, folder, '.gitignore'), bytes);
    mkdirSync(join(work, '.git', 'info'), { recursive: true });
    writeFileSync(join(work, '.git', 'info', 'exclude'), exclude);
    mkdirSync(join(this.#excludesFile, '..'), { recursive: true });
    writeFileSync(this.#excludesFile, excludesFile);
  }

  #git(args: readonly string[], input = ''): Buffer {
    const env = {
      PATH: process.env.PATH,
      HOME: this.#folder,
      XDG_CONFIG_HOME: join(this.#folder, 'settings'),
      GIT_CONFIG_NOSYSTEM: '1',
    };
    try {
      return execFileSync('git', args, {
        cwd: join(this.#folder, 'work'),
        env,
        input,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
    } catch (error) {
      // 1: none of them is ignored.
      if (error instanceof Error && 'status' in error && error.status === 1 && 'stdout' in error)
        return Buffer.alloc(0);
      throw new Error(`These tests ask git, and it did not answer: ${error instanceof Error ? error.message : error}`);
    }
  }
}
