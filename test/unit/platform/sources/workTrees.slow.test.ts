import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { whyFilesExcluded } from '../../../../src/platform/sources/ignored/exclusions.ts';
import { Dice } from '../../../tools/dice.ts';
import { DiskWorkspace, excludedContentIn, moduleIn } from '../excludedContent/stage.ts';

const folders = ['', 'R', 'R/sub', 'R/sub/deep', 'W', 'W/deep'];
const names = ['mine.txt', 'own.txt', 'other.txt'];
const patterns = ['/mine.txt', 'own.txt', '/sub/mine.txt', '/R/mine.txt', '/R/', 'deep/', '!own.txt', '/deep/*'];

/** The folder `R` is a repository; its settings name another folder as its work tree. */
class Place {
  readonly at = realpathSync(mkdtempSync(join(tmpdir(), 'svc-tree-')));

  constructor() {
    for (const folder of folders) {
      mkdirSync(join(this.at, folder), { recursive: true });
      for (const name of names) writeFileSync(join(this.at, folder, name), 'text\n');
    }
    execFileSync('git', ['init', '--quiet', 'R'], { cwd: this.at });
  }

  set(...setting: readonly string[]): void {
    execFileSync('git', ['config', '-f', this.path('R/.git/config'), ...setting]);
  }

  put(path: string, text: string): void {
    writeFileSync(this.path(path), text);
  }

  path(path: string): string {
    return join(this.at, path);
  }

  /** What git ignores when it works in a folder. */
  ignored(folder: string): readonly string[] {
    const env = { ...process.env, HOME: this.at };
    const run = (input: string, ...args: readonly string[]): string =>
      spawnSync('git', [...args], { cwd: this.path(folder), encoding: 'utf8', env, input }).stdout;
    const root = run('', 'rev-parse', '--show-toplevel').trim();
    const paths = folders.flatMap((one) => names.map((name) => join(this.at, one, name)));
    // Git ends at a path outside its work tree.
    const inside = paths.filter((path) => root !== '' && path.startsWith(`${root}/`));
    return run(inside.map((path) => `${path}\0`).join(''), 'check-ignore', '-z', '--stdin')
      .split('\0')
      .slice(0, -1);
  }

  /** Which of these files may not be sent, in a workspace that has a folder. */
  async excluded([first = '', ...others]: readonly string[], paths: readonly string[]): Promise<readonly string[]> {
    type Rules = { readonly whyFilesExcluded: typeof whyFilesExcluded };
    const stage = new DiskWorkspace(
      this.path(first),
      'git',
      others.map((one) => this.path(one)),
    );
    const rules = await moduleIn<Rules>(stage, 'src/platform/sources/ignored/exclusions.ts');
    const reasons = await rules.whyFilesExcluded(paths.map((path) => `file://${encodeURI(path)}`));
    return paths.filter((_, index) => reasons[index] !== null);
  }

  [Symbol.dispose](): void {
    rmSync(this.at, { recursive: true, force: true });
  }
}

const cases: Readonly<Record<string, (place: Place) => void>> = {
  'a folder in it': (place) => place.set('core.worktree', '../sub'),
  'the folder around it': (place) => place.set('core.worktree', '../..'),
  'a whole path with a slash at its end': (place) => place.set('core.worktree', `${place.path('R/sub')}/`),
  'a link to a folder in it': (place) => {
    symlinkSync('sub', place.path('R/link'));
    place.set('core.worktree', '../link');
  },
  'a path through a link': (place) => {
    symlinkSync('../R/sub/deep', place.path('W/link'));
    place.set('core.worktree', '../../W/link/..');
  },
  'the last of two': (place) => {
    place.set('core.worktree', '../nothing');
    place.set('--add', 'core.worktree', '../sub');
  },
  'the settings of a work tree': (place) => {
    place.set('extensions.worktreeConfig', 'true');
    place.put('R/.git/config.worktree', '[core]\n  worktree = ../sub\n');
  },
  'a path with a tilde, which is no home': (place) => {
    mkdirSync(place.path('R/.git/~'));
    symlinkSync('../../sub', place.path('R/.git/~/x'));
    place.set('core.worktree', '~/x');
  },
  'a .git file': (place) => {
    execFileSync('mv', [place.path('R/.git'), place.path('W/git')]);
    place.put('R/.git', 'gitdir: ../W/git\n');
    execFileSync('git', ['config', '-f', place.path('W/git/config'), 'core.worktree', '../../R/sub']);
  },
  // Git applies no rules in these.
  'a file that is included': (place) => {
    place.put('R/.git/more', '[core]\n  worktree = ../sub\n');
    place.set('include.path', 'more');
  },
  'a folder that does not exist': (place) => place.set('core.worktree', '../nothing'),
  'a folder, with core.bare': (place) => {
    place.set('core.worktree', '../sub');
    place.set('core.bare', 'true');
  },
  nothing: (place) => place.set('core.worktree', ''),
};

describe('a repository whose settings name another work tree', () => {
  for (const [name, make] of Object.entries(cases)) {
    it(`has its rules there, as git has them: ${name}`, async () => {
      using place = new Place();
      make(place);
      const exclude = name === 'a .git file' ? 'W/git/info/exclude' : 'R/.git/info/exclude';
      mkdirSync(place.path(exclude.replace('/exclude', '')), { recursive: true });
      const dice = new Dice(7);
      let ignored = 0;
      for (let turn = 0; turn < 6; turn += 1) {
        place.put(exclude, `${turn === 0 ? '/mine.txt\n/R/other.txt' : dice.pick(patterns)}\n${dice.pick(patterns)}\n`);
        place.put('R/.gitignore', `${dice.pick(patterns)}\n`);
        for (const [workspace, folder] of [
          ['R', 'R'],
          ['R', 'R/sub'],
          ['R/sub', 'R/sub'],
          ['', 'R'],
        ] as const) {
          const byGit = place.ignored(folder).filter((path) => path.startsWith(`${place.path('R')}/`));
          ignored += byGit.length;
          assert.deepEqual(await place.excluded([workspace], byGit), byGit, `${turn}: ${workspace}, ${folder}`);
        }
      }
      const isDead = /not exist|core\.bare|nothing/.test(name);
      assert.equal(ignored > 0, !isDead);
    });
  }

  it('has its rules in another folder of the workspace', async () => {
    using place = new Place();
    place.set('core.worktree', place.path('W'));
    place.put('R/.git/info/exclude', '/mine.txt\n/deep/own.txt\n');
    const byGit = [place.path('W/mine.txt'), place.path('W/deep/own.txt')];
    assert.deepEqual(place.ignored('R'), byGit);
    assert.deepEqual(await place.excluded(['W', 'R'], byGit), byGit);
    assert.deepEqual(await place.excluded(['R', 'W'], byGit), byGit);
    const others = [place.path('R/sub/own.txt'), place.path('W/own.txt')];
    assert.deepEqual(await place.excluded(['W', 'R'], others), []);
  });

  it('is searched for excluded files in its own folder, of which git lists none', async () => {
    using place = new Place();
    const dice = new Dice(8);
    const plans = Array.from({ length: 6 }, () => `${dice.text(50, 'bcdfghjklmnpqrstvwxz ')}\n`).join('');
    for (const tree of ['../sub', place.path('W')]) {
      place.set('core.worktree', tree);
      place.put('R/.svcignore', '/plans.txt\n');
      place.put('R/plans.txt', plans);
      const content = await excludedContentIn(new DiskWorkspace(place.path('R')));
      const { state, find } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
      assert.equal(state.is, 'complete', state.words);
      assert.equal((await find(plans, undefined)).length, 1, tree);
    }
  });
});
