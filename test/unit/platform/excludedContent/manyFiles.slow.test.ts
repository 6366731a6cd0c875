import assert from 'node:assert/strict';
import fs, { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import type { Lookups } from '../../../../src/gate/ignore/ignoreDisk.ts';
import type { ExcludedContent } from '../../../../src/platform/excludedContent/excludedContent.ts';
import { memoryFolder } from '../../../tools/folders.ts';
import { leastCost, turnsOf } from '../../../tools/processorTime.ts';
import { Repository } from '../git/repository.ts';
import { DiskWorkspace, excludedContentIn, moduleIn } from './stage.ts';
import { Uri } from './vscodeFiles.ts';

const everything = { isCompleteRequired: true, isQuick: false, excluded: [] };
const stateOf = async (content: ExcludedContent) => (await content.recognition(everything)).state;

/** Later, so that what was just written is treated as written long ago. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  Date.now = () => now() + 60_000;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}

/** How often files are examined and opened meanwhile. */
async function counted(work: () => Promise<unknown>): Promise<{ readonly examined: number; readonly opened: number }> {
  const { lstatSync, openSync } = fs;
  let [examined, opened] = [0, 0];
  Object.assign(fs, {
    lstatSync: (...args: Parameters<typeof lstatSync>) => {
      examined += 1;
      return lstatSync(...args);
    },
    openSync: (...args: Parameters<typeof openSync>) => {
      opened += 1;
      return openSync(...args);
    },
  });
  syncBuiltinESMExports();
  try {
    await work();
    return { examined, opened };
  } finally {
    Object.assign(fs, { lstatSync, openSync });
    syncBuiltinESMExports();
  }
}

describe('very many files that git ignores one by one', () => {
  it('are looked at in steps of at most 50 ms; later, each is examined once, and none is read', async function () {
    this.timeout(120_000);
    const count = 30_000;
    using repository = new Repository(memoryFolder());
    const names = Array.from({ length: count / 2 }, (_, index) => `note-${index}`);
    repository.put('.gitignore', '*.note\n');
    for (const folder of ['a', 'b']) {
      // Otherwise git ignores the folder as a whole.
      repository.put(`${folder}/plain.txt`, '');
      for (const name of names) writeFileSync(repository.at(`${folder}/${name}.note`), '');
    }
    const longest = async (): Promise<number> => {
      const content = await excludedContentIn(new DiskWorkspace(repository.folder));
      const first = await turnsOf(() => stateOf(content));
      assert.deepEqual([first.value.is, first.value.files], ['complete', count]);
      let most = first.longestMs;
      for (let time = 0; time < 2; time += 1) {
        const work = await counted(async () => {
          const { value, longestMs } = await turnsOf(() => stateOf(content));
          assert.deepEqual([value.is, value.files], ['complete', count]);
          most = Math.max(most, longestMs);
        });
        assert.deepEqual(work, { examined: count, opened: 0 });
      }
      return most;
    };
    const ms = await later(() => leastCost(50, longest));
    assert.ok(ms <= 50, `${ms} ms`);
  });

  it('are found without git where git does not answer in time, and it is not asked again', async () => {
    using repository = new Repository();
    repository.put('.gitignore', '*.note\ngit.sh*\n');
    repository.put('.env', 'A=the ledgers of the western quarry\n');
    repository.put(
      'deep/er/one.note',
      'the lanterns of the eastern quarry are kept in the attic of the house by the sea\n'.repeat(3),
    );
    repository.commit();
    repository.put(
      'two.note',
      'the anchors of the northern quarry are kept in the garden of the house by the lake\n'.repeat(3),
    );
    repository.put('plain.txt', 'plain\n');
    const program = repository.at('git.sh');
    // As git, but its lists never end.
    repository.put(
      'git.sh',
      '#!/bin/sh\ncase "$*" in *ls-files*) echo >>"$0.asked"; exec tail -f /dev/null;; esac\nexec git "$@"\n',
    );
    chmodSync(program, 0o755);
    const content = await excludedContentIn(new DiskWorkspace(repository.folder, program), { gitMs: 300 });
    const { state, find } = await content.recognition(everything);
    // git.sh, and who asked it, are ignored, too.
    assert.equal(state.is, 'complete');
    for (const name of ['deep/er/one.note', 'two.note']) {
      const text = readFileSync(repository.at(name), 'utf8');
      assert.notEqual((await find(text, undefined)).length, 0, name);
    }
    const asked = readFileSync(`${program}.asked`, 'utf8').length;
    assert.ok(asked > 0);
    assert.equal((await stateOf(content)).is, 'complete');
    assert.equal(readFileSync(`${program}.asked`, 'utf8').length, asked);
  });

  it('many files may be sent again as soon as the rules change, and are excluded again as soon as they change back', async () => {
    using repository = new Repository();
    const text = (index: number): string =>
      `the ${index} ledgers of the western quarry are kept by keeper ${index * 7} in the cellar of house ${index * 13}\n`.repeat(
        3,
      );
    repository.put('.gitignore', '*.note\nother\n');
    for (let index = 0; index < 300; index += 1) repository.put(`${index}.note`, text(index));
    repository.put('other', text(299));
    const content = await excludedContentIn(new DiskWorkspace(repository.folder));
    const before = await content.recognition(everything);
    assert.equal(before.state.files, 301);
    for (const index of [0, 150, 299]) assert.notEqual((await before.find(text(index), undefined)).length, 0);
    repository.put('.gitignore', 'other\n');
    const after = await content.recognition(everything);
    assert.deepEqual([after.state.is, after.state.files], ['complete', 1]);
    for (const index of [0, 150]) assert.deepEqual(await after.find(text(index), undefined), []);
    // Another file has it, too.
    const [found] = await after.find(text(299), undefined);
    assert.equal(after.nameOf(found?.file ?? 0), 'other');
    // The file is excluded again immediately.
    repository.put('.gitignore', '*.note\nother\n');
    const again = await content.recognition(everything);
    assert.equal(again.state.files, 301);
    assert.notEqual((await again.find(text(150), undefined)).length, 0);
  });
});

describe('what the rules say of the names of a search', () => {
  it('stays until the rules of a folder change, and only for this folder', async () => {
    using repository = new Repository();
    repository.put('.gitignore', '*.note\n');
    repository.put('a/one.note', '');
    repository.put('b/.gitignore', 'kept\n');
    repository.put('b/two.note', '');
    repository.put('b/three.txt', '');
    repository.put('b/.env', '');
    const file = 'src/platform/excludedContent/knownNames.ts';
    type Module = typeof import('../../../../src/platform/excludedContent/knownNames.ts');
    const { KnownNames } = await moduleIn<Module>(new DiskWorkspace(repository.folder), file);
    const names = new KnownNames();
    const base = Uri.file(repository.folder) as unknown as Parameters<(typeof names)['look']>[0];
    const paths = ['a/one.note', 'b/two.note', 'b/three.txt', 'b/.env'];
    const search = async () => {
      const lookups: Lookups = new Map();
      await names.begin(lookups);
      const found = [];
      for (const path of paths) found.push(await names.look(base, path));
      return found;
    };
    const first = await search();
    assert.deepEqual(
      first.map(({ kind }) => kind),
      ['ignored', 'ignored', null, 'credentials'],
    );
    const second = await search();
    for (const index of [0, 1, 3]) assert.equal(second[index], first[index], paths[index]);
    repository.put('b/.gitignore', '!two.note\nthree.*\n');
    const third = await search();
    assert.deepEqual(
      third.map(({ kind }) => kind),
      ['ignored', null, 'ignored', 'credentials'],
    );
    assert.equal(third[0], first[0]);
    repository.put('.svcignore', 'one.note\n');
    assert.deepEqual(
      (await search()).map(({ kind }) => kind),
      ['listed', null, 'ignored', 'credentials'],
    );
  });
});
