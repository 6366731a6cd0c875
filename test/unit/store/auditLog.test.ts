import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { openAppendFile, purgeAuditFiles } from '../../../src/store/audit/auditFiles.ts';
import { chainStart } from '../../../src/store/audit/auditLine.ts';
import { AuditBench, intent, key, outcome } from './auditSamples.ts';

describe('store: the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  it('creates no file before the first record', async () => {
    audit.begin();
    assert.ok(!existsSync(audit.folder));
    assert.deepEqual(await audit.verify(), { verdict: 'intact', files: 0, records: 0, breaks: [], halfLines: [] });
  });

  it('writes each record to disk, readable only for this user, and verifies', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    const [started, first] = audit.linesOf().map((line) => JSON.parse(line));
    assert.deepEqual([started.kind, started.seq, started.pid], ['session-started', 1, process.pid]);
    assert.deepEqual([first.kind, first.seq, first.session, first.request], ['request-intent', 2, log.session, 'a']);
    assert.match(first.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    if (process.platform !== 'win32') {
      assert.equal(statSync(audit.path()).mode & 0o777, 0o600);
      assert.equal(statSync(audit.folder).mode & 0o777, 0o700);
    }
    await log.flush();
    assert.deepEqual(await audit.verify(), { verdict: 'intact', files: 1, records: 2, breaks: [], halfLines: [] });
  });

  it('is a chain that can be verified without our code', async () => {
    await audit.writeFive();
    let prev = chainStart;
    for (const line of audit.linesOf()) {
      const unsigned = line.replace(/,"mac":"[0-9a-f]{64}"\}$/, '}');
      assert.equal(JSON.parse(line).prev, prev);
      prev = createHmac('sha256', key).update(unsigned).digest('hex');
      assert.equal(JSON.parse(line).mac, prev);
    }
    assert.equal([...audit.anchors.values()][0]?.head, prev);
  });

  it('restricts the permissions of a folder that others can read', async () => {
    mkdirSync(audit.folder);
    chmodSync(audit.folder, 0o755);
    await audit.writeFive();
    assert.equal(statSync(audit.folder).mode & 0o777, process.platform === 'win32' ? 0o666 : 0o700);
  });

  it('starts a new file by size and by day, and the chain continues', async () => {
    let now = new Date('2026-03-01T23:59:59Z');
    const log = audit.begin({ maxFileBytes: 600, now: () => now });
    for (const request of ['a', 'b', 'c', 'd']) await log.record(intent(request));
    const before = audit.files().length;
    assert.ok(before >= 2);
    now = new Date('2026-03-02T00:00:00Z');
    await log.record(intent('e'));
    await log.flush();
    assert.equal(audit.files().length, before + 1);
    assert.equal((await audit.verify()).verdict, 'intact');
    const lines = audit.files().flatMap((_, index) => audit.linesOf(index).map((line) => JSON.parse(line)));
    assert.deepEqual(
      lines.map(({ seq }) => seq),
      lines.map((_, index) => index + 1),
    );
    assert.deepEqual(
      lines.slice(1).map(({ prev }) => prev),
      lines.slice(0, -1).map(({ mac }) => mac),
    );
  });

  it('syncs waiting records together, and confirms each after its own bytes', async () => {
    let syncs = 0;
    let written = '';
    let synced = '';
    const log = audit.begin({
      openFile: async (path) => {
        const file = await openAppendFile(path);
        return {
          ...file,
          write: (bytes) => {
            written += Buffer.from(bytes).toString();
            return file.write(bytes);
          },
          sync: async () => {
            const before = written;
            await file.sync();
            syncs += 1;
            synced = before;
          },
        };
      },
    });
    const requests = Array.from({ length: 100 }, (_, index) => `r${index}.`);
    await Promise.all(
      requests.map((request) => log.record(intent(request)).then(() => assert.ok(synced.includes(request)))),
    );
    assert.equal(audit.linesOf().length, 101);
    assert.ok(syncs <= 3, `${syncs} syncs`);
  });

  it('truncates a long free text so that the record can be read again', async () => {
    const log = audit.begin();
    await log.record(intent('a', 'm'.repeat(1000)));
    await log.record(outcome('a'));
    await log.flush();
    assert.equal(JSON.parse(audit.linesOf()[1] ?? '').model, `${'m'.repeat(299)}…`);
    assert.equal((await audit.verify()).verdict, 'intact');
  });

  it('is removed on request', async () => {
    await audit.writeFive();
    assert.equal(await purgeAuditFiles(audit.folder), 1);
    assert.deepEqual(audit.files(), []);
  });

  it('continues in a new chain after another window purged the log, with the new record in it', async () => {
    const log = await audit.writeFive();
    const purged = log.session;
    await purgeAuditFiles(audit.folder);
    audit.anchors.clear();
    await log.record(intent('c'));
    await log.flush();
    assert.notEqual(log.session, purged);
    assert.deepEqual(
      audit.linesOf().map((line) => JSON.parse(line).kind),
      ['session-started', 'request-intent'],
    );
    assert.deepEqual([(await audit.verify()).verdict, audit.anchors.size], ['intact', 1]);
  });
});
