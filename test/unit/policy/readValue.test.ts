import assert from 'node:assert/strict';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { showValue } from '../../../src/policy/readValue.ts';
import { workspace } from './layers.ts';

describe('a value in a message', () => {
  it('is a list of words as the user would write it, and all else as JSON', () => {
    assert.equal(showValue(['hipaa', 'pci-dss']), 'hipaa, pci-dss');
    assert.equal(showValue('hipaa, gdpr'), '"hipaa, gdpr"');
    assert.equal(showValue(['hipaa', 5]), '["hipaa",5]');
    assert.equal(showValue(['hipaa, gdpr']), '["hipaa, gdpr"]');
    assert.equal(showValue(['a\u202eb']), '["a\u202eb"]');
    // Without a value, a scope has null.
    assert.equal(showValue(['null']), '["null"]');
    assert.deepEqual([showValue([]), showValue(null), showValue(undefined)], ['[]', 'null', 'undefined']);
    assert.equal(showValue(Array.from({ length: 40 }, () => 'hipaa')).length, 80);
  });

  it('names the frameworks that are not allowed', () => {
    const resolved = resolvePolicy([workspace({ 'svc.compliance.frameworks': ['hipaa', 'iso-27001'] })]);
    assert.equal(!resolved.ok && resolved.problems[0]?.found[0]?.value, 'hipaa, iso-27001');
  });

  it('has no key, in a list either', () => {
    assert.doesNotMatch(showValue(['svc_ent_demo_0123456789abcdef']), /0123456789/);
  });
});
