import assert from 'node:assert/strict';
import { existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AppendFile, type OpenAppendFile, openAppendFile } from '../../../src/store/audit/auditFiles.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { AuditBench, intent, outcome } from './auditSamples.ts';

describe('store: the audit log on a failing disk', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  /** Real files, with writes that fail as the test specifies. */
  const failing =
    (fault: () => 'none' | 'full' | 'short' | 'sync' | 'stuck'): OpenAppendFile =>
    async (path) => {
      const file = await openAppendFile(path);
      const failed: AppendFile = {
        ...file,
        write: async (bytes) => {
          if (fault() === 'full') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          return file.write(fault() === 'short' || fault() === 'stuck' ? bytes.subarray(0, 30) : bytes);
        },
        sync: async () => {
          if (fault() === 'sync') throw Object.assign(new Error('io'), { code: 'EIO' });
          await file.sync();
        },
        truncate: async (length) => {
          if (fault() === 'stuck') throw Object.assign(new Error('io'), { code: 'EIO' });
          await file.truncate(length);
        },
      };
      return failed;
    };

  for (const [fault, reason] of [
    ['full', 'ENOSPC'],
    ['short', 'ENOSPC'],
    ['sync', 'EIO'],
  ] as const) {
    it(`${fault}: the record is rejected and undone, and the log continues when possible`, async () => {
      let now: 'none' | typeof fault = 'none';
      const log = audit.begin({ openFile: failing(() => now) });
      await log.record(intent('a'));
      const size = statSync(audit.path()).size;
      now = fault;
      await assert.rejects(log.record(outcome('a')), (error: unknown) => {
        assert.ok(isServiceError(error));
        assert.deepEqual(
          [error.kind, error.code, error.reason, error.file],
          ['gate', 'audit-unwritable', reason, audit.folder],
        );
        return true;
      });
      assert.equal(statSync(audit.path()).size, size);
      now = 'none';
      await log.record(outcome('a'));
      await log.sign();
      assert.deepEqual([(await audit.verify()).verdict, audit.linesOf().length], ['intact', 3]);
    });
  }

  it('only an empty file remains if the disk fails from the first record on, and the log begins when possible', async () => {
    let now: 'none' | 'full' = 'full';
    const log = audit.begin({ openFile: failing(() => now) });
    await assert.rejects(log.record(intent('a')));
    now = 'none';
    await log.record(intent('a'));
    await log.sign();
    assert.deepEqual([(await audit.verify()).verdict, audit.linesOf().length, audit.files().length], ['intact', 2, 1]);
  });

  it('a folder that cannot be created, and a key that is not available', async () => {
    writeFileSync(audit.folder, 'a file');
    await assert.rejects(audit.begin().record(intent('a')), { code: 'audit-unwritable' });
    rmSync(audit.folder);
    audit.secrets.get = () => Promise.reject(new Error('locked'));
    await assert.rejects(audit.begin().record(intent('a')), { code: 'audit-unwritable' });
    assert.ok(!existsSync(audit.folder));
  });

  for (const next of ['record', 'day'] as const) {
    it(`half a line that could not be removed is removed before the next ${next}`, async () => {
      let now: 'none' | 'stuck' = 'none';
      let time = new Date('2026-03-01T12:00:00Z');
      const log = audit.begin({ openFile: failing(() => now), now: () => time });
      await log.record(intent('a'));
      const { size } = statSync(audit.path());
      now = 'stuck';
      await assert.rejects(log.record(intent('b')), { code: 'audit-unwritable', reason: 'ENOSPC' });
      assert.ok(statSync(audit.path()).size > size);
      if (next === 'day') time = new Date('2026-03-02T12:00:00Z');
      await assert.rejects(log.record(intent('c')), { code: 'audit-unwritable', reason: 'EIO' });
      now = 'none';
      await log.record(intent('d'));
      await log.sign();
      const { verdict, records, halfLines, breaks } = await audit.verify();
      assert.deepEqual([breaks, verdict, records, halfLines], [[], 'intact', next === 'day' ? 4 : 3, []]);
    });
  }

  it('an unreadable old file does not prevent recording', async () => {
    mkdirSync(
      join(audit.folder, `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}T000000Z-11111111-0001.jsonl`),
      {
        recursive: true,
      },
    );
    await audit.begin().record(intent('a'));
    assert.equal(audit.files().length, 2);
  });

  it('anchors that cannot be stored do not block recording', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    await log.sign();
    audit.secrets.set = () => Promise.reject(new Error('locked'));
    await log.record(intent('b'));
    assert.equal(await log.sign(), null);
    assert.deepEqual([audit.linesOf().length, log.unsigned, audit.failed.length], [3, 1, 1]);
    const { verdict, unsigned } = await audit.verify();
    assert.deepEqual([verdict, unsigned], ['intact', [{ file: audit.files()[0], line: 3, count: 1 }]]);
  });
});
