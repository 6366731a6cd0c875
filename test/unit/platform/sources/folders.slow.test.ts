import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { whyFilesExcluded } from '../../../../src/platform/sources/ignored/exclusions.ts';
import { Dice } from '../../../tools/dice.ts';
import { DiskWorkspace, excludedContentIn, moduleIn } from '../excludedContent/stage.ts';

/** Two workspace folders, `one` and `two`, and what else a test puts beside them. */
class Folders {
  readonly at = realpathSync(mkdtempSync(join(tmpdir(), 'svc-folders-')));

  put(path: string, text: string): void {
    mkdirSync(dirname(join(this.at, path)), { recursive: true });
    writeFileSync(join(this.at, path), text);
  }

  git(path: string): void {
    mkdirSync(join(this.at, path), { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: join(this.at, path) });
  }

  workspace(...[first = '', ...others]: readonly string[]): DiskWorkspace {
    const whole = (path: string): string => join(this.at, path);
    return new DiskWorkspace(whole(first), 'git', others.map(whole));
  }

  async excluded(workspace: DiskWorkspace, paths: readonly string[]): Promise<readonly string[]> {
    type Rules = { readonly whyFilesExcluded: typeof whyFilesExcluded };
    const rules = await moduleIn<Rules>(workspace, 'src/platform/sources/ignored/exclusions.ts');
    const reasons = await rules.whyFilesExcluded(paths.map((path) => `file://${encodeURI(join(this.at, path))}`));
    return paths.filter((_, index) => reasons[index] !== null);
  }

  [Symbol.dispose](): void {
    rmSync(this.at, { recursive: true, force: true });
  }
}

const dice = new Dice(9);
const textOf = (): string => Array.from({ length: 6 }, () => `${dice.text(50, 'bcdfghjklmnpqrstvwxz ')}\n`).join('');

describe('a workspace with two folders', () => {
  it('has the rules of both for a file of a folder in the other one, in any order', async () => {
    using folders = new Folders();
    folders.git('one');
    folders.put('one/.svcignore', 'two/plans.txt\n*.plan\n');
    folders.put('one/two/.svcignore', '/own.txt\n');
    const all = ['plans.txt', 'a.plan', 'own.txt', 'free.txt'].map((name) => `one/two/${name}`);
    for (const path of all) folders.put(path, textOf());
    for (const order of [['one', 'one/two'], ['one/two', 'one'], ['one/two']] as const) {
      assert.deepEqual(await folders.excluded(folders.workspace(...order), all), all.slice(0, 3), order.join(' '));
    }
  });

  it('has no rule of one folder for another one beside it, and none less', async () => {
    using folders = new Folders();
    folders.put('one/.svcignore', '*.plan\n!/keep.txt\n');
    folders.put('two/.svcignore', 'keep.txt\n!*.plan\n');
    for (const folder of ['one', 'two']) {
      for (const name of ['a.plan', 'keep.txt']) folders.put(`${folder}/${name}`, textOf());
    }
    const all = ['one/a.plan', 'one/keep.txt', 'two/a.plan', 'two/keep.txt'];
    for (const order of [
      ['one', 'two'],
      ['two', 'one'],
    ] as const) {
      const workspace = folders.workspace(...order);
      assert.deepEqual(await folders.excluded(workspace, all), ['one/a.plan', 'two/keep.txt']);
    }
    // Beside the workspace, everything is excluded.
    assert.deepEqual(await folders.excluded(folders.workspace('one'), all), [
      'one/a.plan',
      'two/a.plan',
      'two/keep.txt',
    ]);
  });

  it('excludes through a link what the folder of its target excludes', async () => {
    using folders = new Folders();
    folders.put('one/a.txt', '');
    folders.put('two/.svcignore', 'plans.txt\n');
    folders.put('two/plans.txt', textOf());
    symlinkSync('../two/plans.txt', join(folders.at, 'one/link.txt'));
    symlinkSync('../two', join(folders.at, 'one/linked'));
    const all = ['one/link.txt', 'one/linked/plans.txt', 'one/a.txt'];
    assert.deepEqual(await folders.excluded(folders.workspace('one', 'two'), all), all.slice(0, 2));
  });

  it('recognizes what either excludes, even where their names or their folders are the same', async () => {
    using folders = new Folders();
    const [first, second, third] = [textOf(), textOf(), textOf()];
    folders.git('x/app');
    folders.put('x/app/.svcignore', '*.plan\n');
    folders.put('x/app/a.plan', first);
    folders.put('y/app/.svcignore', '*.plan\n');
    folders.put('y/app/a.plan', second);
    folders.put('x/app/in/.gitignore', 'b.txt\n');
    folders.put('x/app/in/b.txt', third);
    symlinkSync(join(folders.at, 'x/app'), join(folders.at, 'z'));
    for (const order of [
      ['x/app', 'y/app', 'x/app/in'],
      ['x/app/in', 'y/app', 'x/app'],
      ['y/app', 'z'],
    ] as const) {
      const content = await excludedContentIn(folders.workspace(...order));
      const { state, find } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
      assert.deepEqual([state.is, state.files], ['complete', 3], `${order.join(' ')}: ${state.words}`);
      for (const text of [first, second, third]) assert.equal((await find(text, undefined)).length, 1, order.join(' '));
    }
  });
});
