import assert from 'node:assert/strict';
import { leafOf } from '../../../src/evidence/line.ts';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { rootOf } from '../../../src/evidence/tree.ts';
import type { VerifyOptions } from '../../../src/evidence/verify/part.ts';
import { type Verdict, verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { EvidenceLog, type MadeSession, sampleLog } from '../../tools/evidenceLog.ts';
import { type FolderFiles, withFolder } from './folders.ts';

const verify = (files: FolderFiles, options: Omit<VerifyOptions, 'paths'> = {}): Promise<Verdict> =>
  withFolder(files, (folder) => verifyEvidence({ ...options, paths: [folder] }));
const named = ({ breaks }: Verdict) => breaks.map(({ reason, of }) => `${reason} ${of}`);
const noted = ({ notes }: Verdict) => notes.map(({ reason, of }) => `${reason} ${of}`);
const policyOf = (...logs: readonly EvidenceLog[]) =>
  parsePolicy(Buffer.from(`${logs.map(({ signer }) => `log ${signer.vkey}\n`).join('')}quorum none\n`));
const sessionFile = (log: EvidenceLog, index: number) => [...log.files().keys()][index] ?? assert.fail();
const later = { time: Date.parse('2026-11-03T08:00:00.000Z') };

const extentOf = ({ id, lines }: MadeSession, size = lines.length) => ({
  session: id,
  size,
  root: rootOf(lines.slice(0, size).map(leafOf)).toString('base64'),
});
const followsOf = (log: EvidenceLog) => {
  const [origin = '', size = '', root = ''] = log.words().split(' ');
  return { origin, size: Number(size), root };
};

/** A ledger that goes on from another one, which names it if it is closed. */
function next(log: EvidenceLog, name: string, isClosed: boolean): EvidenceLog {
  const after = new EvidenceLog(name, later);
  if (isClosed) log.add({ kind: 'closed', next: after.signer.vkey });
  log.sign();
  return after.open(followsOf(log));
}

/** Its lines in files, and those of another ledger. */
const filesOf = (log: EvidenceLog, ...others: readonly EvidenceLog[]) => {
  const files = log.files();
  for (const other of others) for (const [name, lines] of other.files()) files.set(name, lines);
  return files;
};

class Taken {
  readonly kinds: ReadonlySet<string> = new Set(['request-intent']);
  readonly signed: number[] = [];
  take({ seq }: { readonly seq: number }, _line: string, isSigned: boolean): void {
    if (isSigned) this.signed.push(seq);
  }
}

describe('a session that was removed', () => {
  /** What is left of a session of 21 lines, with heads at 1, 9, 17 and 21. */
  async function leftOf(lines: (session: MadeSession) => readonly string[]) {
    const log = sampleLog('left', { sessions: 1 });
    const [session = assert.fail()] = log.sessions;
    session.removed();
    log.sign();
    const taker = new Taken();
    const found = await verify(log.files().set(sessionFile(log, 0), lines(session)), { policy: policyOf(log), taker });
    const of = (text: string) => text.replaceAll(session.id, 'it');
    return [named(found).map(of), noted(found).map(of), found.records, found.signed, taker.signed.length];
  }
  const numbered = (line: string, seq: number) => line.replace(/"seq":\d+/, `"seq":${seq}`);

  it('has no lines that nobody signed: they are named, and count for nothing', async () => {
    const forged = ({ lines }: MadeSession) => [101, 102, 103, 104, 105].map((seq) => numbered(lines[1] ?? '', seq));
    const altered = Array.from({ length: 4 }, () => 'altered it');
    assert.deepEqual(await leftOf(forged), [altered, ['left-over it 101-105'], 0, 0, 0]);
    const one = ({ lines }: MadeSession) => [numbered(lines[1] ?? '', 101)];
    assert.deepEqual(await leftOf(one), [[], ['left-over it 101-101'], 0, 0, 0]);
    const more = ({ lines }: MadeSession) => [...lines, numbered(lines.at(-1) ?? '', 30)];
    assert.deepEqual(await leftOf(more), [[], ['left-over it 30-30'], 21, 21, 10]);
  });

  it('may be half gone: what a head confirms is signed, and the rest is named', async () => {
    assert.deepEqual(await leftOf(({ lines }) => lines), [[], [], 21, 21, 10]);
    assert.deepEqual(await leftOf(({ lines }) => lines.slice(0, 9)), [[], [], 9, 9, 4]);
    assert.deepEqual(await leftOf(({ lines }) => lines.slice(0, 12)), [[], ['left-over it 10-12'], 9, 9, 4]);
    assert.deepEqual(await leftOf(({ lines }) => lines.slice(4)), [[], ['left-over it 5-21'], 0, 0, 0]);
    assert.deepEqual(await leftOf(() => []), [[], [], 0, 0, 0]);
    const other = ({ lines }: MadeSession) => [(lines[0] ?? '').replace('4000', '4001')];
    assert.deepEqual(await leftOf(other), [['root it 1-1'], ['left-over it 1-1'], 0, 0, 0]);
  });

  it('has no line below the first head either', async () => {
    const log = new EvidenceLog('below').open();
    const session = log.session();
    session.record(2);
    session.head();
    session.removed();
    log.sign();
    const forged = (session.lines[0] ?? '').replace('4000', '4001');
    const found = await verify(log.files().set(sessionFile(log, 0), [forged]), { policy: policyOf(log) });
    assert.deepEqual([named(found), noted(found), found.records], [[], [`left-over ${session.id} 1-1`], 0]);
  });
});

describe('the end of a session', () => {
  it('is its end: no line follows', async () => {
    const log = new EvidenceLog('end').open();
    const session = log.session();
    session.record(2);
    session.head('end');
    log.sign();
    assert.deepEqual(named(await verify(log.files())), []);
    session.record(2);
    assert.deepEqual(named(await verify(log.files())), [`not-in-ledger ${session.id} 4-5`]);
    // What a failing disk kept of the last write is signed at the next start.
    session.head('recovered');
    log.sign();
    assert.deepEqual(named(await verify(log.files())), []);
  });
});

describe('a ledger of another key', () => {
  /** Another ledger says that a session was removed, and its file is gone. */
  async function removedBy(how: 'foreign' | 'follows' | 'closed', policy: 'none' | 'one' | 'both') {
    const log = sampleLog('removed by another', { sessions: 2 });
    const [session = assert.fail()] = log.sessions;
    const other = how === 'foreign' ? new EvidenceLog('other', later).open() : next(log, 'other', how === 'closed');
    other.add({ kind: 'removed', ...extentOf(session), why: 'retention' });
    other.sign();
    const files = filesOf(log, other);
    files.delete(sessionFile(log, 0));
    const found = await verify(files, {
      policy: policy === 'none' ? null : policyOf(...(policy === 'one' ? [log] : [log, other])),
    });
    return [named(found).map((text) => text.replace(session.id, 'it')), found.removed];
  }

  it('removes no session, unless it continues from the one that has it, or the policy names it', async () => {
    const [missing, gone] = [
      [['missing it'], {}],
      [[], { retention: 1 }],
    ];
    assert.deepEqual(await removedBy('foreign', 'none'), missing);
    assert.deepEqual(await removedBy('foreign', 'one'), missing);
    assert.deepEqual(await removedBy('foreign', 'both'), gone);
    // It says itself that it goes on: anybody can.
    assert.deepEqual(await removedBy('follows', 'none'), missing);
    assert.deepEqual(await removedBy('follows', 'one'), missing);
    assert.deepEqual(await removedBy('follows', 'both'), gone);
    assert.deepEqual(await removedBy('closed', 'none'), gone);
    assert.deepEqual(await removedBy('closed', 'one'), gone);
  });

  it('does not vouch for a session, unless it continues from the one that the session names', async () => {
    for (const isClosed of [false, true]) {
      const log = sampleLog('vouched by another', { sessions: 1 });
      const session = log.session();
      session.record(2);
      const other = next(log, 'other', isClosed);
      other.add({ kind: 'head', ...extentOf(session), why: 'lines' });
      other.sign();
      const expected = isClosed ? [] : [`not-in-ledger ${session.id}`];
      assert.deepEqual(named(await verify(filesOf(log, other))), expected);
      assert.deepEqual(named(await verify(filesOf(log, other), { policy: policyOf(log) })), expected);
      assert.deepEqual(named(await verify(filesOf(log, other), { policy: policyOf(log, other) })), []);
    }
  });

  it('signs no more lines of a session of ours', async () => {
    const log = sampleLog('more by another', { sessions: 1 });
    const [session = assert.fail()] = log.sessions;
    session.record(4);
    const other = new EvidenceLog('other', later).open();
    other.add({ kind: 'head', ...extentOf(session), why: 'lines' });
    other.sign();
    const taker = new Taken();
    const found = await verify(filesOf(log, other), { policy: policyOf(log), taker });
    assert.deepEqual([named(found), noted(found)], [[], [`unsigned ${session.id} 22-25`]]);
    assert.deepEqual([found.records, found.signed, taker.signed.length], [25, 21, 10]);
  });

  it('does not replace a session of ours by another one', async () => {
    const log = sampleLog('replaced', { sessions: 1 });
    const [session = assert.fail()] = log.sessions;
    const other = new EvidenceLog('other', later).open();
    const theirs = (session.lines[0] ?? '').replace(log.origin, other.origin);
    other.add({
      kind: 'head',
      session: session.id,
      size: 1,
      root: rootOf([leafOf(theirs)]).toString('base64'),
      why: 'end',
    });
    other.sign();
    const found = await verify(filesOf(log, other).set(sessionFile(log, 0), [theirs]), { policy: policyOf(log) });
    assert.ok(named(found).includes(`cut ${session.id} 2-21`), named(found).join());
  });
});

describe('what a ledger says of the one before', () => {
  it('is a kept state of it: one that was set back, rewritten or deleted is named', async () => {
    const log = sampleLog('before');
    const other = next(log, 'after', false);
    const policy = policyOf(other);
    const here = async (lines: readonly string[] | null, options: Omit<VerifyOptions, 'paths'> = { policy }) => {
      const files = filesOf(log, other);
      if (lines === null) files.delete(log.ledgerFile);
      else files.set(log.ledgerFile, lines);
      return named(await verify(files, options)).filter((text) => text.includes(log.origin));
    };
    const short = sampleLog('before', { records: 8 }).lines;
    const anew = sampleLog('before', { every: 7 }).lines;
    // It is not signed yet.
    assert.deepEqual(await here(short), []);
    other.sign();
    assert.deepEqual(await here(log.lines), []);
    for (const options of [{ policy }, {}]) {
      assert.deepEqual(await here(short, options), [`rollback ${log.origin} 8-13`]);
      assert.match((await here(anew, options)).join(), /^fork \S+ \d+-13$/);
      assert.deepEqual(await here(null, options), [`missing ${log.origin}`]);
    }
  });

  it('holds for the ledger that is to come, too', async () => {
    const log = sampleLog('closed', { time: later.time });
    const other = next(log, 'to come', true);
    other.sign();
    assert.deepEqual(named(await verify(filesOf(log, other))), []);
    assert.deepEqual(named(await verify(log.files())), [`missing ${other.origin}`]);
    const young = await verify(log.files(), { isCollected: true, now: later.time + 300_000 });
    assert.deepEqual([named(young), noted(young)], [[], [`late ${other.origin}`]]);
  });
});
