import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs';
import type { AuditEntry, KeyUser } from '../../../src/send/audit.ts';
import { readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { openAppendFile } from '../../../src/store/audit/auditFiles.ts';
import { canSign } from '../../../src/store/audit/ledger/signingKey.ts';
import { AuditBench, intent, outcome } from './auditSamples.ts';
import { judge } from './evidenceJudge.ts';

describe('store: the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  it('creates no file before the first record', async () => {
    audit.begin();
    assert.ok(!existsSync(audit.folder));
    assert.deepEqual(audit.secrets.slots.size, 0);
    const { verdict, files, records, ledger } = await audit.verify();
    assert.deepEqual([verdict, files, records, ledger], ['intact', 0, 0, null]);
  });

  it('writes each record to disk, readable only for this user, and verifies', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    const [started, first] = audit.linesOf().map((line) => JSON.parse(line));
    assert.deepEqual([started.kind, started.seq, started.pid], ['session-started', 1, process.pid]);
    assert.deepEqual(
      [first.kind, first.seq, first.session, first.request],
      [...['request-intent', 2, started.session, 'a']],
    );
    assert.equal(started.ledger, await log.origin());
    assert.match(first.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await log.sign();
    if (process.platform !== 'win32') {
      for (const path of [audit.path(), audit.ledgerPath()]) assert.equal(statSync(path).mode & 0o777, 0o600);
      assert.equal(statSync(audit.folder).mode & 0o777, 0o700);
    }
    const { verdict, files, records, breaks, unsigned } = await audit.verify();
    assert.deepEqual([verdict, files, records, breaks, unsigned], ['intact', 2, 2, [], []]);
  });

  it('names the user of each request, also in the outcome that a later window records, and else the user of that time', async () => {
    let now = 'anna';
    const user = (of: KeyUser | undefined): string | undefined => (of === undefined ? now : of.subject);
    const yesterday = new Date(Date.now() - 86_400_000);
    const log = audit.begin({ user, now: () => yesterday });
    await log.record(intent('a'), { subject: 'anna' });
    now = 'otto';
    const ofAnna = { subject: 'anna' };
    const unnamed = { subject: undefined };
    // These wait together, and are written together.
    await Promise.all([
      log.record(intent('b'), unnamed),
      log.record({ kind: 'key-set', origin: 'https://svc.example.com' }),
      log.record(intent('c'), { subject: 'otto' }),
      log.record(outcome('b'), unnamed),
      log.record(outcome('a'), ofAnna),
    ]);
    now = 'eva';
    await audit.begin({ user }).record(intent('d'), ofAnna);
    const { records } = await readAuditLog(audit.folder);
    assert.deepEqual(
      records.map((record) => [record.kind, 'request' in record ? record.request : '', record.user]),
      [
        ['session-started', '', 'anna'],
        ['request-intent', 'a', 'anna'],
        ['request-intent', 'b', undefined],
        ['key-set', '', 'otto'],
        ['request-intent', 'c', 'otto'],
        ['request-outcome', 'b', undefined],
        ['request-outcome', 'a', 'anna'],
        ['session-started', '', 'eva'],
        ['request-outcome', 'c', 'otto'],
        ['request-intent', 'd', 'anna'],
      ],
    );
  });

  it('is signed so that it can be verified without our code', async () => {
    await audit.writeFive();
    assert.deepEqual(judge(audit.folder), { faults: [], sessions: 1, lines: 5, unsigned: 0 });
  });

  it('has nothing in it but printable ASCII, whatever the text', async () => {
    const log = audit.begin();
    for (const model of ['\u007f', 'ä\u2028\ud83d', '\0\n"\\', '😀']) await log.record(intent('a', model));
    assert.ok(audit.linesOf().every((line) => /^[\x20-\x7e]+$/.test(line)));
    const { records } = await readAuditLog(audit.folder);
    assert.deepEqual(
      records.flatMap((record) => (record.kind === 'request-intent' ? [record.model] : [])),
      ['\u007f', 'ä\u2028\ud83d', '\0\n"\\', '😀'],
    );
  });

  it('cuts long words further where a line would be longer than a collector takes', async () => {
    const log = audit.begin();
    const setBy = [{ layer: 'folder', name: 'ü'.repeat(300) } as const];
    const header = { name: 'X', value: 'ü'.repeat(300), setBy };
    const long = { ...intent('a'), headers: Array.from({ length: 9 }, () => header) } as AuditEntry;
    await log.record(long);
    const line = audit.linesOf()[1] ?? '';
    assert.ok(line.length <= 8_000 && line.length > 1_000);
    assert.equal((await readAuditLog(audit.folder)).badLines, 0);
    await log.sign();
    assert.deepEqual(judge(audit.folder).faults, []);
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
    await log.sign();
    assert.equal(audit.files().length, before + 1);
    assert.equal((await audit.verify()).verdict, 'intact');
    assert.deepEqual(judge(audit.folder).faults, []);
    const kinds = audit.files().map((_, index) => JSON.parse(audit.linesOf(index)[0] ?? '').kind);
    assert.ok(kinds.every((kind) => kind === 'session-started'));
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
    await log.sign();
    assert.equal(JSON.parse(audit.linesOf()[1] ?? '').model, `${'m'.repeat(299)}…`);
    assert.equal((await audit.verify()).verdict, 'intact');
  });

  it('continues in a new session where a line could not be counted any more', async () => {
    const log = audit.begin({ maxSessionLines: 4 });
    for (let index = 0; index < 8; index += 1) await log.record(intent(`${index}`));
    await log.close();
    assert.equal(judge(audit.folder).unsigned, 0);
    assert.ok(audit.files().length >= 3);
    assert.deepEqual((await audit.verify()).breaks, []);
  });

  it('continues in a new session after another window purged the log, with the new record in it', async () => {
    const log = await audit.writeFive();
    const purged = JSON.parse(audit.linesOf()[0] ?? '').session;
    assert.equal(await audit.begin().purge(false), 1);
    assert.deepEqual(audit.files(), []);
    await log.record(intent('c'));
    await log.sign();
    assert.deepEqual(
      audit.linesOf().map((line) => JSON.parse(line).kind),
      ['session-started', 'request-intent'],
    );
    assert.notEqual(JSON.parse(audit.linesOf()[0] ?? '').session, purged);
    assert.equal((await audit.verify()).verdict, 'intact');
    assert.deepEqual(audit.says().slice(-2), ['removed 5 purge', 'start 2']);
  });

  it('continues in a new session if another window purges the log while the next file of this one begins', async () => {
    let opened = 0;
    const log = audit.begin({
      maxFileBytes: 500,
      openFile: async (path) => {
        opened += 1;
        if (opened === 2) assert.equal(await audit.begin().purge(false), 1);
        return openAppendFile(path);
      },
    });
    await log.record(intent('a'));
    await log.record(intent('b'));
    const { verdict, breaks, unsigned } = await log.verify();
    assert.deepEqual(
      { verdict, breaks, unsigned, files: audit.files().length },
      { verdict: 'intact', breaks: [], unsigned: [], files: 1 },
    );
    assert.deepEqual(
      audit.linesOf().map((line) => [JSON.parse(line).seq, JSON.parse(line).request]),
      [
        [1, undefined],
        [2, 'b'],
      ],
    );
  });

  it('continues with the new key after another window purged the keys, too', async () => {
    const log = await audit.writeFive();
    const silent = audit.begin();
    await silent.record(intent('s'));
    await silent.sign();
    await silent.record(intent('not signed'));
    assert.equal(await audit.begin().purge(true), 2);
    await log.record(intent('c'));
    await log.close();
    await silent.close();
    const { verdict, breaks } = await audit.begin().verify();
    assert.deepEqual([verdict, breaks, audit.files().length, audit.ledgers().length], ['intact', [], 1, 1]);
    assert.deepEqual(audit.rolledBack, []);
  });

  it('continues unsigned where the build of Node cannot sign, and reports this', async () => {
    const log = audit.begin({ canSign: () => false });
    await log.record(intent('a'));
    assert.equal(await log.sign(), null);
    await log.close();
    assert.deepEqual([audit.ledgers(), audit.linesOf().length, log.isSigning], [[], 2, false]);
    assert.equal(audit.secrets.slots.size, 0);
    await assert.rejects(
      log.bundle(async () => Buffer.alloc(0)),
      { code: 'not-signed' },
    );
    await assert.rejects(log.startLedger(), { code: 'not-signed' });
    const { verdict, ledger } = await log.verify();
    assert.deepEqual([verdict, ledger], ['intact', null]);
    audit.put(audit.linesOf().with(0, audit.linesOf()[0]?.replace('0.1.0', '0.1.1') ?? ''));
    assert.equal((await log.verify()).verdict, 'broken');
    assert.equal(canSign(), true);
  });
});
