import assert from 'node:assert/strict';
import { parseCheckpoint } from '../../../src/evidence/checkpoint.ts';
import { leafOf, lineOf } from '../../../src/evidence/line.ts';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { parseSeen } from '../../../src/evidence/verify/seen.ts';
import { type Verdict, verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { makeReport } from '../../../tools/report/machines.ts';
import { EvidenceLog, type MadeSession, sampleLog } from '../../tools/evidenceLog.ts';
import { withFolder } from './folders.ts';

const now = Date.parse('2026-11-02T12:00:00.000Z');
const young = new Date(now - 1_000).toISOString();

const linesOf = (log: EvidenceLog): readonly string[] => [...log.files().values()].flat();
const policyOf = ({ signer }: EvidenceLog) => parsePolicy(Buffer.from(`log ${signer.vkey}\nquorum none\n`));
const keptOf = ({ note }: EvidenceLog) => [{ ...(parseCheckpoint(note) ?? assert.fail()), file: 'kept', line: 2 }];
const seenOf = (log: EvidenceLog) => parseSeen(log.words(), 'seen');

type Kept = 'nothing' | 'checkpoint' | 'seen';

const verify = (log: EvidenceLog, lines: readonly string[], kept: Kept = 'nothing'): Promise<Verdict> =>
  withFolder([['all', lines]], (folder) =>
    verifyEvidence({
      ...{ paths: [folder], policy: policyOf(log), now, isCollected: true },
      ...(kept === 'checkpoint' ? { checkpoints: keptOf(log) } : {}),
      ...(kept === 'seen' ? { seen: seenOf(log) } : {}),
    }),
  );
const named = ({ breaks }: Verdict) => breaks.map(({ reason, of }) => `${reason} ${of}`);
const noted = ({ notes }: Verdict) => notes.map(({ reason, of }) => `${reason} ${of}`);

/** What anyone can add: a line with a number, a time and a hash of their choice. */
const forgedIn = (name: object, seq: number, prev = 'ab'.repeat(32), time = young): string =>
  lineOf({ v: 2, ...name, seq, time, kind: 'log-verified', prev }) ?? assert.fail();
const forgedSession = ({ id }: MadeSession, seq: number, prev?: string): string => forgedIn({ session: id }, seq, prev);
const forgedHead = (log: EvidenceLog, seq: number, prev = 'ab'.repeat(32)): string => {
  const of = { session: log.sessions[0]?.id, size: 1, root: Buffer.alloc(32).toString('base64'), why: 'time' };
  return lineOf({ v: 2, ledger: log.origin, seq, time: young, kind: 'head', ...of, prev }) ?? assert.fail();
};

describe('lines that are missing in a collection', () => {
  it('are not late because somebody added a young line behind them that nobody signed', async () => {
    const log = sampleLog('forged', { sessions: 1, records: 105 });
    const [session = assert.fail()] = log.sessions;
    const lost = new Set(session.lines.slice(6));
    const left = [...linesOf(log).filter((line) => !lost.has(line)), forgedSession(session, 107)];
    for (const kept of ['nothing', 'checkpoint', 'seen'] as const)
      assert.deepEqual(named(await verify(log, left, kept)), [`gap ${session.id} 7-106`]);
    // Behind the end, a line is no part of the session, with or without a gap before it.
    session.head('end');
    log.sign();
    for (const seq of [107, 109])
      assert.ok(
        named(await verify(log, [...linesOf(log), forgedSession(session, seq)]))
          .join()
          .includes('not-in-ledger'),
      );
  });

  it('missing lines of a ledger are not late either, and a saved state is not skipped', async () => {
    const log = sampleLog('gutted', { sessions: 3, records: 16 });
    const isContent = (line: string) => /^\{"v":2,"ledger":"[^"]*","seq":/.test(line);
    const size = log.lines.filter(isContent).length;
    assert.equal(size, 10);
    const isGone = (line: string) => isContent(line) && Number(/"seq":(\d+)/.exec(line)?.[1]) > 2;
    const left = linesOf(log).filter((line) => !isGone(line));
    const gutted = left.filter((line) => !line.startsWith('{"v":2,"session"'));
    // Without its checkpoints, only what was kept shows that there were more.
    const bare = gutted.filter((line, index) => isContent(line) || index < 4);
    for (const seq of [3, 11, 5_000]) {
      const lines = [...gutted, forgedHead(log, seq)];
      for (const kept of ['nothing', 'checkpoint', 'seen'] as const)
        assert.notEqual((await verify(log, lines, kept)).verdict, 'intact', `${seq} ${kept}`);
      for (const kept of ['checkpoint', 'seen'] as const) {
        const found = named(await verify(log, [...bare, forgedHead(log, seq)], kept)).join();
        assert.match(found, /rollback|fork/, `${seq} ${kept}`);
      }
    }
    const report = await withFolder([['a/x', [...bare, forgedHead(log, 11)]]], (collected) =>
      makeReport({
        collected,
        policy: policyOf(log),
        seen: seenOf(log),
        silentDays: 7,
        grace: 900_000,
        now: now + 1e10,
      }),
    );
    assert.deepEqual(
      report.machines.map(({ state }) => state),
      ['rolled-back'],
    );
  });

  it('missing lines of a ledger are reported even if later lines are linked to a line without a predecessor', async () => {
    const log = sampleLog('beside', { sessions: 1, records: 40 });
    const content = log.lines.filter((line) => /^\{"v":2,"ledger":"[^"]*","seq":/.test(line));
    const lost = new Set(content.slice(4));
    const forged: string[] = [forgedHead(log, 4)];
    for (let seq = 5; seq <= content.length + 1; seq += 1)
      forged.push(forgedHead(log, seq, leafOf(forged.at(-1) ?? '').toString('hex')));
    const left = [...linesOf(log).filter((line) => !lost.has(line)), ...forged];
    for (const kept of ['nothing', 'checkpoint', 'seen'] as const)
      assert.equal((await verify(log, left, kept)).verdict, 'broken', kept);
    const bare = left.filter((line) => !line.includes('"kind":"checkpoint"') || line === log.lines[2]);
    for (const kept of ['checkpoint', 'seen'] as const)
      assert.equal((await verify(log, bare, kept)).verdict, 'broken', kept);
  });

  it('are late if only young signatures have them, also those that the next ledger has', async () => {
    const log = new EvidenceLog('young', { time: now - 600_000 }).open();
    const session = log.session();
    session.head('start');
    session.record(8);
    session.head();
    log.sign();
    const without = (...numbers: readonly number[]) =>
      linesOf(log).filter((line) => !numbers.some((number) => line === session.lines[number - 1]));
    assert.equal(noted(await verify(log, without(3, 4)))[0], `late ${session.id} 3-4`);
    assert.deepEqual(named(await verify(log, without(3, 4))), []);
    const next = new EvidenceLog('young, next', { time: now - 300_000 });
    log.add({ kind: 'closed', next: next.signer.vkey });
    log.sign();
    const [origin = '', size = '', root = ''] = log.words().split(' ');
    next.open({ origin, size: Number(size), root });
    next.sign();
    const all = [...linesOf(log), ...linesOf(next)];
    assert.deepEqual(named(await verify(log, all)), []);
    const closing = log.lines.slice(-2);
    const early = await verify(
      log,
      all.filter((line) => !closing.includes(line)),
    );
    assert.deepEqual([named(early), noted(early)[0]], [[], `late ${log.origin} 4-4`]);
    const later = await withFolder([['all', all.filter((line) => !closing.includes(line))]], (folder) =>
      verifyEvidence({ paths: [folder], policy: policyOf(log), now: now + 3_600_000, isCollected: true }),
    );
    assert.ok(named(later).includes(`rollback ${log.origin} 4-4`));
  });

  it('do not make a machine look busy: the last line of a ledger is the last that is signed', async () => {
    const log = sampleLog('quiet', { sessions: 1, records: 8 });
    const last = leafOf(log.lines.findLast((line) => line.includes('"prev"')) ?? '').toString('hex');
    const { ledgers, verdict } = await verify(log, [...linesOf(log), forgedHead(log, 4, last)]);
    assert.deepEqual([verdict, ledgers[0]?.lastTime?.slice(0, 13)], ['intact', '2026-11-02T08']);
  });
});
