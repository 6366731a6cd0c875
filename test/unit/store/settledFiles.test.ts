import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditFileName, ledgerFileName, reopenAppendFile } from '../../../src/store/audit/auditFiles.ts';
import { Ledger } from '../../../src/store/audit/ledger/ledger.ts';
import { withSettledFiles } from '../../../src/store/audit/settledFiles.ts';
import { withFolder } from '../evidence/folders.ts';
import { AuditBench, intent, slots } from './auditSamples.ts';

describe('store: files of the audit log that another window removes or makes in the meantime', () => {
  const nameOf = (part: number): string =>
    auditFileName('20261102T080000Z', '00000001-0000-4000-8000-000000000000', part);
  const files = [...[1, 2].map(nameOf), 'ledger.lock'].map((name) => [name, [name]] as const);

  const settled = <T>(folder: string, task: () => Promise<T>): Promise<T> =>
    withSettledFiles(folder, async () => undefined, task);

  it('make a task run again, until none is gone at its end', () =>
    withFolder(files, async (folder) => {
      const found = await settled(folder, async () => {
        const before = readdirSync(folder);
        rmSync(join(folder, before[0] ?? ''), { force: true });
        return before;
      });
      // A lock that is gone is none of them.
      assert.deepEqual(found, ['ledger.lock']);
    }));

  it('make a task run again, like a ledger that begins', () =>
    withFolder(files, async (folder) => {
      const found = await settled(folder, async () => {
        const before = readdirSync(folder);
        writeFileSync(join(folder, nameOf(before.length)), '');
        writeFileSync(join(folder, ledgerFileName(`svc-coder/${'0'.repeat(32)}`)), '');
        return before.length;
      });
      assert.equal(found, 5);
    }));

  it('make a task run again, like another key', async () => {
    let key = 1;
    let runs = 0;
    await withFolder([], (folder) =>
      withSettledFiles(
        folder,
        async () => `${key}`,
        async () => {
          runs += 1;
          if (runs === 1) key += 1;
        },
      ),
    );
    assert.equal(runs, 2);
  });

  it('make a task run again that could not read one', () =>
    withFolder(files, async (folder) => {
      let runs = 0;
      await settled(folder, async () => {
        runs += 1;
        rmSync(join(folder, nameOf(1)), { force: true });
        if (runs === 1) throw new Error('none');
        // One that came and went.
        if (runs === 2) readFileSync(join(folder, nameOf(3)));
      });
      assert.equal(runs, 3);
      await assert.rejects(
        settled(folder, () => Promise.reject(new Error('another one'))),
        /another one/,
      );
    }));

  it('do not make it run without end', () =>
    withFolder(files, async (folder) => {
      let runs = 0;
      const found = await settled(folder, async () => {
        runs += 1;
        rmSync(join(folder, nameOf(runs)), { force: true });
        writeFileSync(join(folder, nameOf(runs + 1)), '');
        return runs;
      });
      assert.equal(found, 5);
    }));

  it('are not missing for Verify', async () => {
    const audit = new AuditBench();
    try {
      const log = await audit.writeFive();
      const other = audit.begin();
      await other.record(intent('c'));
      await other.sign();
      await other.record(intent('not signed'));
      const keys = audit.secrets.keys.bind(audit.secrets);
      let purged = 0;
      audit.secrets.keys = async () => {
        const found = await keys();
        // Not in a turn, which the other window waits for.
        if (purged === 0 && !existsSync(join(audit.folder, 'ledger.lock'))) {
          purged = -1;
          purged = await audit.begin().purge(false);
        }
        return found;
      };
      const { verdict, breaks } = await log.verify();
      assert.deepEqual([purged, verdict, breaks], [2, 'intact', []]);
    } finally {
      await audit.clear();
    }
  });

  it('are not missing for Verify at any step of the removal', async () => {
    const audit = new AuditBench();
    try {
      const log = await audit.writeFive();
      const other = audit.begin();
      await other.record(intent('c'));
      await other.sign();
      await other.record(intent('not signed'));
      const { secrets } = audit;
      const found: string[] = [];
      await audit
        .begin({
          secrets: {
            get: (slot) => secrets.get(slot),
            set: (slot, value) => secrets.set(slot, value),
            keys: () => secrets.keys(),
            delete: async (slot) => {
              found.push((await log.verify()).verdict);
              await secrets.delete(slot);
              found.push((await log.verify()).verdict);
            },
          },
        })
        .purge(false);
      assert.ok(found.length >= 4);
      assert.deepEqual(new Set(found), new Set(['intact']));
      assert.equal(audit.files().length, 0);
    } finally {
      await audit.clear();
    }
  });

  it('are not missing for Verify if their window wrote again, and another ledger followed', async () => {
    const audit = new AuditBench();
    try {
      const log = await audit.writeFive();
      await audit.begin().record(intent('c'));
      const anchors = (await audit.secrets.keys()).filter((slot) => slot.includes(' session '));
      const values = await Promise.all(anchors.map((slot) => audit.secrets.get(slot)));
      await audit.begin().purge(false);
      await audit.begin().startLedger();
      for (const [index, slot] of anchors.entries()) await audit.secrets.set(slot, values[index] ?? '');
      const { verdict, breaks } = await audit.begin().verify();
      assert.deepEqual([anchors.length, verdict, breaks], [2, 'intact', []]);
      await log.close();
    } finally {
      await audit.clear();
    }
  });

  it('are not missing for Verify if they are a ledger that a killed window has only named', async () => {
    const audit = new AuditBench();
    try {
      const log = await audit.writeFive();
      const [closed = ''] = audit.ledgers();
      const openFile = async (path: string) => {
        if (!path.endsWith(closed)) throw new Error('killed');
        return reopenAppendFile(path);
      };
      const { folder } = audit;
      const killed = new Ledger({
        ...{ folder, secrets: audit.secrets, slots, openFile },
        ...{ versions: () => ({}), onDidRollBack: assert.fail },
      });
      const keys = audit.secrets.keys.bind(audit.secrets);
      let isKilled = false;
      audit.secrets.keys = async () => {
        if (!isKilled && !existsSync(join(folder, 'ledger.lock'))) {
          isKilled = true;
          await assert.rejects(killed.rotate(), /killed/);
        }
        return keys();
      };
      const { verdict, breaks } = await log.verify();
      assert.deepEqual([isKilled, verdict, breaks, audit.ledgers().length], [true, 'intact', [], 2]);
    } finally {
      await audit.clear();
    }
  });
});
