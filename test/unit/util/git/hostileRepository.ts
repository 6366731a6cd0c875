import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A repository that names a program wherever git takes one. Each program writes a file of its own, its mark. */
export class HostileRepository {
  readonly #top = realpathSync(mkdtempSync(join(tmpdir(), 'svc-hostile-')));
  readonly folder = join(this.#top, 'work');
  /** A commit whose file is missing here, and would be asked for. */
  readonly missing: string;
  readonly head: string;

  constructor() {
    mkdirSync(this.folder);
    this.plainGit('init', '--quiet', '--initial-branch=main');
    for (const pair of [
      ['user.name', 'a'],
      ['user.email', 'a@b.c'],
    ])
      this.plainGit('config', ...pair);
    this.#put('a.txt', 'one\n');
    this.#put('lost.txt', 'lost\n');
    this.#put('sub/.keep', '');
    this.plainGit('add', '--all');
    this.plainGit('commit', '--quiet', '--message', 'one');
    this.#submodule();
    this.head = this.plainGit('rev-parse', 'HEAD').trim();
    this.missing = this.plainGit('rev-parse', 'HEAD:lost.txt').trim();
    rmSync(join(this.folder, '.git', 'objects', this.missing.slice(0, 2), this.missing.slice(2)));
    this.#put('.gitattributes', '* filter=own diff=own\n');
    this.#config();
    this.#hooks();
  }

  /** Makes git look at the content of the files again. */
  touch(): void {
    for (const name of ['a.txt', 'inner/b.txt']) utimesSync(join(this.folder, name), new Date(), new Date(0));
  }

  /** The marks so far, which are removed. */
  marks(): readonly string[] {
    const all = [
      'clean',
      'smudge',
      'process',
      'textconv',
      'command',
      'fsmonitor',
      'hook',
      'hooks-path',
      'pager',
      'alias',
      'ext',
    ];
    const more = [
      'ssh',
      'credential',
      'proxy',
      'editor',
      'askpass',
      'refs',
      'gpg',
      'external',
      'inner',
      'config-hook',
      'vcs',
    ];
    const found = [...all, ...more].filter((name) => existsSync(this.#mark(name)));
    for (const name of found) rmSync(this.#mark(name));
    return found;
  }

  plainGit(...args: readonly string[]): string {
    return execFileSync('git', [...args], { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** For commands that fail once a program was started. */
  tryPlainGit(args: readonly string[], input = ''): void {
    spawnSync('git', [...args], { cwd: this.folder, input, timeout: 20_000 });
  }

  /** A git that does not support GIT_NO_LAZY_FETCH: the folder of the program. */
  oldGit(): string {
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const folder = join(this.#top, 'old');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'git'), `#!/bin/sh\nunset GIT_NO_LAZY_FETCH\nexec ${real} "$@"\n`);
    chmodSync(join(folder, 'git'), 0o755);
    return folder;
  }

  /** Sets the address of the remote that is asked for missing objects. */
  remote(url: string): void {
    this.plainGit('config', 'remote.origin.url', url);
  }

  get extRemote(): string {
    return `ext::${this.#program('ext')}`;
  }

  [Symbol.dispose](): void {
    rmSync(this.#top, { recursive: true, force: true });
  }

  #mark(name: string): string {
    return join(this.#top, `mark-${name}`);
  }

  #program(name: string): string {
    const path = join(this.#top, `program-${name}`);
    writeFileSync(path, `#!/bin/sh\ntouch '${this.#mark(name)}'\n`);
    chmodSync(path, 0o755);
    return path;
  }

  #put(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  #submodule(): void {
    const inner = join(this.folder, 'inner');
    mkdirSync(inner);
    const git = (...args: readonly string[]) => this.plainGit('-C', inner, ...args);
    git('init', '--quiet');
    writeFileSync(join(inner, 'b.txt'), 'b\n');
    git('add', '--all');
    git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--message', 'b');
    writeFileSync(join(inner, '.gitattributes'), '* filter=own\n');
    git('config', 'filter.own.clean', this.#program('inner'));
    git('config', 'core.fsmonitor', this.#program('inner'));
    this.#put('.gitmodules', '[submodule "inner"]\n\tpath = inner\n\turl = ./inner\n');
    this.plainGit('add', '--all');
    this.plainGit('commit', '--quiet', '--message', 'submodule');
  }

  #config(): void {
    // Some are in an included file, as the settings of a submodule or a template are.
    const included = join(this.#top, 'included');
    const set = (key: string, value: string, ...where: readonly string[]) =>
      this.plainGit('config', ...where, key, value);
    set('include.path', included);
    for (const [key, name] of [
      ['core.fsmonitor', 'fsmonitor'],
      ['core.pager', 'pager'],
      ['core.sshCommand', 'ssh'],
      ['core.gitProxy', 'proxy'],
      ['core.editor', 'editor'],
      ['core.askPass', 'askpass'],
      ['core.alternateRefsCommand', 'refs'],
      ['gpg.program', 'gpg'],
      ['diff.external', 'external'],
      ['diff.own.command', 'command'],
      ['hook.own.command', 'config-hook'],
    ] as const)
      set(key, this.#program(name));
    for (const [key, name] of [
      ['filter.own.clean', 'clean'],
      ['filter.own.smudge', 'smudge'],
      ['diff.own.textconv', 'textconv'],
    ] as const)
      set(key, this.#program(name), '--file', included);
    set('filter.own.required', 'true');
    set('pager.status', this.#program('pager'));
    set('alias.status', `!${this.#program('alias')}`);
    set('credential.helper', `!${this.#program('credential')}`);
    set('hook.own.event', 'reference-transaction');
    set('log.showSignature', 'true');
    set('remote.origin.promisor', 'true');
    set('remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
    set('extensions.partialClone', 'origin');
    set('core.repositoryFormatVersion', '1');
    set('protocol.ext.allow', 'always');
    set('protocol.allow', 'always');
    this.remote(this.extRemote);
  }

  #hooks(): void {
    for (const [folder, mark] of [
      [join(this.folder, '.git', 'hooks'), 'hook'],
      [join(this.#top, 'hooks'), 'hooks-path'],
    ] as const) {
      mkdirSync(folder, { recursive: true });
      for (const name of ['reference-transaction', 'post-index-change', 'pre-auto-gc', 'post-checkout']) {
        writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${this.#mark(mark)}'\n`);
        chmodSync(join(folder, name), 0o755);
      }
    }
  }

  /** Hooks are taken from another folder. */
  moveHooks(): void {
    this.plainGit('config', 'core.hooksPath', join(this.#top, 'hooks'));
  }
}
