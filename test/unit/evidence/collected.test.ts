import assert from 'node:assert/strict';
import type { VerifyOptions } from '../../../src/evidence/verify/part.ts';
import { type Verdict, verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { EvidenceLog, sampleLog } from '../../tools/evidenceLog.ts';
import { type FolderFiles, withFolder } from './folders.ts';

const now = Date.parse('2026-11-02T12:00:00.000Z');
const verify = (files: FolderFiles, options: Omit<VerifyOptions, 'paths'> = {}): Promise<Verdict> =>
  withFolder(files, (folder) => verifyEvidence({ now, ...options, paths: [folder], isCollected: true }));

const named = ({ breaks }: Verdict) => breaks.map(({ reason, of }) => `${reason} ${of}`);
const noted = ({ notes }: Verdict) => notes.map(({ reason, of }) => `${reason} ${of}`);
const allLines = (log: EvidenceLog): readonly string[] => [...log.files().values()].flat();

/** The same order for the same number. */
function shuffled(lines: readonly string[], seed: number): readonly string[] {
  let state = seed;
  const keyed = lines.map((line) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return [state, line] as const;
  });
  return keyed.sort(([a], [b]) => a - b).map(([, line]) => line);
}

describe('the verification of collected lines', () => {
  it('takes lines in any order, every third twice, in files of any name and folder', async () => {
    const log = sampleLog('collected', { sessions: 3, records: 40 });
    const lines = shuffled(
      allLines(log).flatMap((line, index) => (index % 3 === 0 ? [line, line] : [line])),
      7,
    );
    const half = lines.length >> 1;
    for (const files of [
      [['all', lines]],
      [
        ['a/b/svc.log', lines.slice(0, half)],
        ['c', lines.slice(half)],
      ],
    ] as FolderFiles[]) {
      const found = await verify(files);
      assert.deepEqual([found.breaks, found.notes, found.verdict, found.records], [[], [], 'intact', 3 * 41]);
    }
  });

  it('names lines that were lost on the way, and notes those that may still come', async () => {
    const log = sampleLog('lost');
    const [session] = log.sessions;
    const id = session?.id;
    const without = (first: number, last: number) =>
      allLines(log).filter((line) => !(session?.lines.slice(first - 1, last) ?? []).includes(line));
    assert.deepEqual(named(await verify([['a', without(10, 12)]])), [`gap ${id} 10-12`]);
    assert.deepEqual(named(await verify([['a', without(18, 21)]])), [`cut ${id} 18-21`]);
    assert.deepEqual(named(await verify([['a', without(1, 21)]])), [`missing ${id}`]);
    const early = { now: Date.parse('2026-11-02T08:02:00.000Z') };
    for (const [first, last, of] of [
      [10, 12, `${id} 10-12`],
      [18, 21, `${id} 18-21`],
      [1, 21, `${id}`],
    ] as const) {
      const found = await verify([['a', without(first, last)]], early);
      assert.deepEqual([named(found), noted(found)], [[], [`late ${of}`]]);
      assert.equal((await verify([['a', without(first, last)]], { ...early, grace: 1_000 })).verdict, 'broken');
    }
    // A clock that is far ahead does not make lines late for ever.
    const past = { now: Date.parse('2026-10-01T08:00:00.000Z') };
    assert.deepEqual(named(await verify([['a', without(18, 21)]], past)), [`cut ${id} 18-21`]);
    // The ledger's own lines.
    const ledger = allLines(log).filter((line) => !line.includes('"ledger":') || !line.includes('"seq":5,'));
    assert.ok(named(await verify([['a', ledger]])).includes(`gap ${log.origin} 5-5`));
    assert.ok(noted(await verify([['a', ledger]], early)).includes(`late ${log.origin} 5-5`));
    const noStart = allLines(log).filter((line) => !line.includes(`"${id}"`) || !line.includes('"root"'));
    assert.ok(named(await verify([['a', noStart]])).length > 0);
  });

  it('notes a session that is not in the ledger yet', async () => {
    const log = sampleLog('young');
    const session = log.session();
    session.record(2);
    const found = await verify([['a', allLines(log)]], { now: Date.parse('2026-11-02T08:05:00.000Z') });
    assert.deepEqual([named(found), noted(found)], [[], [`late ${session.id}`]]);
    assert.deepEqual(named(await verify([['a', allLines(log)]])), [`not-in-ledger ${session.id}`]);
  });

  it('notes a ledger line that was shipped and then lost with the power', async () => {
    const log = new EvidenceLog('power').open();
    const session = log.session();
    session.record(2);
    session.head('start');
    log.sign();
    const before = [...log.lines];
    const lost = sampleLost('power', before);
    session.record(2);
    session.head();
    log.sign();
    const found = await verify([['a', [...allLines(log), ...lost]]]);
    assert.deepEqual([named(found), noted(found)], [[], [`superseded ${log.origin} 3-3`]]);
  });

  it('finds a machine that was cloned with its key, and a session that was rewritten', async () => {
    const log = sampleLog('clone', { sessions: 1, records: 16 });
    const clone = sampleLog('clone', { sessions: 1, records: 16, every: 5 });
    const found = await verify([
      ['a', allLines(log)],
      ['b', clone.lines],
    ]);
    assert.deepEqual(
      found.breaks.map(({ reason, file, other }) => [reason, file === 'a' || file === 'b', other !== undefined]),
      [
        ['fork', true, true],
        ['fork', true, true],
      ].slice(0, found.breaks.length),
    );
    assert.ok(
      found.breaks.some(({ of }) => of.startsWith(`${log.origin} 3-`)),
      named(found).join(),
    );
    // One changed line beside the signed one.
    const id = log.sessions[0]?.id;
    const line = log.sessions[0]?.lines[8] ?? '';
    const beside = await verify([
      ['a', [...allLines(log), line.replace('"status":200', '"status":500').replace('900', '901')]],
    ]);
    assert.deepEqual(named(beside), [`fork ${id} 9-9`]);
    const [only] = beside.breaks;
    assert.deepEqual([only?.line, only?.other?.line], [allLines(log).length + 1, 9]);
  });

  it('names text that is not a line of a log', async () => {
    const log = sampleLog('other');
    const found = await verify([['a', [...allLines(log), 'Nov  2 rsyslogd: start']]]);
    assert.deepEqual(named(found), ['not-a-record ']);
    const half = await verify([['a', `${allLines(log).join('\n')}\n{"v":2`]]);
    assert.deepEqual([named(half), noted(half)], [[], ['half-line a']]);
  });

  it('looks at the signature of a checkpoint that no later one speaks for', async () => {
    const log = sampleLog('forged');
    const [origin = '', size = '', root = ''] = log.words().split(' ');
    const forged = (number: string) => {
      const note = `${origin}\n${number}\n${root}\n\n\u2014 ${origin} ${log.note
        .split(' ')
        .at(-1)
        ?.replace(/^(.{20})./, '$1A')}`;
      return JSON.stringify({ v: 2, ledger: origin, kind: 'checkpoint', note }).replaceAll('\u2014', '\\u2014');
    };
    const lines = allLines(log);
    const ownNumber = await verify([['a', [...lines.slice(0, -1), forged(size)]]]);
    assert.deepEqual(named(ownNumber), [`signature ${origin}`]);
    assert.deepEqual(named(await verify([['a', [...lines, forged('4')]]])), [`signature ${origin}`]);
    assert.deepEqual(named(await verify([['a', [...lines, forged('99')]]])), [`signature ${origin}`]);
  });
});

/** The lines of a turn that was never synced: another head after the same lines. */
function sampleLost(seed: string, before: readonly string[]): readonly string[] {
  const other = new EvidenceLog(seed).open();
  const session = other.session();
  session.record(2);
  session.head('start');
  other.sign();
  assert.deepEqual(other.lines, before);
  session.record(1);
  session.head('recovered');
  return other.lines.slice(-1);
}
