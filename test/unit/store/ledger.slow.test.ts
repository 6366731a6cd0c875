import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerRecord } from '../../../src/evidence/ledgerRecords.ts';
import { leafOf } from '../../../src/evidence/line.ts';
import { type AppendFile, type OpenAppendFile, reopenAppendFile } from '../../../src/store/audit/auditFiles.ts';
import { withReadLimit } from '../../../src/store/audit/auditSecrets.ts';
import { Ledger, type LedgerParts } from '../../../src/store/audit/ledger/ledger.ts';
import { headOf } from '../../../src/store/audit/ledger/ledgerTurns.ts';
import { AuditBench, linesIn, slots } from './auditSamples.ts';
import { judge } from './evidenceJudge.ts';

const session = '11111111-2222-4333-8444-555555555555';

describe('store: the ledger of the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  const begin = (more: Partial<LedgerParts> = {}): Ledger =>
    new Ledger({
      ...{ folder: audit.folder, secrets: audit.secrets, slots, versions: () => ({}) },
      onDidRollBack: (origin) => void audit.rolledBack.push(origin),
      ...more,
    });

  /** A turn with a head; its size tells them apart. */
  const turn = (ledger: Ledger, size = 1) =>
    ledger.turn(
      async (): Promise<readonly LedgerRecord[]> => [headOf({ session, size, root: Buffer.alloc(32) }, 'lines')],
    );

  const bytes = (): string => readFileSync(audit.ledgerPath(), 'latin1');
  /** Heads are those of no session here. */
  const faults = (): readonly string[] => judge(audit.folder).faults.filter((fault) => !fault.includes(': head '));

  it('begins with its key, and each turn ends with a checkpoint of the whole', async () => {
    const ledger = begin();
    const { origin, vkey } = await turn(ledger);
    const end = await turn(ledger, 2);
    assert.deepEqual([end.size, end.origin, end.vkey], [3, origin, vkey]);
    assert.deepEqual(audit.records()[0], { ...audit.records()[0], kind: 'opened', vkey });
    assert.deepEqual(
      linesIn(audit.ledgerPath()).map((line) => JSON.parse(line).kind),
      ['opened', 'head', 'checkpoint', 'head', 'checkpoint'],
    );
    assert.deepEqual(faults(), []);
    assert.equal(await audit.secrets.get(slots.ledger), `${origin} 3 ${end.root.toString('base64')}`);
    assert.equal(linesIn(audit.ledgerPath()).at(-1)?.includes(JSON.stringify(end.note).replace('—', '\\u2014')), true);
  });

  it('writes nothing where there is nothing to say', async () => {
    const ledger = begin();
    await ledger.turn(async () => []);
    assert.deepEqual(audit.ledgers(), []);
    await turn(ledger);
    const before = bytes();
    await ledger.turn(async () => []);
    assert.equal(bytes(), before);
  });

  it('two windows take turns with one key', async () => {
    const [first, second] = [begin(), begin()];
    await Promise.all([1, 2, 3, 4].flatMap((size) => [turn(first, size), turn(second, size)]));
    assert.deepEqual([audit.ledgers().length, audit.records().length, faults()], [1, 9, []]);
  });

  it('a window whose secret storage does not answer lets the others sign, and signs when it answers again', async () => {
    let isAnswering = false;
    const { promise: never } = Promise.withResolvers<undefined>();
    const { secrets } = audit;
    const slow: typeof secrets = Object.assign(Object.create(secrets), {
      get: (slot: string) => (isAnswering ? secrets.get(slot) : never),
    });
    const first = begin({ secrets: withReadLimit(slow, 50) });
    const failing = assert.rejects(turn(first), /does not answer/);
    await turn(begin(), 2);
    await failing;
    isAnswering = true;
    await turn(first, 3);
    assert.deepEqual(
      [audit.ledgers().length, faults(), audit.says().filter((words) => /^lines/.test(words))],
      [1, [], ['lines 2', 'lines 3']],
    );
  });

  describe('a turn that lost its lock, as after a sleep of the computer, signs nothing:', () => {
    /** Another window takes the lock for stale. */
    const steal = async (): Promise<void> => {
      rmSync(join(audit.folder, 'ledger.lock'));
      await turn(begin(), 7);
    };
    const fails = async (ledger: Ledger, task: () => Promise<unknown>): Promise<void> => {
      await assert.rejects(task(), { kind: 'storage', code: 'locked' });
      await turn(ledger, 9);
      assert.deepEqual([faults(), audit.rolledBack, audit.ledgers().length], [[], [], 1]);
      assert.ok(audit.says().includes('lines 7') && audit.says().includes('lines 9'));
      const sizes = [...bytes().matchAll(/"note":"[^"]*?\\n(\d+)\\n/g)].map(([, size]) => Number(size));
      assert.deepEqual(sizes, [...new Set(sizes)].sort());
    };

    it('a lock that was lost before a line was appended prevents the signature', async () => {
      const ledger = begin();
      await turn(ledger);
      await fails(ledger, () =>
        ledger.turn(async () => {
          await steal();
          return [headOf({ session, size: 2, root: Buffer.alloc(32) }, 'lines')];
        }),
      );
    });

    it('a lock that was lost after the lines were on the disk prevents the signature', async () => {
      let isAsleep = false;
      const openFile: OpenAppendFile = async (path) => {
        const file = await reopenAppendFile(path);
        const sync = async (): Promise<void> => {
          await file.sync();
          if (!isAsleep) return;
          isAsleep = false;
          await steal();
        };
        return { ...file, sync };
      };
      const ledger = begin({ openFile });
      await turn(ledger);
      isAsleep = true;
      await fails(ledger, () => turn(ledger, 2));
    });

    it('a lock that was lost while the secret storage was written prevents the signature', async () => {
      const ledger = begin();
      await turn(ledger);
      const { set } = audit.secrets;
      audit.secrets.set = async (slot, value) => {
        await set.call(audit.secrets, slot, value);
        audit.secrets.set = set;
        await steal();
      };
      await fails(ledger, () => turn(ledger, 2));
    });
  });

  it('is not signed before its lines are on the disk, nor ahead of its anchor', async () => {
    const steps: string[] = [];
    const openFile: OpenAppendFile = async (path) => {
      const file = await reopenAppendFile(path);
      return {
        ...file,
        write: (written) => {
          steps.push(Buffer.from(written).includes('"kind":"checkpoint"') ? 'checkpoint' : 'lines');
          return file.write(written);
        },
        sync: async () => {
          await file.sync();
          steps.push('synced');
        },
      };
    };
    const set = audit.secrets.set.bind(audit.secrets);
    audit.secrets.set = async (slot, value) => {
      if (slot === slots.ledger) steps.push('anchor');
      await set(slot, value);
    };
    await turn(begin({ openFile }));
    assert.deepEqual(steps, ['lines', 'synced', 'anchor', 'checkpoint', 'synced']);
  });

  describe('rolled back:', () => {
    const changes: Readonly<Record<string, (path: string) => void>> = {
      'lines at its end are gone': (path) => writeFileSync(path, `${linesIn(path).slice(0, -2).join('\n')}\n`),
      'the whole file is gone': (path) => rmSync(path),
      'it is empty': (path) => truncateSync(path),
      'an older line has another value': (path) =>
        writeFileSync(path, readFileSync(path, 'utf8').replace('"size":1,', '"size":9,')),
    };
    for (const [how, change] of Object.entries(changes)) {
      for (const by of ['another window', 'the same window'] as const) {
        // A window reads only what was added; the next one, and Verify, read everything.
        if (by === 'the same window' && how.startsWith('an older')) continue;
        it(`${how}: nothing is signed with its key again (${by})`, async () => {
          const ledger = begin();
          await turn(ledger);
          const { origin, size, root } = await turn(ledger, 2);
          const key = await audit.secrets.get(slots.key);
          const path = audit.ledgerPath();
          change(path);
          const left = existsSync(path) ? readFileSync(path, 'utf8') : null;
          const next = by === 'another window' ? begin() : ledger;
          const after = await turn(next, 3);
          assert.deepEqual(audit.rolledBack, [origin]);
          assert.notEqual(after.origin, origin);
          assert.ok(!(await audit.secrets.get(slots.key))?.includes(key ?? ''));
          assert.equal(existsSync(path) ? readFileSync(path, 'utf8') : null, left);
          const index = audit.ledgers().findIndex((name) => after.origin.endsWith(name.slice(7, 39)));
          const [opened] = audit.records(index);
          // The new ledger says how far the old one was.
          assert.deepEqual(opened?.kind === 'opened' && opened.follows, {
            origin,
            size,
            root: root.toString('base64'),
          });
          await turn(next, 4);
          assert.equal(audit.rolledBack.length, 1);
        });
      }
    }
  });

  describe('lines that nobody vouches for', () => {
    /** A line that follows, as anyone can make it. */
    const added = (size: number): string => {
      const lines = linesIn(audit.ledgerPath()).filter((line) => !line.includes('"kind":"checkpoint"'));
      const last = lines.at(-1) ?? '';
      const { ledger, seq } = JSON.parse(last);
      const head = headOf({ session, size, root: Buffer.alloc(32) }, 'recovered');
      const prev = leafOf(last).toString('hex');
      return JSON.stringify({ v: 2, ledger, seq: seq + 1, time: '2026-11-02T08:00:00.000Z', ...head, prev });
    };

    it('are never signed: put there without the key, or left by a window that was killed before it signed', async () => {
      await turn(begin());
      const broken = added(7).replace('"why":"recovered"', '"why":"reco');
      for (const rest of [`${added(7)}\n`, `${broken}\n`, `${added(7)}\n{"v":2,"led`, '{"v":2,', 'anything\n']) {
        appendFileSync(audit.ledgerPath(), rest);
        await turn(begin(), 2);
        assert.ok(!bytes().includes('"size":7') && !bytes().includes('anything'), rest);
        assert.deepEqual(faults(), []);
      }
      assert.deepEqual(audit.rolledBack, []);
    });

    it('are signed if a window was killed between its anchor and its checkpoint', async () => {
      const ledger = begin();
      await turn(ledger);
      await turn(ledger, 2);
      // Without the last checkpoint.
      writeFileSync(audit.ledgerPath(), `${linesIn(audit.ledgerPath()).slice(0, -1).join('\n')}\n`);
      const { size } = await begin().turn(async () => []);
      assert.deepEqual([size, audit.says(), faults()], [3, ['opened', 'lines 1', 'lines 2'], []]);
      assert.deepEqual(audit.rolledBack, []);
    });

    it('are taken if our key has signed them and the anchor came too late', async () => {
      const ledger = begin();
      await turn(ledger);
      const anchor = (await audit.secrets.get(slots.ledger)) ?? '';
      await turn(ledger, 2);
      for (const stale of [anchor, null]) {
        if (stale === null) await audit.secrets.delete(slots.ledger);
        else await audit.secrets.set(slots.ledger, stale);
        await turn(begin(), 3);
        assert.ok(audit.says().includes('lines 2'));
      }
      assert.deepEqual([faults(), audit.rolledBack], [[], []]);
    });
  });

  describe('on a failing disk', () => {
    const failing =
      (fault: () => 'none' | 'lines' | 'checkpoint' | 'short' | 'sync'): OpenAppendFile =>
      async (path) => {
        const file = await reopenAppendFile(path);
        const failed: AppendFile = {
          ...file,
          write: async (written) => {
            const now = fault();
            const isCheckpoint = Buffer.from(written).includes('"kind":"checkpoint"');
            if (now === 'lines' || (now === 'checkpoint' && isCheckpoint)) {
              throw Object.assign(new Error('full'), { code: 'ENOSPC' });
            }
            return file.write(now === 'short' ? written.subarray(0, 30) : written);
          },
          sync: async () => {
            if (fault() === 'sync') throw Object.assign(new Error('io'), { code: 'EIO' });
            await file.sync();
          },
        };
        return failed;
      };

    for (const fault of ['lines', 'checkpoint', 'short', 'sync'] as const) {
      it(`${fault}: the turn fails, and the next one continues without a gap`, async () => {
        let now: 'none' | typeof fault = 'none';
        const ledger = begin({ openFile: failing(() => now) });
        await turn(ledger);
        now = fault;
        await assert.rejects(turn(ledger, 2), { code: fault === 'sync' ? 'EIO' : 'ENOSPC' });
        now = 'none';
        await turn(ledger, 3);
        await turn(begin(), 4);
        assert.deepEqual([faults(), audit.rolledBack, audit.ledgers().length], [[], [], 1]);
        assert.deepEqual(
          audit.says().filter((says) => says !== 'lines 2'),
          ['opened', 'lines 1', 'lines 3', 'lines 4'],
        );
      });
    }

    it('takes nothing for a rollback that another window has taken back', async () => {
      const [first, second] = [begin(), begin()];
      await turn(first);
      const { set } = audit.secrets;
      audit.secrets.set = () => Promise.reject(new Error('locked'));
      await assert.rejects(turn(first, 2), /locked/);
      audit.secrets.set = set;
      await turn(second, 3);
      await turn(first, 4);
      assert.deepEqual(
        [audit.says(), faults(), audit.rolledBack],
        [...[['opened', 'lines 1', 'lines 3', 'lines 4'], [], []]],
      );
    });

    it('nothing is signed if the secret storage fails', async () => {
      const ledger = begin();
      await turn(ledger);
      const before = linesIn(audit.ledgerPath()).filter((line) => line.includes('"kind":"checkpoint"')).length;
      const { set } = audit.secrets;
      audit.secrets.set = () => Promise.reject(new Error('locked'));
      await assert.rejects(turn(ledger, 2), /locked/);
      const after = linesIn(audit.ledgerPath()).filter((line) => line.includes('"kind":"checkpoint"')).length;
      assert.equal(after, before);
      audit.secrets.set = set;
      await turn(ledger, 3);
      assert.deepEqual(faults(), []);
    });
  });

  describe('a new key', () => {
    it('is named by the last line of the old ledger, and the new one follows it', async () => {
      const ledger = begin();
      const { origin } = await turn(ledger);
      const old = (await audit.secrets.get(slots.key)) ?? '';
      await ledger.rotate();
      const after = await turn(ledger, 2);
      const at = (name: string): number => audit.ledgers().findIndex((one) => name.endsWith(one.slice(7, 39)));
      const closed = audit.records(at(origin)).at(-1);
      const [opened] = audit.records(at(after.origin));
      assert.deepEqual(closed?.kind === 'closed' && closed.next, after.vkey);
      assert.deepEqual(opened?.kind === 'opened' && [opened.vkey, opened.follows?.origin, opened.follows?.size], [
        ...[after.vkey, origin, 3],
      ]);
      assert.ok(!(await audit.secrets.get(slots.key))?.includes(old), 'the old seed is deleted');
      assert.deepEqual(faults(), []);
    });

    it('comes after so many lines, and after so many days', async () => {
      let now = new Date('2026-01-01T00:00:00Z');
      const ledger = begin({ maxLines: 4, now: () => now });
      for (const size of [1, 2, 3]) await turn(ledger, size);
      assert.equal(audit.ledgers().length, 1);
      await turn(ledger, 4);
      assert.equal(audit.ledgers().length, 2);
      now = new Date('2027-01-01T00:00:00Z');
      await turn(ledger, 5);
      assert.equal(audit.ledgers().length, 2);
      now = new Date('2027-01-03T00:00:00Z');
      await turn(ledger, 6);
      assert.deepEqual([audit.ledgers().length, faults()], [3, []]);
    });

    it('is seen by another window in its next turn, which signs nothing with the old one', async () => {
      const [first, second] = [begin(), begin()];
      const { origin } = await turn(first);
      await turn(second, 2);
      await first.rotate();
      const { origin: next } = await turn(second, 3);
      assert.notEqual(next, origin);
      assert.equal(await second.origin(), next);
      await turn(first, 4);
      assert.deepEqual([audit.ledgers().length, faults(), audit.rolledBack], [2, [], []]);
    });

    for (const step of ['the next seed is stored', 'the old ledger is closed'] as const) {
      it(`is completed by the next window if this one was killed after ${step}`, async () => {
        const ledger = begin();
        await turn(ledger);
        const { set } = audit.secrets;
        let sets = 0;
        audit.secrets.set = async (slot, value) => {
          // The seed of the next key, the anchor of the closed ledger, the next seed alone.
          sets += 1;
          if (sets === (step === 'the next seed is stored' ? 2 : 3)) throw new Error('killed');
          await set.call(audit.secrets, slot, value);
        };
        await assert.rejects(ledger.rotate(), /killed/);
        audit.secrets.set = set;
        const { origin } = await turn(begin(), 2);
        assert.deepEqual([audit.ledgers().length, faults(), audit.rolledBack], [2, [], []]);
        const closed = [0, 1].map((index) => audit.records(index).filter(({ kind }) => kind === 'closed').length);
        assert.deepEqual(closed.sort(), [0, 1]);
        assert.equal((await turn(begin(), 3)).origin, origin);
      });
    }

    it('is completed by the next window, even with nothing to say, if this one was killed before the new ledger is there', async () => {
      await turn(begin());
      const closed = audit.ledgers();
      const killed = begin({
        openFile: (path) => {
          if (!closed.some((name) => path.endsWith(name))) throw new Error('killed');
          return reopenAppendFile(path);
        },
      });
      await assert.rejects(killed.rotate(), /killed/);
      assert.deepEqual(audit.ledgers(), closed);
      await begin().turn(async () => []);
      assert.deepEqual([audit.ledgers().length, faults(), audit.rolledBack], [2, [], []]);
    });

    it('a new key without the old one begins a ledger that no other ledger names', async () => {
      await turn(begin());
      audit.secrets.slots.clear();
      await turn(begin(), 2);
      const opened = [0, 1].map((index) => audit.records(index)[0]);
      assert.deepEqual(
        opened.map((record) => record?.kind === 'opened' && record.follows),
        [undefined, undefined],
      );
      assert.deepEqual([faults(), audit.rolledBack], [[], []]);
    });
  });

  it('names its ledgers as the policy says, and continues under a name it has', async () => {
    const { origin } = await turn(begin({ prefix: () => 'acme.example/pay' }));
    assert.match(origin, /^acme\.example\/pay\/[0-9a-f]{32}$/);
    assert.equal((await turn(begin())).origin, origin);
    assert.deepEqual(faults(), []);
  });
});
