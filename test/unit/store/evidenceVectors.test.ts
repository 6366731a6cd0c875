import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { SessionChain } from '../../../src/store/audit/auditLine.ts';
import { Ledger } from '../../../src/store/audit/ledger/ledger.ts';
import { headOf, type TurnReason } from '../../../src/store/audit/ledger/ledgerTurns.ts';
import { expected, linesOf, vector } from '../evidence/vectors.ts';
import { MemorySecrets, slots } from './auditSamples.ts';
import { judge } from './evidenceJudge.ts';

describe('store: the vectors of the evidence', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-vectors-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are judged as they are meant', () => {
    assert.deepEqual(judge('test/fixtures/evidence/log'), { faults: [], sessions: 2, lines: 14, unsigned: 0 });
  });

  it('are written byte for byte, from the seed, the times and the entries', async () => {
    const opened = ['2026-11-02T08:00:00.000Z'];
    let now = '';
    const secrets = new MemorySecrets();
    await secrets.set(slots.key, expected.seed);
    const ledger = new Ledger({
      ...{ folder, secrets, slots, versions: () => ({ 'svc-coder': '0.2.0' }) },
      now: () => new Date(opened.pop() ?? now),
      onDidRollBack: () => assert.fail(),
    });
    const reasons: Readonly<Record<number, TurnReason>> = { 1: 'start', 5: 'lines', 7: 'end' };
    for (const session of ['00000001-0000-4000-8000-000000000000', '00000001-0000-4000-8000-000000000001']) {
      const chain = new SessionChain(session);
      for (const line of linesOf('2026').filter((each) => each.includes(`"session":"${session}"`))) {
        const { v: _, session: __, seq, time, prev: ___, ...entry } = JSON.parse(line);
        assert.equal(chain.add(entry as AuditEntry, time), line);
        now = time;
        const why = reasons[seq];
        if (why !== undefined) await ledger.turn(async () => [headOf(chain, why)]);
      }
    }
    const [name = ''] = readdirSync(folder);
    assert.equal(readFileSync(join(folder, name), 'utf8'), vector(`log/${name}`));
  });
});
