import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { SessionChain } from '../../../src/store/audit/auditLine.ts';
import type { SecretSlots } from '../../../src/store/audit/auditSecrets.ts';
import { AuditBench, intent, linesIn, type MemorySecrets, slots } from './auditSamples.ts';

describe('store: verification of the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  describe('one damaged file is reported with its place:', () => {
    beforeEach(() => audit.writeFive());

    /** As an attacker writes lines: each follows from the one before. */
    const linked = (lines: readonly string[]): readonly string[] => {
      const chain = new SessionChain(JSON.parse(lines[0] ?? '').session);
      return lines.map((line) => {
        const { v: _, session: __, seq: ___, time, prev: ____, ...entry } = JSON.parse(line);
        return chain.add(entry, time);
      });
    };

    it('a changed value', async () => {
      audit.put(audit.linesOf().with(2, audit.linesOf()[2]?.replace('"complete"', '"stopped"') ?? ''));
      assert.deepEqual(await audit.breaks(), ['0:3 altered']);
    });
    it('a changed value in the last line', async () => {
      audit.put(audit.linesOf().with(4, audit.linesOf()[4]?.replace('"complete"', '"stopped"') ?? ''));
      assert.equal((await audit.breaks()).length, 1);
      assert.match((await audit.breaks())[0] ?? '', /^0:[1-5] root$/);
    });
    it('a removed line', async () => {
      audit.put(audit.linesOf().toSpliced(2, 1));
      assert.deepEqual(await audit.breaks(), ['0:2 gap']);
    });
    it('a removed last line', async () => {
      audit.put(audit.linesOf().slice(0, -1));
      assert.deepEqual(await audit.breaks(), ['0:5 cut']);
    });
    it('a line that is none', async () => {
      audit.put(audit.linesOf().with(2, '{"kind":"request-outcome"}'));
      assert.ok((await audit.breaks()).includes('0:3 not-a-record'));
    });
    it('lines that were changed and linked again', async () => {
      audit.put(linked(audit.linesOf().map((line) => line.replace('svc/auto', 'svc/other'))));
      assert.match((await audit.breaks())[0] ?? '', /^0:1 root$/);
    });
    it('a deleted file', async () => {
      const { session } = JSON.parse(audit.linesOf()[0] ?? '');
      rmSync(audit.path());
      assert.deepEqual(await audit.breaks(), [`${session}:0 missing`]);
    });
    it('a file under the name of another session', async () => {
      renameSync(audit.path(), audit.path().replace(/[0-9a-f-]{36}(?=-0001)/, '11111111-2222-4333-8444-555555555555'));
      assert.equal((await audit.verify()).verdict, 'broken');
    });
    it('a ledger that was put back, even with the state of its session', async () => {
      const before = new Map([audit.path(), audit.ledgerPath()].map((path) => [path, readFileSync(path)]));
      const log = audit.begin();
      await log.record(intent('later'));
      await log.close();
      for (const name of audit.files()) if (!before.has(join(audit.folder, name))) rmSync(join(audit.folder, name));
      for (const [path, bytes] of before) writeFileSync(path, bytes);
      assert.ok((await audit.breaks()).some((found) => found.endsWith('rollback')));
    });
    it('a ledger that was put back stays one: the next one says how far it was', async () => {
      const log = audit.begin();
      await log.record(intent('later'));
      await log.sign();
      writeFileSync(audit.ledgerPath(), `${linesIn(audit.ledgerPath()).slice(0, 3).join('\n')}\n`);
      const { breaks } = await log.verify();
      assert.deepEqual(audit.rolledBack.length, 1);
      assert.ok(breaks.some(({ reason }) => reason === 'rollback'));
      assert.ok((await audit.breaks()).some((found) => found.endsWith('rollback')));
    });
    it('any byte of a session', async () => {
      const path = audit.path();
      const whole = readFileSync(path);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
          const changed = Buffer.from(whole);
          changed[at] = (changed[at] ?? 0) ^ by;
          writeFileSync(path, changed);
          assert.equal((await audit.verify()).verdict, 'broken');
        }),
        { numRuns: 200 },
      );
    });
    it('a byte more or less at any position', async () => {
      const path = audit.path();
      const whole = readFileSync(path);
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length - 1), fc.option(fc.nat(255)), async (at, byte) => {
          const put = byte === null ? [] : [byte];
          const rest = whole.subarray(byte === null ? at + 1 : at);
          writeFileSync(path, Buffer.from([...whole.subarray(0, at), ...put, ...rest]));
          assert.equal((await audit.verify()).verdict, 'broken');
        }),
        { numRuns: 200 },
      );
    });
  });

  it('says from which line on nothing is signed: a dropped last line is not noticed there', async () => {
    const log = await audit.writeFive();
    await log.record(intent('c'));
    await log.record(intent('d'));
    const { verdict, unsigned } = await audit.verify();
    assert.deepEqual([verdict, unsigned], ['intact', [{ file: audit.files()[0], line: 6, count: 2 }]]);
    audit.put(audit.linesOf().slice(0, -1));
    assert.deepEqual((await audit.verify()).unsigned, [{ file: audit.files()[0], line: 6, count: 1 }]);
  });

  it('signs everything of this window first', async () => {
    const log = await audit.writeFive();
    await log.record(intent('c'));
    const { verdict, unsigned, ledger, records } = await log.verify();
    assert.deepEqual([verdict, unsigned, ledger?.origin, records], ['intact', [], await log.origin(), 6]);
  });

  it('does not vouch for a log that somebody else has signed', async () => {
    await audit.writeFive();
    const other = new AuditBench();
    await (await other.writeFive()).close();
    for (const path of [other.path(), other.ledgerPath()]) {
      copyFileSync(path, join(audit.folder, path.split('/').at(-1) ?? ''));
    }
    const origin = (await other.secrets.get(slots.ledger))?.split(' ')[0];
    await other.clear();
    const { verdict, foreignLedgers } = await audit.verify();
    assert.deepEqual([verdict, foreignLedgers], ['intact', [origin]]);
  });

  it('half a line of a crash is not tampering', async () => {
    await audit.writeFive();
    writeFileSync(audit.path(), `${readFileSync(audit.path(), 'utf8')}{"v":2,"ses`);
    const { verdict, halfLines } = await audit.verify();
    assert.deepEqual([verdict, halfLines], ['intact', [audit.files()[0]]]);
  });

  it('one damaged session does not affect the others', async () => {
    await (await audit.writeFive()).close();
    await audit.writeFive();
    audit.put(audit.linesOf(1).toSpliced(1, 1), 1);
    assert.deepEqual(await audit.breaks(), ['1:1 gap']);
  });

  it('a session continues under the next ledger after a new one was started by another window', async () => {
    const [first, second] = [audit.begin(), audit.begin()];
    for (const log of [first, second]) await log.record(intent('a'));
    for (const log of [first, second]) await log.sign();
    await first.startLedger();
    await second.record(intent('b'));
    await second.sign();
    for (const log of [first, second]) await log.record(intent('c'));
    const { verdict, breaks, unsigned, foreignLedgers } = await second.verify();
    assert.deepEqual({ verdict, breaks, foreignLedgers }, { verdict: 'intact', breaks: [], foreignLedgers: [] });
    assert.ok(unsigned.length <= 1);
  });

  describe('beside a window that has just begun', () => {
    /** The secrets as a window sees them that cannot take its turn. */
    const withoutTurns = (secrets: MemorySecrets): SecretSlots => ({
      get: async (slot) => {
        if (slot === slots.ledger) throw new Error('The keyring is locked.');
        return secrets.get(slot);
      },
      set: (slot, value) => secrets.set(slot, value),
      delete: (slot) => secrets.delete(slot),
      keys: () => secrets.keys(),
    });

    it('signs its first lines, and it continues', async () => {
      const mine = await audit.writeFive();
      const other = audit.begin({ secrets: withoutTurns(audit.secrets) });
      await other.record(intent('c'));
      await other.record(intent('d'));
      const { verdict, breaks, unsigned } = await mine.verify();
      assert.deepEqual({ verdict, breaks, unsigned }, { verdict: 'intact', breaks: [], unsigned: [] });
      await other.record(intent('e'));
      const later = await mine.verify();
      assert.deepEqual([later.verdict, later.unsigned.map(({ line, count }) => [line, count])], ['intact', [[4, 1]]]);
    });

    it('looks again when the lines are there and what vouches for them is not yet', async () => {
      const mine = await audit.writeFive();
      const late: (() => Promise<void>)[] = [];
      const secrets = {
        ...withoutTurns(audit.secrets),
        set: async (slot: string, value: string) => void late.push(() => audit.secrets.set(slot, value)),
      };
      await audit.begin({ secrets }).record(intent('c'));
      let looks = 0;
      const keys = audit.secrets.keys.bind(audit.secrets);
      audit.secrets.keys = async () => {
        looks += 1;
        if (looks === 2) for (const set of late) await set();
        return keys();
      };
      assert.deepEqual((await mine.verify()).breaks, []);
      assert.ok(looks >= 2);
    });

    it('names lines that only say that their window runs', async () => {
      const mine = await audit.writeFive();
      const secrets = { ...withoutTurns(audit.secrets), set: async () => undefined };
      await audit.begin({ secrets }).record(intent('c'));
      const { verdict, breaks } = await mine.verify();
      assert.deepEqual([verdict, breaks.map(({ reason }) => reason)], ['broken', ['not-in-ledger']]);
    });
  });
});
