import assert from 'node:assert/strict';
import type { AuditVerdict } from '../../../../src/store/audit/verifyLog.ts';
import { hostModule } from '../../../tools/hostModule.ts';

const ledger = {
  ...{ origin: 'svc-coder/1', vkey: null, follows: null, lines: 3, size: 3, root: null, cosigned: null },
  ...{ lastTime: null, isVouchedFor: true },
};
const verdict: AuditVerdict = {
  ...{ verdict: 'intact', files: 1, records: 3, breaks: [], ledger, foreignLedgers: [], unsigned: [] },
  ...{ unvouched: [], halfLines: [], skipped: [] },
};
const words = () =>
  hostModule<typeof import('../../../../src/platform/messages/describeVerdict.ts')>(
    'src/platform/messages/describeVerdict.ts',
    'en',
  );

describe('host: what the verification of the audit log proves', () => {
  it('is said only if no ledger of another key vouches for anything, and the log is intact', async () => {
    const { describeProof } = await words();
    const says = (change: Partial<AuditVerdict>, words: RegExp) =>
      describeProof({ ...verdict, ...change }).some((line) => words.test(line));
    assert.ok(says({}, /^Proven: /));
    const foreignLedgers = ['svc-coder/2'];
    assert.ok(!says({ foreignLedgers }, /^Proven: /));
    assert.ok(says({ foreignLedgers }, /^Signed with another key: .*svc-coder\/2/));
    assert.ok(!says({ verdict: 'broken' }, /^Proven: /));
    const unvouched = [{ file: 'x.jsonl', line: 4, count: 2 }];
    assert.ok(says({ unvouched }, /^Not confirmed: x\.jsonl from line 4, .*\(2\)/));
  });

  it('is said of the first hundred files and breaks if there are more than a page can show', async () => {
    const { describeBreaks, describeProof } = await words();
    const names = Array.from({ length: 100_000 }, (_, index) => `file ${index}`);
    const of = (count: number): AuditVerdict => ({
      ...{ ...verdict, verdict: 'broken', foreignLedgers: names.slice(0, count) },
      ...{ halfLines: names.slice(0, count), skipped: names.slice(0, count) },
      breaks: names.slice(0, count).map((file) => ({ file, line: 1, reason: 'altered', of: file })),
      unsigned: names.slice(0, count).map((file) => ({ file, line: 1, count: 1 })),
    });
    assert.equal(describeBreaks(of(100)).length, 100);
    assert.deepEqual(describeBreaks(of(100_000)).slice(100), ['99,900 more, named by verify.mjs in an export.']);
    const said = describeProof(of(100_000));
    assert.equal(said.filter((line) => line.startsWith('99,900 more')).length, 3);
    assert.ok(said.join('').length < 50_000);
  });
});
