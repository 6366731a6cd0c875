import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { whyFileExcluded } from '../../../../src/platform/sources/ignored/exclusions.ts';
import { Dice } from '../../../tools/dice.ts';
import { Repository } from '../git/repository.ts';
import { DiskWorkspace, excludedContentIn, moduleIn } from './stage.ts';

/** Lines that no other file has. */
const dice = new Dice(5);
const plans = Array.from({ length: 6 }, () => `${dice.text(50, 'bcdfghjklmnpqrstvwxz ')}\n`).join('');
const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

/** A file that a rule excludes, which git does not know, or reads in another way. */
interface Case {
  readonly file: string;
  readonly make: (repository: Repository) => void;
  /** The rules cannot be read: what they exclude is not known. */
  readonly isUnknown?: true;
}

const tracked = (repository: Repository): void => repository.commit();
const init = (repository: Repository, folder: string): unknown =>
  execFileSync('git', ['init', '--quiet'], { cwd: repository.at(folder) });

const cases: Readonly<Record<string, Case>> = {
  'a .gitignore in UTF-16': {
    file: 'plans.txt',
    make: (one) => writeFileSync(one.at('.gitignore'), utf16('plans.txt\r\n')),
  },
  'a .gitignore in UTF-16, and the file is tracked': {
    file: 'plans.txt',
    make: (one) => {
      writeFileSync(one.at('.gitignore'), utf16('plans.txt\r\n'));
      tracked(one);
    },
  },
  'a .gitignore in UTF-16 for a folder': {
    file: 'mine/plans.txt',
    make: (one) => writeFileSync(one.at('.gitignore'), utf16('mine/\r\n')),
  },
  'a .svcignore in UTF-16': {
    file: 'plans.txt',
    make: (one) => {
      writeFileSync(one.at('.svcignore'), utf16('plans.txt\r\n'));
      tracked(one);
    },
  },
  'a .gitignore that is a link': {
    file: 'plans.txt',
    make: (one) => {
      one.put('rules', 'plans.txt\n');
      symlinkSync('rules', one.at('.gitignore'));
    },
  },
  'a .svcignore that is a link': {
    file: 'a/plans.txt',
    make: (one) => {
      one.put('rules', 'plans.txt\n');
      symlinkSync('../rules', one.at('a/.svcignore'));
      tracked(one);
    },
  },
  'a list of the user that the repository replaces': {
    file: 'plans.txt',
    make: (one) => {
      one.git('config', 'core.excludesFile', '.git/none');
      const settings = join(process.env.XDG_CONFIG_HOME ?? assert.fail(), 'git');
      mkdirSync(settings, { recursive: true });
      writeFileSync(join(settings, 'config'), `[core]\n  excludesFile = ${one.at('.git/mine')}\n`);
      writeFileSync(one.at('.git/mine'), 'plans.txt\n');
    },
  },
  'a rule in composed letters, and a name in decomposed ones': {
    file: 'pla\u0308ne.txt',
    make: (one) => {
      one.put('.svcignore', 'pl\u00e4ne.txt\n');
      tracked(one);
    },
  },
  'a rule of the repository around one': {
    file: 'inner/a.plan',
    make: (one) => {
      one.put('.gitignore', '*.plan\n');
      init(one, 'inner');
    },
  },
  'a rule of the repository around one that tracks the file': {
    file: 'inner/a.plan',
    make: (one) => {
      one.put('.gitignore', '*.plan\n');
      init(one, 'inner');
      execFileSync('git', ['add', '--force', '.'], { cwd: one.at('inner') });
    },
  },
  'a folder with an empty .git': {
    file: 'inner/plans.txt',
    make: (one) => {
      one.put('.gitignore', 'inner/plans.txt\n');
      one.put('inner/.gitignore', '!plans.txt\n');
      mkdirSync(one.at('inner/.git'));
    },
  },
  'too many rules': {
    file: 'plans.txt',
    make: (one) => one.put('.gitignore', 'a\n'.repeat(60_000)),
    isUnknown: true,
  },
  'too many rules of .svcignore': {
    file: 'plans.txt',
    make: (one) => {
      one.put('.svcignore', 'a\n'.repeat(60_000));
      tracked(one);
    },
    isUnknown: true,
  },
  'too long a rule': {
    file: 'plans.txt',
    make: (one) => {
      one.put('.svcignore', `${'a'.repeat(5_000)}\n`);
      tracked(one);
    },
    isUnknown: true,
  },
  'a list of rules that is a pipe': {
    file: 'plans.txt',
    make: (one) => {
      execFileSync('mkfifo', [one.at('.git/pipe')]);
      one.git('config', 'core.excludesFile', '.git/pipe');
    },
    isUnknown: true,
  },
};

describe('what a rule excludes, and git does not know', () => {
  const { XDG_CONFIG_HOME: before } = process.env;
  afterEach(() => {
    if (before === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = before;
  });

  for (const [name, { file, make, isUnknown }] of Object.entries(cases)) {
    it(`is recognized, or not complete: ${name}`, async () => {
      using repository = new Repository();
      process.env.XDG_CONFIG_HOME = repository.at('.git/settings');
      repository.put(file, plans);
      make(repository);
      const workspace = new DiskWorkspace(repository.folder);
      type Rules = { readonly whyFileExcluded: typeof whyFileExcluded };
      const rules = await moduleIn<Rules>(workspace, 'src/platform/sources/ignored/exclusions.ts');
      assert.notEqual(await rules.whyFileExcluded(`file://${encodeURI(repository.at(file))}`), null, 'excluded');
      const content = await excludedContentIn(workspace);
      const { state, find } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
      const found = await find(`1: ${plans}`, undefined);
      assert.equal(state.is === 'complete', isUnknown !== true, state.words);
      assert.equal(found.length > 0, isUnknown !== true);
    });
  }

  it('is not complete with a name that is not valid UTF-8', async () => {
    using repository = new Repository();
    repository.put('.svcignore', '*.plan\n');
    const name = Buffer.concat([Buffer.from(`${repository.folder}/x`), Buffer.from([0xff]), Buffer.from('.plan')]);
    writeFileSync(name, plans);
    repository.commit();
    const content = await excludedContentIn(new DiskWorkspace(repository.folder));
    const { state } = await content.recognition({ isCompleteRequired: true, isQuick: false, excluded: [] });
    assert.match(state.words, /^0 of 1 .*not recognized: 1 unreadable$/);
  });
});
