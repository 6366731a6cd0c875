import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { makeReport, type Report } from '../../../tools/report/machines.ts';
import { SeenLedger, UnusableLedger } from '../../../tools/report/seenLedger.ts';
import { EvidenceLog, sampleLog } from '../../tools/evidenceLog.ts';
import { withFolder } from './folders.ts';

const now = Date.parse('2026-11-03T08:00:00.000Z');

/** The ledger of reports in a folder, and its key. */
class Reports {
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-report-'));
  readonly seen = join(this.folder, 'seen');
  readonly key = join(this.folder, 'key');
  readonly log = sampleLog('seen', { records: 8 });

  open(options: { readonly maxLines?: number } = {}): Promise<SeenLedger> {
    return SeenLedger.open(this.seen, this.key, options);
  }

  /** Makes a report of one machine; returns its state, and the words to keep. */
  async report(log: EvidenceLog, options: { readonly maxLines?: number } = {}): Promise<readonly [string, string]> {
    await using ledger = await this.open(options);
    const found = await withFolder([['a/x', [...log.files().values()].flat()]], (collected): Promise<Report> => {
      const policy = parsePolicy(Buffer.from(`log ${this.log.signer.vkey}\nquorum none\n`));
      return makeReport({ collected, policy, seen: ledger.seen, silentDays: 7, grace: 900_000, now });
    });
    const keep = await ledger.record(found);
    return [found.machines[0]?.state ?? '', keep];
  }

  ledgers(): readonly string[] {
    return readdirSync(this.seen).filter((name) => name.endsWith('.jsonl'));
  }

  path(index = 0): string {
    return join(this.seen, this.ledgers()[index] ?? assert.fail());
  }

  async refuses(message: RegExp): Promise<void> {
    await assert.rejects(this.open(), (error) => error instanceof UnusableLedger && message.test(error.message));
    assert.ok(!existsSync(join(this.seen, 'report.lock')));
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

describe('the ledger of reports', () => {
  const [short, long, other] = [
    sampleLog('seen', { records: 8 }),
    sampleLog('seen', { records: 16 }),
    sampleLog('seen', { records: 16, every: 5 }),
  ];

  it('keeps what a report saw, signed: it is the measure of the next one', async () => {
    using reports = new Reports();
    const found: (readonly [string, string])[] = [];
    for (const log of [short, long, short, other, other, long]) found.push(await reports.report(log));
    assert.deepEqual(
      found.map(([state]) => state),
      ['intact', 'intact', 'rolled-back', 'forked', 'forked', 'intact'],
    );
    assert.match(found.at(-1)?.[1] ?? '', /^svc-coder-report\/[0-9a-f]{32} 7 \S{44}$/);
    assert.equal(statSync(reports.key).mode & 0o777, 0o600);
    // A ledger that was changed is not used.
    const text = readFileSync(reports.path(), 'utf8');
    for (const changed of [
      text.replace('"state":"intact"', '"state":"changed"'),
      text.replace(/\{"v":2[^\n]*"seq":3[^\n]*\n/, ''),
    ]) {
      assert.notEqual(changed, text);
      writeFileSync(reports.path(), changed);
      await reports.refuses(/not what earlier reports signed/);
    }
    writeFileSync(reports.path(), text);
    const foreign = new EvidenceLog('foreign').open();
    foreign.sign();
    writeFileSync(join(reports.seen, foreign.ledgerFile), foreign.lines.map((line) => `${line}\n`).join(''));
    await reports.refuses(/not what earlier reports signed/);
    rmSync(join(reports.seen, foreign.ledgerFile));
    assert.equal((await reports.report(long))[0], 'intact');
    appendFileSync(reports.key, 'x');
    await reports.refuses(/not a key of 64 hex digits/);
  });

  it('forgets a report that was stopped while it was written: no part of it was printed', async () => {
    using reports = new Reports();
    await reports.report(short);
    const text = readFileSync(reports.path(), 'latin1');
    await reports.report(long);
    const whole = readFileSync(reports.path(), 'latin1');
    for (let length = text.length; length < whole.length; length += 7) {
      writeFileSync(reports.path(), whole);
      truncateSync(reports.path(), length);
      await (await reports.open())[Symbol.asyncDispose]();
      assert.equal(readFileSync(reports.path(), 'latin1'), text);
    }
    assert.equal((await reports.report(long))[0], 'intact');
  });

  it('is for one report at a time', async () => {
    using reports = new Reports();
    {
      await using ledger = await reports.open();
      assert.deepEqual(ledger.seen, []);
      await assert.rejects(reports.open(), /report\.lock: another report is being made, or one was stopped/);
    }
    assert.equal((await reports.report(short))[0], 'intact');
  });

  it('does not begin again by itself: a key without its ledger is named, and a ledger without its key', async () => {
    using reports = new Reports();
    await reports.report(short);
    const away = join(reports.folder, 'away');
    const path = reports.path();
    renameSync(path, away);
    await reports.refuses(/the key .*key is here, and what it signed is not\. Put the ledger back, or delete the key/);
    renameSync(away, path);
    renameSync(reports.key, away);
    await reports.refuses(/the ledger is here, and its key .*key is not\. Put the key back, or move the ledger/);
    renameSync(away, reports.key);
    assert.equal((await reports.report(long))[0], 'intact');
    rmSync(reports.key);
    rmSync(path);
    assert.equal((await reports.report(short))[0], 'intact');
  });

  it('continues in another one when it is full, which follows it and knows the same', async () => {
    using reports = new Reports();
    const full = { maxLines: 4 };
    const states: string[] = [];
    for (const log of [short, long, short, other, long, long, long, short])
      states.push((await reports.report(log, full))[0]);
    assert.deepEqual(states, ['intact', 'intact', 'rolled-back', 'forked', ...Array(3).fill('intact'), 'rolled-back']);
    assert.equal(reports.ledgers().length, 4);
    const { verdict, ledgers } = await verifyEvidence({ paths: [reports.seen] });
    assert.deepEqual([verdict, ledgers.filter(({ follows }) => follows === null).length], ['intact', 1]);
    // One before it that is gone or changed is named.
    const first = ledgers.find(({ follows }) => follows === null)?.origin ?? '';
    const path = join(reports.seen, `ledger-${first.slice(-32)}-0001.jsonl`);
    const text = readFileSync(path, 'latin1');
    writeFileSync(path, text.split('\n').slice(0, 2).join('\n'));
    await reports.refuses(/not what earlier reports signed/);
    rmSync(path);
    await reports.refuses(/not what earlier reports signed/);
    writeFileSync(path, text, 'latin1');
    assert.equal((await reports.report(long, full))[0], 'intact');
  });

  it('finishes or forgets the change to another one where that was cut short', async () => {
    using reports = new Reports();
    const full = { maxLines: 3 };
    for (const log of [short, long]) await reports.report(log, full);
    const [old, key] = [readFileSync(reports.path(), 'latin1'), readFileSync(reports.key)];
    const oldPath = reports.path();
    await reports.report(long, full);
    const newPath =
      reports
        .ledgers()
        .map((name) => join(reports.seen, name))
        .find((name) => name !== oldPath) ?? '';
    const [closed, begun, next] = [
      readFileSync(oldPath, 'latin1'),
      readFileSync(newPath, 'latin1'),
      readFileSync(reports.key),
    ];
    // The new one as it was before the report was added.
    const at = begun.indexOf('\n', begun.indexOf('"kind":"checkpoint"')) + 1;
    const steps = [
      { old, key, isNamed: false, isClosed: false },
      { old: closed.slice(0, -9), key, isNamed: false, isClosed: false },
      { old: closed, key, isNamed: false, isClosed: true },
      { old: closed, key, isNamed: true, isClosed: true },
    ];
    for (const step of steps) {
      for (const name of readdirSync(reports.seen)) rmSync(join(reports.seen, name));
      writeFileSync(oldPath, step.old, 'latin1');
      writeFileSync(reports.key, step.key);
      writeFileSync(`${reports.key}.next`, next);
      writeFileSync(`${newPath}${step.isNamed ? '' : '.next'}`, begun.slice(0, at), 'latin1');
      await using ledger = await reports.open();
      assert.equal(ledger.seen.length, 1);
      assert.deepEqual(readdirSync(reports.folder).sort(), ['key', 'seen']);
      assert.equal(reports.ledgers().length, step.isClosed ? 2 : 1);
      assert.deepEqual(readFileSync(reports.key), step.isClosed ? next : key);
      assert.equal(readFileSync(oldPath, 'latin1'), step.isClosed ? closed : old);
    }
  });
});
