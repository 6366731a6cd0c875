import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Change, type ChangeKind, changesIn } from '../../../../src/platform/git/changes.ts';
import { type GitPlace, runGit } from '../../../../src/platform/git/run.ts';
import { parseStatus, statusArguments } from '../../../../src/platform/git/status.ts';

/** A real git repository in a temporary folder. */
export class Repository {
  readonly folder: string;
  readonly place: GitPlace;

  constructor(parent = tmpdir()) {
    this.folder = realpathSync(mkdtempSync(join(parent, 'svc-git-')));
    this.place = { program: 'git', folder: this.folder };
    this.git('init', '--quiet', '--initial-branch=main');
    for (const [key, value] of [
      ['user.name', 'a'],
      ['user.email', 'a@b.c'],
      ['core.autocrlf', 'false'],
      ['commit.gpgSign', 'false'],
    ] as const) {
      this.git('config', key, value);
    }
  }

  git(...args: readonly string[]): string {
    return execFileSync('git', [...args], { cwd: this.folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  put(name: string, text: string): void {
    mkdirSync(dirname(this.at(name)), { recursive: true });
    writeFileSync(this.at(name), text);
  }

  at(name: string): string {
    return join(this.folder, name);
  }

  commit(): void {
    this.git('add', '--all', '--force');
    this.git('commit', '--quiet', '--message', 'one');
  }

  async changes(kind: ChangeKind): Promise<readonly Change[]> {
    return changesIn(parseStatus(await runGit(this.place, statusArguments(kind === 'with-untracked'))), kind);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
