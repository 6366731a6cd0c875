import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { leafOf } from '../../../src/evidence/line.ts';
import { originOf } from '../../../src/evidence/logId.ts';
import { keyTypes, verifierKey } from '../../../src/evidence/note.ts';
import { PolicyFault, parsePolicy } from '../../../src/evidence/policy.ts';
import { Chains } from '../../../src/evidence/verify/chains.ts';
import { NumberedLines } from '../../../src/evidence/verify/numberedLines.ts';
import { type Verdict, verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { withFolder } from './folders.ts';

const verify = (lines: readonly string[]): Promise<Verdict> =>
  withFolder([['a', lines]], (folder) => verifyEvidence({ paths: [folder], isCollected: true }));

const zeros = '0'.repeat(64);
const uuidOf = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const lineOf = (start: string, seq: number, prev: string, more = '') =>
  `{"v":2,${start},"seq":${seq},"time":"2026-11-02T08:00:00.000Z","kind":"x"${more},"prev":"${prev}"}`;

/** Two lines at each number, both after the same one, or each after the one of its own chain. */
function twins(start: string, count: number, isOneChain: boolean): readonly string[] {
  const lines: string[] = [];
  let prevs = [zeros, zeros];
  for (let seq = 1; seq <= count; seq += 1) {
    const own = prevs.map((prev, index) => lineOf(start, seq, prev, `,"n":${index}`));
    const leaves = own.map((line) => leafOf(line).toString('hex'));
    prevs = isOneChain ? [leaves[0] ?? '', leaves[0] ?? ''] : leaves;
    lines.push(...own);
  }
  return lines;
}

// Each of these took minutes while the work grew with the square of the input, or with the numbers that it leaves out.
describe('the verification of hostile input', function () {
  this.timeout(60_000);
  const session = `"session":"${uuidOf(1)}"`;
  const ledger = `"ledger":"x/${'0'.repeat(32)}"`;

  it('steps over the numbers that are not there', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => lineOf(`"session":"${uuidOf(at)}"`, 100_000, zeros));
    const far = Array.from({ length: 10 }, (_, at) => lineOf(ledger, 100_000 * (at + 1), zeros));
    const { counts } = await verify([...lines, ...far]);
    assert.deepEqual(counts, { 'unknown-key': 1, gap: 20_010, unsigned: 1, 'not-in-ledger': 20_000 });
  });

  for (const start of [session, ledger]) {
    it(`follows two lines at each number of a ${start.slice(1, 8).replace('"', '')}`, async () => {
      const { counts } = await verify(twins(start, 60_000, true));
      assert.ok(Object.values(counts).includes(60_000), JSON.stringify(counts));
      const two = await verify(twins(start, 60_000, false));
      assert.ok(
        Object.values(two.counts).every((count) => count < 4),
        JSON.stringify(two.counts),
      );
    });
  }

  it('takes many kept states of one size', async () => {
    const seen = Array.from({ length: 200_000 }, () => {
      const root = randomBytes(32);
      return { origin: `x/${'0'.repeat(32)}`, size: 1, root, file: 'seen', line: 1 };
    });
    const { counts } = await withFolder([['a', [lineOf(ledger, 1, zeros)]]], (folder) =>
      verifyEvidence({ paths: [folder], isCollected: true, seen }),
    );
    assert.equal(counts.fork, 200_000);
  });

  it('follows a chain of many ledgers', () => {
    const links = Array.from({ length: 100_000 }, (_, at) => {
      const name = (number: number) => `x/${number}`;
      return { origin: name(at), vkey: `key ${at}`, follows: name(at - 1), next: `key ${at + 1}` };
    });
    const trusted = new Map([['x/0', { ...verifierKey('x/0', Buffer.alloc(32)), vkey: 'key 0' }]]);
    const policy = { logs: trusted, cosigner: null };
    for (const ledgers of [links, links.toReversed()]) {
      const chains = new Chains(ledgers, policy);
      assert.deepEqual([chains.isTrusted('x/99999'), chains.of('x/99999')], [true, 'x/0']);
    }
    // One that bites its own tail is a chain of nothing.
    const ring = links.slice(0, 3).map((link, at) => ({
      ...link,
      follows: `x/${(at + 2) % 3}`,
      next: `key ${(at + 1) % 3}`,
    }));
    assert.deepEqual([new Chains(ring, null).of('x/1'), new Chains(ring, policy).isTrusted('x/0')], ['x/1', false]);
  });

  it('reads a policy of many keys, and refuses groups', () => {
    const keys = Array.from({ length: 60_000 }, (_, at) => createHash('sha256').update(`${at}`).digest());
    const logs = keys.map((key) => `log ${verifierKey(originOf(key, 'x'), key).vkey}`);
    const witnesses = keys.map((key, at) => `witness w${at} ${verifierKey(`w/${at}`, key, keyTypes.cosignature).vkey}`);
    const policy = parsePolicy(Buffer.from([...logs, ...witnesses, 'quorum w7'].join('\n')));
    assert.deepEqual([policy.logs.size, policy.cosigner?.name], [60_000, 'w/7']);
    const group = [witnesses[0], 'group g any w0', 'quorum g'];
    assert.throws(() => parsePolicy(Buffer.from(group.join('\n'))), new PolicyFault('line 2: unknown, or twice'));
  });

  it('keeps little of a session of one line', () => {
    const leaf = Buffer.alloc(32, 1);
    const before = process.memoryUsage().arrayBuffers;
    const sessions = Array.from({ length: 20_000 }, () => {
      const lines = new NumberedLines();
      lines.add({ seq: 1, leaf, prev: leaf, time: 0, file: 0, line: 1 });
      return lines;
    });
    const each = (process.memoryUsage().arrayBuffers - before) / sessions.length;
    assert.ok(each < 400, `${each} bytes`);
    const [one = assert.fail()] = sessions;
    for (let seq = 2; seq <= 70; seq += 1) one.add({ seq, leaf, prev: leaf, time: seq, file: 0, line: seq });
    assert.deepEqual([...one.numbers()].length, 70);
    assert.deepEqual([one.first(1)?.line, one.first(33)?.time, one.first(71)], [1, 33, null]);
  });
});
