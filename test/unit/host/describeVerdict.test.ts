import assert from 'node:assert/strict';
import type { AuditVerdict } from '../../../src/store/audit/verifyLog.ts';
import { hostModule } from '../../tools/hostModule.ts';

describe('host: what the verification of the audit log proves', () => {
  it('is said only if no ledger of another key vouches for anything, and the log is intact', async () => {
    const { describeProof } = await hostModule<typeof import('../../../src/host/posture/describeVerdict.ts')>(
      'src/host/posture/describeVerdict.ts',
      'en',
    );
    const ledger = {
      ...{ origin: 'svc-coder/1', vkey: null, follows: null, lines: 3, size: 3, root: null, witnessed: null },
      ...{ lastTime: null, isVouchedFor: true },
    };
    const verdict: AuditVerdict = {
      ...{ verdict: 'intact', files: 1, records: 3, breaks: [], ledger, foreignLedgers: [], unsigned: [] },
      ...{ halfLines: [], skipped: [], older: { files: 0, isChecked: false } },
    };
    const says = (change: Partial<AuditVerdict>, words: RegExp) =>
      describeProof({ ...verdict, ...change }).some((line) => words.test(line));
    assert.ok(says({}, /^Proven: /));
    const foreignLedgers = ['svc-coder/2'];
    assert.ok(!says({ foreignLedgers }, /^Proven: /));
    assert.ok(says({ foreignLedgers }, /^Signed with another key: .*svc-coder\/2/));
    assert.ok(!says({ verdict: 'broken' }, /^Proven: /));
  });
});
