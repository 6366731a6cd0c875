import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { AuditEntry } from '../../../src/session/audit.ts';
import { auditAsCsv, auditAsJsonl, readAuditLog } from '../../../src/store/auditExport.ts';
import {
  type AppendFile,
  type OpenAppendFile,
  openAppendFile,
  purgeAuditFiles,
} from '../../../src/store/auditFiles.ts';
import { signedLine } from '../../../src/store/auditLine.ts';
import { type AuditAnchor, AuditLog, type AuditLogOptions } from '../../../src/store/auditLog.ts';
import { type AuditVerdict, verifyAuditLog } from '../../../src/store/auditVerify.ts';
import { isServiceError } from '../../../src/util/errors.ts';

const key = Buffer.alloc(32, 7);
const versions = (): Record<string, string> => ({ 'svc-coder': '0.1.0' });

const intent = (request: string, model = 'svc/auto'): AuditEntry => ({
  kind: 'request-intent',
  request,
  action: 'chat',
  origin: 'https://svc.example.com',
  model,
  headers: [{ name: 'Svc-Security-Level', value: 'high', setBy: [{ layer: 'user' }] }],
  files: 1,
  bytes: 100,
  maskings: 0,
  unmasked: 0,
  exclusions: 0,
  previewed: false,
});

const outcome = (request: string): AuditEntry => ({
  kind: 'request-outcome',
  request,
  outcome: 'complete',
  status: 200,
  totalTokens: 7,
  durationMs: 12,
  retries: 0,
  confirmation: 'confirmed',
});

describe('store: the audit log', () => {
  let folder: string;
  let anchors: Map<string, AuditAnchor>;
  const open: AuditLog[] = [];
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'svc-audit-')), 'audit');
    anchors = new Map();
  });
  afterEach(async () => {
    for (const log of open.splice(0)) await log.dispose();
    rmSync(join(folder, '..'), { recursive: true, force: true });
  });

  const begin = (more: Partial<AuditLogOptions> = {}): AuditLog => {
    const log = new AuditLog({
      folder,
      versions,
      key: async () => key,
      anchors: { set: async (session, anchor) => void anchors.set(session, anchor) },
      ...more,
    });
    open.push(log);
    return log;
  };
  const files = (): string[] => readdirSync(folder).sort();
  const linesOf = (name = files()[0] ?? ''): string[] =>
    readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
  const put = (lines: readonly string[], name = files()[0] ?? ''): void =>
    writeFileSync(join(folder, name), lines.map((line) => `${line}\n`).join(''));
  const verify = (): Promise<AuditVerdict> => verifyAuditLog({ folder, key, anchors });
  const breaks = async (): Promise<string[]> =>
    (await verify()).breaks.map(({ file, line, reason }) => `${files().indexOf(file)}:${line} ${reason}`);

  /** One session: its start, then two requests with their outcomes. */
  const writeFive = async (): Promise<AuditLog> => {
    const log = begin();
    for (const entry of [intent('a'), outcome('a'), intent('b'), outcome('b')]) await log.record(entry);
    await log.flush();
    return log;
  };

  it('touches nothing before the first record', async () => {
    begin();
    assert.ok(!existsSync(folder));
    assert.deepEqual(await verify(), { verdict: 'intact', files: 0, records: 0, breaks: [], halfLines: [] });
  });

  it('has each record on the disk, for this user alone, and verifies', async () => {
    const log = begin();
    await log.record(intent('a'));
    const [started, first] = linesOf().map((line) => JSON.parse(line));
    assert.deepEqual([started.kind, started.seq, started.pid], ['session-started', 1, process.pid]);
    assert.deepEqual([first.kind, first.seq, first.session, first.request], ['request-intent', 2, log.session, 'a']);
    assert.match(first.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    if (process.platform !== 'win32') {
      assert.equal(statSync(join(folder, files()[0] ?? '')).mode & 0o777, 0o600);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
    }
    await log.flush();
    assert.deepEqual(await verify(), { verdict: 'intact', files: 1, records: 2, breaks: [], halfLines: [] });
  });

  describe('broken in any way says where:', () => {
    beforeEach(writeFive);

    it('a changed value', async () => {
      put(linesOf().with(2, linesOf()[2]?.replace('"complete"', '"stopped"') ?? ''));
      assert.deepEqual(await breaks(), ['0:3 altered']);
    });
    it('a line that was removed', async () => {
      put(linesOf().toSpliced(2, 1));
      assert.deepEqual(await breaks(), ['0:3 out-of-order']);
    });
    it('two lines that changed places', async () => {
      const lines = linesOf();
      put(lines.with(2, lines[3] ?? '').with(3, lines[2] ?? ''));
      assert.deepEqual(await breaks(), ['0:3 out-of-order']);
    });
    it('a line that was put in', async () => {
      put(linesOf().toSpliced(3, 0, linesOf()[1] ?? ''));
      assert.deepEqual(await breaks(), ['0:4 out-of-order']);
      put(linesOf().with(3, '{"kind":"request-outcome"}'));
      assert.deepEqual(await breaks(), ['0:4 not-a-record']);
    });
    it('a tail that was cut off', async () => {
      put(linesOf().slice(0, 3));
      assert.deepEqual(await breaks(), ['0:4 cut']);
    });
    it('a tail cut in the middle of a line', async () => {
      const whole = readFileSync(join(folder, files()[0] ?? ''), 'utf8');
      writeFileSync(join(folder, files()[0] ?? ''), whole.slice(0, -20));
      assert.deepEqual(await breaks(), ['0:5 cut']);
    });
    it('lines signed again with another key', async () => {
      let head = '0'.repeat(64);
      const forged = linesOf().map((line) => {
        const { mac: _, ...record } = JSON.parse(line);
        const signed = signedLine({ ...record, model: 'svc/other', prev: head }, Buffer.alloc(32, 8));
        head = signed.mac;
        return signed.line;
      });
      put(forged);
      assert.deepEqual(await breaks(), ['0:1 altered']);
    });
    it('a chain rebuilt with the key, shorter than it was anchored', async () => {
      let head = '0'.repeat(64);
      let seq = 0;
      const rebuilt = linesOf()
        .toSpliced(1, 2)
        .map((line) => {
          const { mac: _, ...record } = JSON.parse(line);
          seq += 1;
          const signed = signedLine({ ...record, seq, prev: head }, key);
          head = signed.mac;
          return signed.line;
        });
      put(rebuilt);
      assert.deepEqual(await breaks(), ['0:4 cut']);
    });
    it('a file that is gone', async () => {
      rmSync(join(folder, files()[0] ?? ''));
      const { breaks: found } = await verify();
      assert.deepEqual(
        found.map(({ reason }) => reason),
        ['missing'],
      );
    });
    it('any byte', async () => {
      const name = join(folder, files()[0] ?? '');
      const whole = readFileSync(name);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
          const changed = Buffer.from(whole);
          changed[at] = (changed[at] ?? 0) ^ by;
          writeFileSync(name, changed);
          assert.equal((await verify()).verdict, 'broken');
        }),
        { numRuns: 300 },
      );
    });
  });

  it('half a line that a crash left beyond the anchor is no sign of tampering', async () => {
    await writeFive();
    const name = files()[0] ?? '';
    writeFileSync(join(folder, name), `${readFileSync(join(folder, name), 'utf8')}{"seq":6,"ti`);
    const verdict = await verify();
    assert.deepEqual([verdict.verdict, verdict.halfLines], ['intact', [name]]);
  });

  it('a file that is ahead of its anchor verifies: the anchor comes after', async () => {
    const log = await writeFive();
    const anchored = anchors.get(log.session);
    await log.record(intent('c'));
    await log.flush();
    assert.ok(anchored);
    anchors.set(log.session, anchored);
    assert.equal((await verify()).verdict, 'intact');
  });

  it('begins the next file by size and by day, and the chain goes on', async () => {
    let now = new Date('2026-03-01T23:59:59Z');
    const log = begin({ maxFileBytes: 600, now: () => now });
    for (const request of ['a', 'b', 'c', 'd']) await log.record(intent(request));
    const before = files().length;
    assert.ok(before >= 2);
    now = new Date('2026-03-02T00:00:00Z');
    await log.record(intent('e'));
    await log.flush();
    assert.equal(files().length, before + 1);
    assert.equal((await verify()).verdict, 'intact');
    rmSync(join(folder, files()[1] ?? ''));
    assert.deepEqual(await breaks(), ['1:1 out-of-order']);
  });

  describe('a disk that fails', () => {
    /** The real files, with a write that fails as the test says. */
    const failing =
      (fault: () => 'none' | 'full' | 'short' | 'sync'): OpenAppendFile =>
      async (path) => {
        const file = await openAppendFile(path);
        const failed: AppendFile = {
          ...file,
          write: async (bytes) => {
            if (fault() === 'full') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
            return file.write(fault() === 'short' ? bytes.subarray(0, 30) : bytes);
          },
          sync: async () => {
            if (fault() === 'sync') throw Object.assign(new Error('io'), { code: 'EIO' });
            await file.sync();
          },
        };
        return failed;
      };

    for (const [fault, reason] of [
      ['full', 'ENOSPC'],
      ['short', 'ENOSPC'],
      ['sync', 'EIO'],
    ] as const) {
      it(`${fault}: the record is refused and undone, and the log goes on when it can`, async () => {
        let now: 'none' | typeof fault = 'none';
        const log = begin({ openFile: failing(() => now) });
        await log.record(intent('a'));
        const size = statSync(join(folder, files()[0] ?? '')).size;
        now = fault;
        await assert.rejects(log.record(outcome('a')), (error: unknown) => {
          assert.ok(isServiceError(error));
          assert.deepEqual(
            [error.kind, error.code, error.reason, error.file],
            ['gate', 'audit-unwritable', reason, folder],
          );
          return true;
        });
        assert.equal(statSync(join(folder, files()[0] ?? '')).size, size);
        now = 'none';
        await log.record(outcome('a'));
        await log.flush();
        assert.deepEqual([(await verify()).verdict, linesOf().length], ['intact', 3]);
      });
    }

    it('from the first record on: nothing but an empty file is left, and it begins when it can', async () => {
      let now: 'none' | 'full' = 'full';
      const log = begin({ openFile: failing(() => now) });
      await assert.rejects(log.record(intent('a')));
      now = 'none';
      await log.record(intent('a'));
      await log.flush();
      assert.deepEqual([(await verify()).verdict, linesOf().length, files().length], ['intact', 2, 1]);
    });

    it('a folder that cannot be made, and a key that cannot be had', async () => {
      writeFileSync(folder, 'a file');
      await assert.rejects(begin().record(intent('a')), { code: 'audit-unwritable' });
      rmSync(folder);
      const locked = begin({ key: () => Promise.reject(new Error('locked')) });
      await assert.rejects(locked.record(intent('a')), { code: 'audit-unwritable' });
    });
  });

  describe('several processes', () => {
    const worker = join(import.meta.dirname, 'auditWorker.ts');

    it('killed between intent and outcome: the next start records the outcome as unknown, once', async () => {
      const child = fork(worker, [folder, 'hang', '1']);
      await once(child, 'message');
      child.kill('SIGKILL');
      await once(child, 'exit');
      for (let starts = 0; starts < 2; starts += 1) await begin().record(intent(`next ${starts}`));
      const { records } = await readAuditLog(folder);
      const unknown = records.filter((record) => record.kind === 'request-outcome' && record.outcome === 'unknown');
      assert.deepEqual(
        unknown.map((record) => 'request' in record && record.request),
        ['1-0'],
      );
      assert.equal((await verify()).verdict, 'intact');
    });

    it('what another window is still waiting for is not called unknown', async () => {
      const child = fork(worker, [folder, 'hang', '1']);
      await once(child, 'message');
      await begin().record(intent('mine'));
      const { records } = await readAuditLog(folder);
      assert.ok(records.every(({ kind }) => kind !== 'request-outcome'));
      child.kill('SIGKILL');
      await once(child, 'exit');
    });

    it('two windows with 500 sends each: all chains verify, nothing is lost', async () => {
      const children = ['1', '2'].map((name) => fork(worker, [folder, 'send', name]));
      await Promise.all(children.map((child) => once(child, 'exit')));
      const verdict = await verify();
      assert.deepEqual([verdict.verdict, verdict.files, verdict.records], ['intact', 2, 2002]);
      const { records, badLines } = await readAuditLog(folder);
      const outcomes = new Set(
        records.flatMap((record) => (record.kind === 'request-outcome' ? [record.request] : [])),
      );
      assert.deepEqual([outcomes.size, badLines], [1000, 0]);
    }).timeout(20_000);
  });

  it('is exported as it is, and as a spreadsheet that runs no formula', async () => {
    const log = begin();
    await log.record(intent('=HYPERLINK("http://x","y")', 'a,"b"\nc'));
    await log.record(outcome('x'));
    assert.equal(await auditAsJsonl(folder), readFileSync(join(folder, files()[0] ?? ''), 'utf8'));
    const csv = auditAsCsv((await readAuditLog(folder)).records);
    const [head, , row] = csv.split('\r\n');
    assert.match(head ?? '', /^time,session,seq,kind,request,/);
    assert.ok(row?.includes(`"'=HYPERLINK(""http://x"",""y"")"`));
    assert.ok(csv.includes('"a,""b""\nc"'));
    assert.ok(csv.includes('Svc-Security-Level: high (user)'));
  });

  it('is removed on request', async () => {
    await writeFive();
    assert.equal(await purgeAuditFiles(folder), 1);
    assert.deepEqual(files(), []);
  });
});
