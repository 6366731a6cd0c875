import assert from 'node:assert/strict';
import { catalog, rulesFor } from '../../../src/review/catalog.ts';
import { compareReviews } from '../../../src/review/findings/compare.ts';
import { reviewAsSarif } from '../../../src/review/sarif.ts';
import { finding, place, report } from './reports.ts';

const describeGap = {
  version: '1.2.3',
  describe: () => 'src/big.ts: the answer was cut',
  describeLost: () => 'src/big.ts: made-up',
};
const text = 'eval(text);\n// svc-ignore gdpr-erasure: kept by law\nrows.remove(id);\n';
const findings = place(text, [
  finding('pci-injection', 'eval(text);', { fix: 'Parse it.' }),
  finding('gdpr-erasure', 'rows.remove(id);'),
  finding('gdpr-encryption', 'nowhere'),
]);

function runOf(json: string) {
  const log = JSON.parse(json);
  assert.equal(log.version, '2.1.0');
  assert.equal(log.runs.length, 1);
  return log.runs[0];
}

describe('a review as SARIF', () => {
  it('has each result with its rule, place, fingerprint and suppression', () => {
    const run = runOf(reviewAsSarif(report({ findings }), describeGap));
    assert.equal(run.results.length, 3);
    for (const result of run.results) {
      assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
      assert.match(result.partialFingerprints['svcReview/v2'], /^[0-9a-f]{32}$/);
    }
    const [file, evaluated, erased] = run.results;
    assert.equal(file.locations[0].physicalLocation.region, undefined);
    const { snippet, ...region } = evaluated.locations[0].physicalLocation.region;
    assert.deepEqual(region, { startLine: 1, startColumn: 1, endLine: 1, endColumn: 12 });
    assert.equal(snippet.text, 'eval(text);');
    assert.equal(evaluated.level, 'error');
    assert.equal(evaluated.suppressions, undefined);
    assert.deepEqual(erased.suppressions, [{ kind: 'inSource', status: 'accepted', justification: 'kept by law' }]);
  });

  it('has the rules of the requested frameworks, with help and reference', () => {
    const run = runOf(reviewAsSarif(report(), describeGap));
    assert.deepEqual(
      run.tool.driver.rules.map(({ id }: { id: string }) => id),
      rulesFor(['pci-dss', 'gdpr']).map(({ id }) => id),
    );
    const byId = new Map(catalog.map((rule) => [rule.id, rule]));
    for (const { id, help } of run.tool.driver.rules) {
      assert.ok(help.text.includes(byId.get(id)?.reference));
    }
  });

  it('is marked as incomplete, and lists what was not reviewed', () => {
    const complete = runOf(reviewAsSarif(report({ findings }), describeGap));
    assert.equal(complete.invocations[0].executionSuccessful, true);
    assert.deepEqual(complete.invocations[0].toolExecutionNotifications, []);
    const notReviewed = [
      { file: 'src/big.ts', reason: 'truncated', lines: [1, 90], isPartial: true },
      { file: 'a b/é.ts', reason: 'request-failed', kind: 'rateLimit', detail: '', isPartial: false },
    ] as const;
    const lost = [
      { file: 'src/big.ts', uri: '', reason: 'unknown-rule', rule: 'made-up', line: null, text: 'A' },
    ] as const;
    const run = runOf(reviewAsSarif(report({ findings, notReviewed, lost }), describeGap));
    assert.equal(run.invocations[0].executionSuccessful, false);
    const [cut, failed, unknown] = run.invocations[0].toolExecutionNotifications;
    assert.deepEqual(unknown.descriptor, { id: 'unknown-rule', index: 2 });
    assert.equal(unknown.message.text, 'Finding not read: src/big.ts: made-up');
    assert.deepEqual(cut.descriptor, { id: 'truncated', index: 0 });
    assert.equal(cut.message.text, 'Not reviewed: src/big.ts: the answer was cut');
    assert.deepEqual(cut.locations[0].physicalLocation.region, { startLine: 1, endLine: 90 });
    assert.equal(failed.locations[0].physicalLocation.artifactLocation.uri, 'a%20b/%C3%A9.ts');
    assert.equal(run.results.length, 3);
  });

  it('marks findings as new, unchanged or absent', () => {
    const now = report({ findings: findings.slice(0, 2) });
    const comparison = compareReviews({ findings: findings.slice(1) }, now);
    const run = runOf(reviewAsSarif({ ...now, comparison }, describeGap));
    assert.deepEqual(
      run.results.map(({ ruleId, baselineState }: Record<string, string>) => [ruleId, baselineState]),
      [
        ['gdpr-encryption', 'new'],
        ['pci-injection', 'unchanged'],
      ],
    );
    const after = report({ findings: [] });
    const gone = runOf(reviewAsSarif({ ...after, comparison: compareReviews({ findings }, after) }, describeGap));
    assert.deepEqual(
      gone.results.map(({ baselineState }: Record<string, string>) => baselineState),
      ['absent', 'absent'],
    );
  });

  it('contains a masked secret as it was sent', () => {
    const secret = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
    const masked = place(`key = '${secret}';`, [finding('pci-hard-coded-credential', "key = '[masked: aws]';")]);
    assert.equal(masked[0]?.placed, 'masked');
    const json = reviewAsSarif(report({ findings: masked }), describeGap);
    assert.ok(json.includes('[masked: aws]') && !json.includes(secret));
  });
});
