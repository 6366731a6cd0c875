import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { cacheFolder } from '../tools/folders.ts';
import { ensureTypeScript, ensureVsCode, newest } from '../tools/vscodeParts.ts';

/** What `npm start` printed for the user. */
export interface Printed {
  readonly address: string;
  readonly key: string;
  readonly sample: string;
}

/** `npm start` in a clone of this repository, as a newcomer has it: with the packages and VS Code, but without a built extension. */
export class Demo {
  readonly #root = mkdtempSync(join(tmpdir(), 'svc-demo-'));
  readonly #lines: string[] = [];
  #child: ChildProcess | undefined;

  async start(): Promise<Printed> {
    const clone = join(this.#root, 'clone');
    await ensureVsCode();
    await ensureTypeScript();
    cloneTo(clone);
    // The clone of a user has no folder of a higher level that ignores it, and other caches.
    const env = { ...process.env, HOME: join(this.#root, 'home'), XDG_CACHE_HOME: join(this.#root, 'cache') };
    // A process group, so that all of it ends.
    const child = spawn('npm', ['start'], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    return this.#printed(child);
  }

  /** Ends it as Ctrl+C does, and removes everything. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      process.kill(-child.pid, 'SIGINT');
      await gone;
    }
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }

  #printed(child: ChildProcess): Promise<Printed> {
    const { promise, resolve: done, reject } = Promise.withResolvers<Printed>();
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.#lines.push(line);
        if (/^ {2}Stop /.test(line))
          done({ address: this.#after(''), key: this.#after('Key'), sample: this.#after('Sample') });
      });
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`npm start ended (${code}):\n${this.#lines.join('\n')}`)));
    return promise;
  }

  /** The word after a name; the address has none. */
  #after(name: string): string {
    const pattern = name === '' ? /^ {2}(http\S+)$/ : new RegExp(`^ {2}${name} +(\\S+)`);
    const [, word] = this.#lines.map((line) => pattern.exec(line)).find((match) => match !== null) ?? [];
    if (word === undefined) throw new Error(`npm start printed no ${name || 'address'}:\n${this.#lines.join('\n')}`);
    return word;
  }
}

/** A clone with what is not committed yet, without ignored files, and with the packages and the fetched parts of this one. */
function cloneTo(folder: string): void {
  const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' });
  git('clone', '--quiet', '--shared', '.', folder);
  const changed = git('ls-files', '-z', '--modified', '--others', '--exclude-standard').split('\0').filter(Boolean);
  for (const path of changed) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(path)) cpSync(path, target);
    else rmSync(target, { force: true });
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, '.vscode-test'));
  const parts = readdirSync(cacheFolder).filter((name) => name === newest || /^typescript-[\d.]+$/.test(name));
  for (const part of parts) symlinkSync(join(cacheFolder, part), join(folder, '.vscode-test', part));
}
