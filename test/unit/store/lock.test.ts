import assert from 'node:assert/strict';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock } from 'node:test';
import { withLock } from '../../../src/store/lock.ts';

describe('store: the lock of a conversation', () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
    path = join(folder, 'a.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('admits one task at a time', async () => {
    let inside = 0;
    let most = 0;
    let done = 0;
    const task = async (): Promise<void> => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise(setImmediate);
      inside -= 1;
      done += 1;
    };
    await Promise.all(Array.from({ length: 20 }, () => withLock(path, task)));
    assert.deepEqual([most, done], [1, 20]);
    assert.deepEqual(readdirSync(folder), []);
  });

  it('is released if the task fails', async () => {
    await assert.rejects(
      withLock(path, () => Promise.reject(new Error('task'))),
      /task/,
    );
    assert.equal(existsSync(path), false);
  });

  it('a lock without content is valid only for a short time: its creator was killed', async () => {
    writeFileSync(path, '');
    const killed = new Date(Date.now() - 3_000);
    utimesSync(path, killed, killed);
    assert.equal(await withLock(path, async () => 7), 7);
  });

  it('is not taken from a live process', async () => {
    writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid, id: 'x' }));
    const order: string[] = [];
    const taken = withLock(path, async () => order.push('taken'));
    // Enough time for several attempts.
    for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
    order.push('let go');
    rmSync(path);
    await taken;
    assert.deepEqual(order, ['let go', 'taken']);
  });

  it('is renewed while its task runs, so that it does not become stale', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      await withLock(path, async () => {
        const old = new Date(Date.now() - 60_000);
        utimesSync(path, old, old);
        mock.timers.tick(10_000);
        while (statSync(path).mtimeMs === old.getTime()) await new Promise(setImmediate);
      });
    } finally {
      mock.timers.reset();
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  it('a lock that another process took is reported as lost, and stays with the other process', async () => {
    const other = JSON.stringify({ host: 'elsewhere', pid: 1, id: 'x' });
    await withLock(path, async (lock) => {
      assert.equal(await lock.isHeld(), true);
      writeFileSync(path, other);
      assert.equal(await lock.isHeld(), false);
    });
    assert.equal(readFileSync(path, 'utf8'), other);
  });

  it('a lock that another process moves aside for a moment, because it considers it stale, is still held and released', async () => {
    const aside = `${path}.aside`;
    await withLock(path, async (lock) => {
      renameSync(path, aside);
      const held = lock.isHeld();
      // It has looked once.
      await stat(aside);
      await new Promise(setImmediate);
      renameSync(aside, path);
      assert.equal(await held, true);
    });
    assert.deepEqual(readdirSync(folder), []);
    await withLock(path, async (lock) => {
      rmSync(path);
      assert.equal(await lock.isHeld(), false);
    });
  });

  it('is given up after a time, and says that it is held', async () => {
    writeFileSync(path, JSON.stringify({ host: hostname(), pid: process.pid, id: 'x' }));
    let now = 0;
    const clock = mock.method(performance, 'now', () => (now += 15_000));
    try {
      await assert.rejects(
        withLock(path, async () => assert.fail()),
        { kind: 'storage', code: 'locked' },
      );
    } finally {
      clock.mock.restore();
    }
    assert.deepEqual(readdirSync(folder), ['a.lock']);
  });

  for (const [name, content] of [
    ['another machine', JSON.stringify({ host: 'elsewhere', pid: 1, id: 'x' })],
    ['nobody known', ''],
    ['a process that was killed before it wrote its name', '{"ho'],
  ]) {
    it(`a lock of ${name} is ignored when it is old`, async () => {
      writeFileSync(path, content ?? '');
      const old = new Date(Date.now() - 60_000);
      utimesSync(path, old, old);
      let broken = 0;
      const results = await Promise.all(
        [1, 2, 3].map((value) =>
          withLock(path, () => Promise.resolve(value), {
            onDidBreak: async () => {
              broken += 1;
            },
          }),
        ),
      );
      assert.deepEqual(results, [1, 2, 3]);
      assert.equal(broken, 1);
      assert.deepEqual(readdirSync(folder), []);
    });
  }

  it('reports a missing folder', async () => {
    await assert.rejects(
      withLock(join(folder, 'none', 'a.lock'), () => Promise.resolve()),
      { code: 'ENOENT' },
    );
  });
});
