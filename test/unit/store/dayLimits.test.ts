import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { DayLimits } from '../../../src/policy/managed/dayLimits.ts';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { DayCounter } from '../../../src/store/audit/dayLimits.ts';
import { DayUsage, dayOf, tokensOf } from '../../../src/store/audit/dayUsage.ts';
import type { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { AuditBench, intent, outcome } from './auditSamples.ts';

const file = '/etc/svc/policy.json';

describe('store: the daily limits', () => {
  let audit: AuditBench;
  let clock: Date;
  let zone: string | undefined;
  const now = (): Date => clock;
  beforeEach(() => {
    audit = new AuditBench();
    clock = new Date();
    zone = process.env.TZ;
  });
  afterEach(() => {
    audit.clear();
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  /** A window: its log, and its counter. */
  const open = (more: object = {}) => {
    const log = audit.begin({ now, ...more });
    const counter = new DayCounter({ folder: audit.folder, lockFolder: audit.root, now });
    return { log, counter };
  };
  type Window = ReturnType<typeof open>;
  let count = 0;
  /** Sends a request. Returns what is said of the limits, or the reason why it is refused. */
  const send = async (
    { log, counter }: Pick<Window, 'log' | 'counter'>,
    limits: Omit<DayLimits, 'file'>,
    end: Partial<Extract<AuditEntry, { kind: 'request-outcome' }>> | null = {},
  ): Promise<unknown> => {
    count += 1;
    const request = `request-${count}`;
    try {
      const near = await counter.reserve({ ...limits, file }, () => log.record(intent(request)));
      if (end !== null) await log.record({ ...outcome(request), ...end } as AuditEntry);
      return near.map(({ what, used, limit }) => `${what} ${used}/${limit}`).join();
    } catch (error) {
      assert.ok(isServiceError(error), String(error));
      assert.ok(error.kind === 'gate');
      if (error.code !== 'day-limit') return `${error.code} ${error.reason}`;
      const { what, used, limit, endsAt } = error.details.dayLimit ?? assert.fail();
      assert.deepEqual([error.file, endsAt], [file, dayOf(clock).end]);
      return `refused ${what} ${used}/${limit}`;
    }
  };
  /** The requests in the log, by their day. */
  const days = async (): Promise<Readonly<Record<string, number>>> => {
    const found: Record<string, number> = {};
    for (const { kind, time } of (await readAuditLog(audit.folder)).records) {
      const { start } = dayOf(new Date(time));
      if (kind === 'request-intent') found[start] = (found[start] ?? 0) + 1;
    }
    return found;
  };

  it('a limit of requests is announced at 80 %, and reached at 100 %', async () => {
    const window = open();
    const said: unknown[] = [];
    for (let index = 0; index < 7; index += 1) said.push(await send(window, { requests: 5 }));
    assert.deepEqual(said, [
      '',
      '',
      '',
      'requests 4/5',
      'requests 5/5',
      'refused requests 5/5',
      'refused requests 5/5',
    ]);
    assert.deepEqual(Object.values(await days()), [5]);
    // A higher limit counts what was sent before, also without a limit.
    await window.log.record(intent('without'));
    assert.equal(await send(window, { requests: 8 }), 'requests 7/8');
    assert.equal(await send(open(), { requests: 8 }), 'requests 8/8');
    assert.equal(await send(open(), { requests: 8 }), 'refused requests 8/8');
  });

  it('a limit of tokens counts those of the service, or else estimates', async () => {
    const window = open();
    // Until the answer is there, a request of 100 bytes counts as 32 tokens.
    assert.equal(await send(window, { tokens: 100 }, { totalTokens: 40 }), '');
    const uncounted = { totalTokens: undefined, promptTokens: 30, completionTokens: 11 } as object;
    assert.equal(await send(window, { tokens: 100 }, uncounted), '');
    assert.equal(await send(window, { tokens: 100 }, { totalTokens: 7 }), 'tokens 113/100');
    const estimated = { totalTokens: undefined, estimatedTokens: 12 } as object;
    assert.equal(await send(window, { tokens: 100 }, estimated), 'tokens 120/100');
    assert.equal(await send(window, { tokens: 100 }), 'refused tokens 100/100');
    assert.deepEqual(await new DayUsage(audit.folder).read(dayOf(clock)), { requests: 4, tokens: 100, estimated: 12 });
  });

  it('a limit of tokens is exceeded at most by the answers in flight, whose requests count as an estimate', async () => {
    const window = open();
    // A request of 100 bytes is 32 tokens.
    assert.equal(await send(window, { tokens: 64 }, null), '');
    assert.equal(await send(window, { tokens: 64 }, null), 'tokens 64/64');
    assert.equal(await send(window, { tokens: 64 }, null), 'refused tokens 64/64');
  });

  it('count no tokens that a service makes up to lower the sum, and the estimate if it sends zeros or fails', () => {
    const of = (more: object) => tokensOf({ ...outcome('a'), totalTokens: undefined, ...more } as object);
    assert.equal(of({ outcome: 'failed' }), null);
    assert.deepEqual(of({ outcome: 'failed', estimatedTokens: 0 }), { tokens: 0, isEstimated: true });
    for (const zeros of [{ totalTokens: 0 }, { promptTokens: 0, completionTokens: 0 }, { completionTokens: 5 }]) {
      assert.equal(of(zeros), null);
      assert.deepEqual(of({ ...zeros, estimatedTokens: 9 }), { tokens: 9, isEstimated: true });
    }
    assert.deepEqual(of({ totalTokens: 0, promptTokens: 5, completionTokens: 2 }), { tokens: 7, isEstimated: false });
    assert.equal(of({}), null);
    assert.equal(of({ totalTokens: -5 }), null);
    assert.deepEqual(of({ totalTokens: -5, estimatedTokens: 9 }), { tokens: 9, isEstimated: true });
    assert.equal(of({ promptTokens: 5, completionTokens: -500 }), null);
    assert.deepEqual(of({ totalTokens: 1e308 }), { tokens: Number.MAX_SAFE_INTEGER, isEstimated: false });
    assert.deepEqual(of({ totalTokens: 0.2 }), { tokens: 1, isEstimated: false });
    assert.deepEqual(of({ estimatedTokens: -1e9 }), { tokens: 0, isEstimated: true });
  });

  it('end at midnight in UTC, in every time zone and on days of 23 and of 25 hours', () => {
    for (const timeZone of ['UTC', 'Europe/Berlin', 'America/Havana', 'Pacific/Kiritimati']) {
      process.env.TZ = timeZone;
      for (const date of ['2026-03-08', '2026-03-29', '2026-10-25', '2026-11-01']) {
        const start = Date.parse(`${date}T00:00:00Z`);
        const end = start + 86_400_000;
        assert.deepEqual(dayOf(new Date(start)), { start, end });
        assert.deepEqual(dayOf(new Date(end - 1)), { start, end });
        assert.equal(dayOf(new Date(end)).start, end);
      }
    }
  });

  it('hold in windows that were started with another time zone', async () => {
    clock = new Date('2026-11-28T14:59:00Z');
    assert.equal(await send(open(), { requests: 1 }), 'requests 1/1');
    clock = new Date('2026-11-28T15:00:30Z');
    for (const timeZone of ['Asia/Tokyo', 'Europe/Berlin', 'Pacific/Kiritimati']) {
      process.env.TZ = timeZone;
      assert.equal(await send(open(), { requests: 1 }), 'refused requests 1/1');
    }
  });

  it('hold for each day while the clock is set back and forward over midnight', async () => {
    const midnight = dayOf(clock).end;
    const windows = [open(), open()];
    const at = async (ms: number, index: number): Promise<unknown> => {
      clock = new Date(midnight + ms);
      return send(windows[index] ?? assert.fail(), { requests: 2 });
    };
    const [before, after] = [-60_000, 60_000];
    assert.equal(await at(before, 0), '');
    assert.equal(await at(after, 0), '');
    // Set back: the other window sees the request that is dated to the next day, and does not count it.
    assert.equal(await at(before, 1), 'requests 2/2');
    assert.equal(await at(before, 0), 'refused requests 2/2');
    // The day that the clock was ahead of.
    assert.equal(await at(after, 1), 'requests 2/2');
    assert.equal(await at(after, 0), 'refused requests 2/2');
    assert.equal(await at(before, 1), 'refused requests 2/2');
    // Two days back, and into the next year.
    assert.equal(await at(before - 48 * 3_600_000, 0), '');
    assert.equal(await at(after + 364 * 86_400_000, 1), '');
    assert.equal(await at(after, 1), 'refused requests 2/2');
    assert.ok(Object.values(await days()).every((requests) => requests <= 2));
    for (const window of windows) assert.equal(await send(window, { requests: 2 }), 'refused requests 2/2');
  });

  it('hold if midnight passes while a request is recorded', async () => {
    const { end } = dayOf(clock);
    const window = open();
    clock = new Date(end + 1_000);
    await send(window, { requests: 1 });
    clock = new Date(end - 1_000);
    const late = window.counter.reserve({ requests: 1, file }, async () => {
      clock = new Date(end + 1_000);
      await window.log.record(intent('late'));
    });
    await assert.rejects(late, { code: 'day-limit' });
  });

  it('hold if another process took the lock of a window that slept', async () => {
    const [first, second] = [open(), open()];
    const slept = first.counter.reserve({ requests: 1, file }, async () => {
      // As after a long sleep: the lock is gone, and the other window has sent.
      rmSync(join(audit.root, 'limits.lock'));
      assert.equal(await send(second, { requests: 1 }), 'requests 1/1');
      await first.log.record(intent('slept'));
    });
    await assert.rejects(slept, { code: 'day-limit' });
  });

  it('count a log whose files another window begins and ends', async () => {
    const [small, other] = [open({ maxFileBytes: 500, maxSessionLines: 7 }), open()];
    for (let index = 0; index < 20; index += 1) await send(index % 2 === 0 ? small : other, { requests: 100 });
    assert.ok(readdirSync(audit.folder).length > 8);
    assert.equal(await send(other, { requests: 21 }), 'requests 21/21');
    assert.equal(await send(small, { requests: 21 }), 'refused requests 21/21');
    assert.equal(await send(open(), { requests: 21 }), 'refused requests 21/21');
  });

  it('still hold in a running window after the log was deleted; a new window counts from zero', async () => {
    const window = open();
    for (let index = 0; index < 3; index += 1) await send(window, { requests: 3 });
    rmSync(audit.folder, { recursive: true });
    assert.equal(await send(window, { requests: 3 }), 'refused requests 3/3');
    assert.equal(await send(window, { requests: 4 }), 'requests 4/4');
    assert.equal(await send(open(), { requests: 4 }), '');
    // The running window counts that one, too.
    assert.equal(await send(window, { requests: 5 }), 'refused requests 5/5');
  });

  it('count each request once, whatever others write into the folder', async () => {
    const window = open();
    await send(window, { requests: 9 });
    const [name = ''] = readdirSync(audit.folder).filter(
      (one) => one.endsWith('-0001.jsonl') && !one.startsWith('ledger'),
    );
    const path = join(audit.folder, name);
    // Every line twice, and lines that are no records.
    const { records } = await readAuditLog(audit.folder);
    appendFileSync(path, `${records.map((record) => JSON.stringify({ v: 2, ...record })).join('\n')}\nnot a record\n`);
    const fake = { ...records[1], request: 'x', time: 'yesterday', bytes: 1e300 };
    appendFileSync(path, `${JSON.stringify(fake)}\n${JSON.stringify({ ...fake, time: null })}\n`);
    symlinkSync(name, join(audit.folder, name.replace('0001', '0002')));
    mkdirSync(join(audit.folder, name.replace('0001', '0003')));
    utimesSync(path, new Date(), new Date());
    assert.equal((await new DayUsage(audit.folder).read(dayOf(clock))).requests, 1);
    assert.equal(await send(window, { requests: 2 }), 'requests 2/2');
  });

  it('read no file of an earlier day', async () => {
    const window = open();
    for (let index = 0; index < 5; index += 1) await send(window, { requests: 100 });
    for (const name of audit.files()) chmodSync(join(audit.folder, name), 0o000);
    const usage = new DayUsage(audit.folder);
    const later = dayOf(new Date(clock.getTime() + 4 * 86_400_000));
    assert.equal((await usage.read(later)).requests, 0);
    assert.equal((await usage.read(later)).requests, 0);
  });

  it('hold after the files of the log were given an earlier time', async () => {
    const [window, other] = [open(), open()];
    for (let index = 0; index < 2; index += 1) await send(window, { requests: 3 });
    const touch = (): void => {
      for (const name of audit.files())
        utimesSync(join(audit.folder, name), new Date(2020, 1, 1), new Date(2020, 1, 1));
    };
    touch();
    assert.equal(await send(other, { requests: 3 }), 'requests 3/3');
    touch();
    for (const one of [window, other, open()]) assert.equal(await send(one, { requests: 3 }), 'refused requests 3/3');
  });

  it('send nothing while the log cannot be read, written or locked, and say why', async () => {
    const full: EvidenceLog['record'] = () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    const window = open();
    const log = { ...window, log: { record: full } as unknown as EvidenceLog };
    assert.equal(await send(log, { requests: 9 }), 'audit-unwritable ENOSPC');
    rmSync(audit.folder, { recursive: true, force: true });
    writeFileSync(audit.folder, 'not a folder');
    assert.equal(await send(window, { requests: 9 }), 'audit-unwritable ENOTDIR');
    const lockFolder = join(audit.folder, 'locks');
    const locked = new DayCounter({ folder: audit.folder, lockFolder, now });
    assert.equal(await send({ ...window, counter: locked }, { requests: 9 }), 'audit-unwritable ENOTDIR');
    const recorded: string[] = [];
    const record = async (): Promise<number> => recorded.push('a request');
    await assert.rejects(locked.reserve({ requests: 9, file }, record), { code: 'audit-unwritable' });
    assert.deepEqual(recorded, []);
  });
});
