import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceLogParts } from '../../../src/store/audit/evidenceLog.ts';
import { AuditBench, FileSecrets, intent, slots } from './auditSamples.ts';
import { judge } from './evidenceJudge.ts';

describe('store: what is removed of the audit log', () => {
  let audit: AuditBench<FileSecrets>;
  beforeEach(() => {
    audit = new AuditBench((root) => new FileSecrets(join(root, 'secrets')));
  });
  afterEach(() => audit.clear());

  /** A window of another process, which has ended. */
  const write = async (): Promise<void> => {
    const child = start('send');
    await once(child, 'exit');
  };
  const start = (mode: 'send' | 'hang'): ChildProcess =>
    fork(join(import.meta.dirname, 'auditWorker.ts'), [audit.folder, join(audit.root, 'secrets'), mode, 'w']);

  const days = (count: number): Date => new Date(Date.now() + count * 86_400_000);
  const begin = async (at: Date, more: Partial<EvidenceLogParts> = {}) => {
    const log = audit.begin({ now: () => at, keepDays: () => 30, ...more });
    await log.record(intent('now'));
    await log.sign();
    return log;
  };
  const removed = (): readonly string[] => audit.says().filter((says) => says.startsWith('removed'));

  describe('after so many days', () => {
    it('is a whole session that ended: signed first, then its files and no others', async () => {
      await write();
      await begin(days(29));
      assert.deepEqual([removed(), audit.files().length], [[], 2]);
      await begin(days(32));
      assert.deepEqual([removed(), audit.files().length], [['removed 1001 retention'], 2]);
      const { verdict, breaks } = await audit.verify();
      assert.deepEqual([verdict, breaks, judge(audit.folder).faults], ['intact', [], []]);
    });

    it('is nothing without a policy', async () => {
      await write();
      await begin(days(5000), { keepDays: () => undefined });
      assert.deepEqual([removed(), audit.files().length], [[], 2]);
    });

    it('is nothing for a number of days that means for ever, and the log is signed', async () => {
      await write();
      const log = await begin(days(5000), { keepDays: () => 999_999_999 });
      assert.deepEqual([removed(), audit.files().length, log.unsigned], [[], 2, 0]);
    });

    it('no file of a window that still runs is removed', async () => {
      const child = start('hang');
      await once(child, 'message');
      await begin(days(40));
      assert.deepEqual([removed(), audit.files().length], [[], 2]);
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    it('no file of this window is removed, whatever its clock shows', async () => {
      let now = days(-400);
      const log = audit.begin({ now: () => now, keepDays: () => 30 });
      await log.record(intent('a'));
      now = days(0);
      await log.sign();
      assert.deepEqual([audit.says(), audit.files().length], [['opened', 'start 2'], 1]);
    });

    it('is looked for once a day', async () => {
      let now = days(29.5);
      const log = audit.begin({ now: () => now, keepDays: () => 30 });
      await write();
      await log.record(intent('a'));
      await log.sign();
      now = days(30.4);
      await log.record(intent('b'));
      await log.sign();
      assert.deepEqual(removed(), []);
      now = days(30.6);
      await log.record(intent('c'));
      await log.sign();
      assert.deepEqual(removed(), ['removed 1001 retention']);
    });

    it('keeps the files if the ledger could not be signed, and removes them later', async () => {
      await write();
      const { set } = audit.secrets;
      audit.secrets.set = async (slot, value) => {
        if (slot === slots.ledger) throw new Error('locked');
        await set.call(audit.secrets, slot, value);
      };
      const log = await begin(days(40));
      assert.equal(audit.files().length, 2);
      audit.secrets.set = set;
      await log.sign();
      assert.equal(audit.files().length, 1);
      assert.deepEqual(judge(audit.folder).faults, []);
    });

    it('is also a file that a killed window had recorded as removed, without another record', async () => {
      await write();
      const name = audit.files()[0] ?? '';
      copyFileSync(join(audit.folder, name), join(audit.root, name));
      await (await begin(days(40))).close();
      copyFileSync(join(audit.root, name), join(audit.folder, name));
      await begin(days(41));
      assert.deepEqual([audit.files().includes(name), removed()], [false, ['removed 1001 retention']]);
    });

    it('is nothing because of a file that somebody put there under its name', async () => {
      const child = start('hang');
      await once(child, 'message');
      await write();
      for (const [index, name] of audit.files().entries()) {
        const stamp = index === 0 ? '20200101T000000Z' : name.slice(0, 16);
        const added = name.replace(/^\d{8}T\d{6}Z/, stamp).replace('-0001', '-0000');
        writeFileSync(join(audit.folder, added), 'x\n');
      }
      await begin(days(40));
      assert.deepEqual([removed(), audit.files().length], [[], 5]);
      assert.equal((await audit.verify()).verdict, 'broken');
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    it('is nothing that is not as it was signed: Verify names it', async () => {
      await write();
      audit.put(audit.linesOf().slice(0, -1));
      await begin(days(40));
      assert.deepEqual([removed(), await audit.breaks()], [[], ['0:1001 cut']]);
    });

    it('is nothing that the ledger does not know', async () => {
      await write();
      const name = audit.files()[0] ?? '';
      const other = '11111111-2222-4333-8444-555555555555';
      const text = readFileSync(join(audit.folder, name), 'utf8').replaceAll(name.slice(17, 53), other);
      writeFileSync(join(audit.folder, `20200101T000000Z-${other}-0001.jsonl`), text);
      await begin(days(40));
      assert.deepEqual(removed(), ['removed 1001 retention']);
      assert.ok(audit.files().some((each) => each.includes(other)));
      assert.ok((await audit.verify()).breaks.some(({ reason, of }) => reason === 'unanchored' && of === other));
    });

    it('is also what the ledger before has signed', async () => {
      await write();
      const [name = ''] = audit.files();
      await (await begin(days(1))).startLedger();
      await begin(days(40));
      assert.deepEqual([audit.ledgers().length, audit.files().includes(name)], [2, false]);
      assert.deepEqual((await audit.verify()).breaks, []);
    });
  });

  describe('on request', () => {
    it('are the files of all sessions: the ledger stays, and reports this', async () => {
      await write();
      const log = await begin(new Date());
      assert.equal(await log.purge(false), 2);
      assert.deepEqual([audit.files(), removed().toSorted()], [[], ['removed 1001 purge', 'removed 2 purge']]);
      await log.record(intent('after'));
      await log.sign();
      assert.deepEqual([(await audit.verify()).breaks, audit.ledgers().length], [[], 1]);
    });

    it('deleting the keys also deletes the ledger and its key, and a new log begins', async () => {
      await write();
      const log = await begin(new Date());
      const origin = await log.origin();
      assert.equal(await log.purge(true), 2);
      assert.deepEqual(readdirSync(audit.folder), []);
      assert.deepEqual(await audit.secrets.keys(), []);
      await log.record(intent('after'));
      await log.sign();
      assert.notEqual(await log.origin(), origin);
      assert.deepEqual([(await audit.verify()).breaks, audit.rolledBack], [[], []]);
    });

    it('a removal that nobody signed is a session that is missing', async () => {
      await write();
      const log = await begin(new Date());
      const path = audit.ledgerPath();
      const name = audit.files()[0] ?? '';
      await log.close();
      writeFileSync(join(audit.folder, name), '');
      assert.ok(path.length > 0);
      assert.equal((await audit.verify()).verdict, 'broken');
    });
  });
});
