import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AuditHeader } from '../../../src/send/audit.ts';
import { AnswerReceipt } from '../../../src/send/message/answerReceipt.ts';
import { receiptOf } from '../../../src/send/message/receipt.ts';

const header = (name: string, value: string): AuditHeader => ({ name, value, setBy: [{ layer: 'user' }] });
const level = header('Svc-Security-Level', 'high');
const retention = header('Svc-Zero-Retention', 'true');

function after(requested: readonly AuditHeader[], ...said: readonly unknown[]) {
  const all = new AnswerReceipt(requested);
  for (const one of said) all.add(one);
  return all.receipt ?? assert.fail();
}

describe('receipt of an answer with several security objects', () => {
  it('equals the receipt of one object if all are equal', () => {
    const said = { level: 'high', other: 1 };
    assert.equal(new AnswerReceipt([level]).receipt, undefined);
    assert.deepEqual(after([level], said), receiptOf(said, [level]));
    assert.deepEqual(after([level], said, said, said), receiptOf(said, [level]));
  });

  for (const [name, said, verdict, shown] of [
    ['good, then bad', [{ level: 'high' }, { level: 'standard' }], 'contradicted', 'high → standard'],
    ['bad, then good', [{ level: 'standard' }, { level: 'high' }], 'contradicted', 'standard → high'],
    ['bad between good', [{ level: 'high' }, { level: 'low' }, { level: 'high' }], 'contradicted', 'high → low'],
    ['both would do', [{ level: 'maximum' }, { level: 'high' }], 'not-confirmed', 'maximum → high'],
    ['nothing, then good', [{}, { level: 'high' }], 'not-confirmed', '– → high'],
    ['good, then nothing', [{ level: 'high' }, null], 'not-confirmed', 'high → –'],
    [
      'the same beside other things',
      [
        { level: 'high', id: 1 },
        { level: 'high', id: 2 },
      ],
      'confirmed',
      'high',
    ],
  ] as const) {
    it(`${name}: ${verdict}`, () => {
      const receipt = after([level], ...said);
      assert.deepEqual([receipt.verdict, receipt.headers[0]?.said], [verdict, shown]);
    });
  }

  it('shows all distinct objects, one per line', () => {
    const { text } = after([level], { level: 'high' }, { level: 'low' }, { level: 'high' });
    assert.equal(text, '{"level":"high"}\n{"level":"low"}');
  });

  it('changes only a few times, however many objects arrive', () => {
    const all = new AnswerReceipt([level]);
    const seen = new Set(Array.from({ length: 1000 }, (_, n) => all.add({ level: `level ${n}` })));
    assert.ok(seen.size <= 6, String(seen.size));
  });

  it('judges each header separately', () => {
    const { verdict, headers } = after([level, retention], { level: 'high', zeroRetention: true }, { level: 'low' });
    assert.equal(verdict, 'contradicted');
    assert.deepEqual(
      headers.map((one) => one.verdict),
      ['contradicted', 'not-confirmed'],
    );
  });

  it('law: further objects never improve a receipt, and it stays small', () => {
    const rank = { confirmed: 0, 'not-confirmed': 1, contradicted: 2 };
    const said = fc.oneof(
      fc.record({ level: fc.constantFrom('standard', 'high', 'maximum', 'x'.repeat(500)), other: fc.string() }),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 12 }), (objects) => {
        const all = new AnswerReceipt([level, retention]);
        let worst = 0;
        for (const one of objects) {
          const { verdict, headers, text } = all.add(one);
          worst = Math.max(worst, rank[receiptOf(one, [level, retention]).verdict]);
          assert.ok(rank[verdict] >= worst);
          assert.ok(Buffer.byteLength(text) <= 4096);
          for (const { said: words } of headers) assert.ok((words ?? '').length <= 100);
        }
      }),
    );
  });
});
