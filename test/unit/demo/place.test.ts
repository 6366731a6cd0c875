import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { demoPlace } from '../../demo/place.ts';

describe('the folder of the demo', () => {
  let root: string;
  let clone: string;
  let cache: string;
  const before = { ...process.env };
  const place = (isFresh = false, of = clone) => demoPlace(of, isFresh, { XDG_CACHE_HOME: cache });

  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'svc-place-')));
    clone = join(root, 'clone');
    cache = join(root, 'cache');
    mkdirSync(clone);
    mkdirSync(join(root, 'tmp'));
    Object.assign(process.env, { HOME: root, TMPDIR: join(root, 'tmp') });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    rmSync(root, { recursive: true, force: true });
  });

  it('is below the cache folder, the same for each start, and its content is kept', () => {
    const { folder, port } = place();
    assert.equal(dirname(dirname(folder)), cache);
    assert.ok(port >= 20_000 && port < 30_000);
    writeFileSync(join(folder, 'mine'), '');
    assert.deepEqual(place(), { folder, port });
    assert.ok(existsSync(join(folder, 'mine')));
  });

  it('is another one for another clone, also of the same name, and the same through a link', () => {
    const other = join(root, 'other', 'clone');
    mkdirSync(other, { recursive: true });
    symlinkSync(clone, join(root, 'link'));
    assert.notEqual(place(false, other).folder, place().folder);
    assert.equal(place(false, join(root, 'link')).folder, place().folder);
  });

  it('starts again on demand, at another address, and removes nothing that links lead to', () => {
    const { folder, port } = place(true);
    mkdirSync(join(root, 'mine', 'deep'), { recursive: true });
    symlinkSync(join(root, 'mine'), join(folder, 'link'));
    mkdirSync(join(folder, 'payments', 'src'), { recursive: true });
    const fresh = place(true);
    assert.equal(fresh.folder, folder);
    assert.notEqual(fresh.port, port);
    assert.equal(readdirSync(folder).length, 1);
    assert.ok(existsSync(join(root, 'mine', 'deep')));
    assert.equal(place().port, fresh.port);
  });

  it('continues after a fresh start that was interrupted', () => {
    const { folder } = place();
    mkdirSync(join(folder, 'half'));
    assert.equal(place(true).folder, folder);
    assert.equal(existsSync(join(folder, 'half')), false);
  });

  it('is never one that the demo did not make: it is neither used nor removed', () => {
    const { folder } = place();
    const marks: readonly (() => void)[] = [
      () => undefined,
      () => writeFileSync(join(folder, '.svc-coder-demo.json'), '{}'),
      () => writeFileSync(join(folder, '.svc-coder-demo.json'), 'null'),
      () => writeFileSync(join(folder, '.svc-coder-demo.json'), 'not JSON'),
      () => mkdirSync(join(folder, '.svc-coder-demo.json')),
      () => {
        const mark = { madeBy: 'the demo of Svc Coder', clone: join(root, 'another'), count: 1 };
        writeFileSync(join(folder, '.svc-coder-demo.json'), JSON.stringify(mark));
      },
      () => {
        const mark = { madeBy: 'the demo of Svc Coder', clone, count: 1 };
        writeFileSync(join(root, 'mark'), JSON.stringify(mark));
        symlinkSync(join(root, 'mark'), join(folder, '.svc-coder-demo.json'));
      },
    ];
    for (const write of marks) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      writeFileSync(join(folder, 'mine'), '');
      write();
      for (const isFresh of [false, true])
        assert.throws(() => place(isFresh), /was not made by the demo of this clone/);
      assert.ok(existsSync(join(folder, 'mine')));
    }
  });

  it('is never a link, a file, or a folder that others can write to', () => {
    const { folder } = place();
    rmSync(folder, { recursive: true });
    mkdirSync(join(root, 'mine'));
    const things: readonly (() => void)[] = [
      () => symlinkSync(join(root, 'mine'), folder),
      () => symlinkSync(join(root, 'missing'), folder),
      () => writeFileSync(folder, ''),
      () => {
        mkdirSync(folder);
        chmodSync(folder, 0o777);
      },
    ];
    for (const make of things) {
      make();
      for (const isFresh of [false, true]) assert.throws(() => place(isFresh), /only you can write to/);
      rmSync(folder, { recursive: true });
    }
    assert.ok(existsSync(join(root, 'mine')));
  });

  it('is below the temporary folder if the cache folder cannot be written or is relative', () => {
    cache = join(root, 'file');
    writeFileSync(cache, '');
    assert.equal(dirname(dirname(place().folder)), join(root, 'tmp'));
    cache = 'relative';
    assert.equal(dirname(dirname(place().folder)), join(root, '.cache'));
  });
});
