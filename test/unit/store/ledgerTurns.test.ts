import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { LedgerRecord } from '../../../src/evidence/ledgerRecords.ts';
import type { PlacedSession } from '../../../src/store/audit/auditLog.ts';
import type { Ledger, LedgerEnd } from '../../../src/store/audit/ledger/ledger.ts';
import { LedgerTurns, type LedgerTurnsParts } from '../../../src/store/audit/ledger/ledgerTurns.ts';
import { AuditBench, intent } from './auditSamples.ts';
import { judge } from './evidenceJudge.ts';

const session = '11111111-2222-4333-8444-555555555555';

/** A ledger that is a list. A turn ends when the test lets it. */
class FakeLedger {
  readonly says: string[] = [];
  hold: Promise<void> = Promise.resolve();
  fault: Error | undefined;

  async turn(make: Parameters<Ledger['turn']>[0]): Promise<LedgerEnd> {
    await this.hold;
    const view = {
      origin: 'o',
      heads: new Map(),
      removed: new Set<string>(),
      isFirst: false,
      follows: null,
    };
    const records: readonly LedgerRecord[] = await make(view);
    if (this.fault !== undefined) throw this.fault;
    this.says.push(records.map((record) => (record.kind === 'head' ? `${record.why} ${record.size}` : '')).join());
    return { origin: 'o', vkey: 'v', note: 'n', size: 1, root: Buffer.alloc(32) };
  }
}

describe('store: when the ledger is written', () => {
  let ledger: FakeLedger;
  let position: PlacedSession | null;
  let deleted: string[];
  let failed: unknown[];
  beforeEach(() => {
    ledger = new FakeLedger();
    position = null;
    deleted = [];
    failed = [];
  });

  const begin = (more: Partial<LedgerTurnsParts> = {}): LedgerTurns =>
    new LedgerTurns({
      ledger,
      anchors: { delete: async (name) => void deleted.push(name) },
      position: () => position,
      isOf: async ({ ledger }, { origin }) => ledger === origin,
      work: { records: async () => [], done: async () => undefined },
      onDidSign: () => undefined,
      onDidFail: (error) => void failed.push(error),
      ...more,
    });
  const write = async (turns: LedgerTurns, size: number, isDue = false): Promise<void> => {
    position = { session, size, root: Buffer.alloc(32, size), ledger: 'o' };
    turns.wrote(isDue);
    await turns.settled();
  };

  it('the ledger is written at the first record of a session, then not before there are enough lines', async () => {
    const turns = begin({ maxUnsigned: 256 });
    await write(turns, 2);
    for (const size of [3, 100, 257]) await write(turns, size);
    assert.deepEqual([ledger.says, turns.unsigned], [['start 2'], 255]);
    await write(turns, 258);
    assert.deepEqual([ledger.says, turns.unsigned], [['start 2', 'lines 258'], 0]);
    turns.dispose();
  });

  it('some time after the first line that is not signed, and with no timer while there is none', async () => {
    const signed = Promise.withResolvers<void>();
    const turns = begin({ delayMs: 1, onDidSign: () => ledger.says.length === 2 && signed.resolve() });
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    await write(turns, 2);
    const before = timers();
    position = { session, size: 3, root: Buffer.alloc(32), ledger: 'o' };
    turns.wrote(false);
    await signed.promise;
    await turns.settled();
    assert.deepEqual([ledger.says, turns.unsigned, timers()], [['start 2', 'time 3'], 0, before]);
  });

  it('the ledger is written at the end of a file, and after a change of a key, the policy or data', async () => {
    const turns = begin();
    await write(turns, 2);
    await write(turns, 3, true);
    assert.deepEqual(ledger.says, ['start 2', 'lines 3']);
  });

  it('the ledger is written at the end of a session, whose anchor is then deleted', async () => {
    const turns = begin();
    await write(turns, 2);
    position = null;
    turns.ended({ session, size: 2, root: Buffer.alloc(32), ledger: 'o' });
    await turns.settled();
    assert.deepEqual([ledger.says, deleted], [['start 2', 'end 2'], [session]]);
  });

  it('one turn at a time: what comes in the meantime is one more', async () => {
    const turns = begin();
    await write(turns, 2);
    const held = Promise.withResolvers<void>();
    ledger.hold = held.promise;
    const first = turns.take('export');
    position = { session, size: 5, root: Buffer.alloc(32), ledger: 'o' };
    const others = [turns.take('lines'), turns.take('lines'), turns.take('export')];
    held.resolve();
    await Promise.all([first, ...others]);
    assert.ok(ledger.says.length <= 3 && ledger.says.some((says) => says.endsWith(' 5')));
    assert.equal(turns.unsigned, 0);
  });

  it('a turn that fails signs nothing, and the next one signs it all', async () => {
    const turns = begin();
    ledger.fault = new Error('full');
    await write(turns, 2);
    turns.ended({ session, size: 4, root: Buffer.alloc(32), ledger: 'o' });
    position = null;
    await turns.settled();
    assert.deepEqual([ledger.says, turns.unsigned, deleted], [[], 4, []]);
    assert.ok(failed.length >= 2);
    ledger.fault = undefined;
    assert.notEqual(await turns.take('lines'), null);
    assert.deepEqual([ledger.says, turns.unsigned, deleted], [['end 4'], 0, [session]]);
    turns.dispose();
  });

  it('the ledger is not written for a session whose ledger and files were deleted', async () => {
    const turns = begin();
    await write(turns, 2);
    turns.ended({ session, size: 4, root: Buffer.alloc(32), ledger: 'purged' });
    position = null;
    await turns.settled();
    assert.deepEqual([ledger.says, turns.unsigned, deleted], [['start 2', ''], 0, [session]]);
  });

  describe('with real files', () => {
    let audit: AuditBench;
    beforeEach(() => {
      audit = new AuditBench();
    });
    afterEach(() => audit.clear());

    it('no record waits for another window that holds the lock', async () => {
      const log = audit.begin();
      await log.record(intent('a'));
      await log.sign();
      const lock = join(audit.folder, 'ledger.lock');
      mkdirSync(audit.folder, { recursive: true });
      // As a window of this process, which runs.
      writeFileSync(lock, JSON.stringify({ host: hostname(), pid: process.pid, id: 'other' }));
      const signing = log.sign();
      for (let index = 0; index < 20; index += 1) await log.record(intent(`${index}`));
      assert.deepEqual([audit.linesOf().length, log.unsigned], [22, 20]);
      writeFileSync(lock, JSON.stringify({ host: hostname(), pid: 2 ** 30, id: 'gone' }));
      await signing;
      await log.sign();
      assert.deepEqual([judge(audit.folder).unsigned, log.unsigned, existsSync(lock)], [0, 0, false]);
    });

    it('every session is in the ledger from its first lines on', async () => {
      const log = audit.begin();
      await log.record(intent('a'));
      await log.sign();
      const [, head] = audit.records();
      assert.deepEqual(head?.kind === 'head' && head.why, 'start');
    });
  });
});
