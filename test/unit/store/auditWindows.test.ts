import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { auditFileName, stampOf } from '../../../src/store/audit/auditFiles.ts';
import { type AuditRecord, chainStart, signedLine } from '../../../src/store/audit/auditLine.ts';
import type { AuditAnchor } from '../../../src/store/audit/auditLog.ts';
import { AuditBench, intent, key } from './auditSamples.ts';

describe('store: the audit log of several windows', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  const worker = join(import.meta.dirname, 'auditWorker.ts');

  it('killed between intent and outcome: the next start records the outcome as unknown, once', async () => {
    const child = fork(worker, [audit.folder, 'hang', '1']);
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (let starts = 0; starts < 2; starts += 1) await audit.begin().record(intent(`next ${starts}`));
    const { records } = await readAuditLog(audit.folder);
    const unknown = records.filter((record) => record.kind === 'request-outcome' && record.outcome === 'unknown');
    assert.deepEqual(
      unknown.map((record) => 'request' in record && record.request),
      ['1-0'],
    );
    assert.equal((await audit.verify()).verdict, 'intact');
  });

  it('requests that another window is still waiting for are not recorded as unknown', async () => {
    const child = fork(worker, [audit.folder, 'hang', '1']);
    await once(child, 'message');
    await audit.begin().record(intent('mine'));
    const { records } = await readAuditLog(audit.folder);
    assert.ok(records.every(({ kind }) => kind !== 'request-outcome'));
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('two windows with 500 sends each: all chains verify, nothing is lost', async () => {
    const children = ['1', '2'].map((name) => fork(worker, [audit.folder, 'send', name]));
    for (const child of children) {
      child.on('message', ([session, anchor]: [string, AuditAnchor]) => audit.anchors.set(session, anchor));
    }
    const ends = await Promise.all(children.map((child) => once(child, 'exit')));
    assert.deepEqual(
      [ends.map(([code]) => code), [...audit.anchors.values()].map(({ count }) => count)],
      [
        [0, 0],
        [1001, 1001],
      ],
    );
    const verdict = await audit.verify();
    assert.deepEqual([verdict.verdict, verdict.files, verdict.records], ['intact', 2, 2002]);
    const { records, badLines } = await readAuditLog(audit.folder);
    const outcomes = new Set(records.flatMap((record) => (record.kind === 'request-outcome' ? [record.request] : [])));
    assert.deepEqual([outcomes.size, badLines], [1000, 0]);
  });

  it('a session with a reused process number has ended, and an unreadable file hides none', async () => {
    const began = new Date(performance.timeOrigin - 60_000);
    const session = '11111111-2222-4333-8444-555555555555';
    const link = (seq: number, prev: string) => ({ seq, time: began.toISOString(), session, prev });
    const started: AuditRecord = { ...link(1, chainStart), kind: 'session-started', versions: {}, pid: process.pid };
    const first = signedLine(started, key);
    const second = signedLine({ ...link(2, first.mac), ...intent('left') }, key);
    mkdirSync(audit.folder);
    writeFileSync(join(audit.folder, auditFileName(stampOf(began), session, 1)), `${first.line}\n${second.line}\n`);
    const unreadable = auditFileName(stampOf(began), session.replace('1', '0'), 1);
    mkdirSync(join(audit.folder, unreadable));
    await audit.begin().record(intent('next'));
    rmSync(join(audit.folder, unreadable), { recursive: true });
    const { records } = await readAuditLog(audit.folder);
    assert.deepEqual(
      records.flatMap((record) => (record.kind === 'request-outcome' ? [[record.request, record.outcome]] : [])),
      [['left', 'unknown']],
    );
    assert.equal((await audit.verify()).verdict, 'intact');
  });
});
