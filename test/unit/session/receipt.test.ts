import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AuditHeader } from '../../../src/send/audit.ts';
import { receiptOf } from '../../../src/send/message/receipt.ts';

const setBy = [{ layer: 'user' }] as const;
const header = (name: string, value: string): AuditHeader => ({ name, value, setBy });
const level = header('Svc-Security-Level', 'high');
const region = header('Svc-Data-Residency', 'eu-west');
const audit = header('Svc-Audit-Enabled', 'true');
const retention = header('Svc-Zero-Retention', 'true');
const frameworks = header('Svc-Compliance-Frameworks', 'pci-dss,gdpr');

describe('receipt: what the service reports compared with what was requested', () => {
  for (const [security, asked, verdict] of [
    [{ level: 'high' }, [level], 'confirmed'],
    [{ level: 'maximum' }, [level], 'confirmed'],
    [{ level: 'standard' }, [level], 'contradicted'],
    [{ level: 'none of your business' }, [level], 'contradicted'],
    [{ security_level: 'HIGH' }, [level], 'confirmed'],
    [{ applied: { 'Svc-Security-Level': 'high' } }, [level], 'confirmed'],
    [{ level: null }, [level], 'not-confirmed'],
    [{ level: { asked: 'high' } }, [level], 'not-confirmed'],
    [{}, [level], 'not-confirmed'],
    [{ region: 'us-east' }, [region], 'contradicted'],
    [{ data_residency: 'eu_west' }, [region], 'confirmed'],
    [{ audit: true, zeroRetention: 'enabled' }, [audit, retention], 'confirmed'],
    [{ audit: true }, [audit, retention], 'not-confirmed'],
    [{ audit: false, zeroRetention: true }, [audit, retention], 'contradicted'],
    [{ audit: true }, [header('Svc-Audit-Enabled', 'false')], 'confirmed'],
    [{ frameworks: ['gdpr', 'pci', 'sox'] }, [frameworks], 'confirmed'],
    [{ frameworks: 'gdpr, pci-dss' }, [frameworks], 'confirmed'],
    [{ frameworks: ['gdpr'] }, [frameworks], 'contradicted'],
    // Two that disagree: the worse one is used.
    [{ level: 'high', nested: { level: 'standard' } }, [level], 'contradicted'],
    [{ level: 'high' }, [], 'not-confirmed'],
    ['fine', [level], 'not-confirmed'],
    [null, [level], 'not-confirmed'],
    [undefined, [level], 'not-confirmed'],
  ] as const) {
    it(`${JSON.stringify(security)} for ${asked.map(({ value }) => value).join(' and ')}: ${verdict}`, () => {
      assert.equal(receiptOf(security, asked).verdict, verdict);
    });
  }

  it('contains the header, the requested value and the reported value', () => {
    const { headers, text } = receiptOf({ level: 'standard', region: 'eu-west' }, [level, region, audit]);
    assert.deepEqual(headers, [
      { name: 'Svc-Security-Level', requested: 'high', said: 'standard', verdict: 'contradicted' },
      { name: 'Svc-Data-Residency', requested: 'eu-west', said: 'eu-west', verdict: 'confirmed' },
      { name: 'Svc-Audit-Enabled', requested: 'true', said: null, verdict: 'not-confirmed' },
    ]);
    assert.equal(text, '{"level":"standard","region":"eu-west"}');
  });

  it('is at most 4 KB, without control characters and keys, for any response', () => {
    const longKey = `svc_ent_${'k'.repeat(40)}`;
    const { text, headers } = receiptOf({ level: `\u202e${longKey}\u0007${'€'.repeat(5000)}`, key: longKey }, [level]);
    assert.ok(Buffer.byteLength(text) <= 4096);
    for (const shown of [text, headers[0]?.said ?? '']) {
      assert.doesNotMatch(shown, /kkkk|[\p{Cc}\p{Cf}]/u);
    }
    assert.ok((headers[0]?.said ?? '').length <= 100);
  });

  it('accepts any object', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (security) => {
        const { text } = receiptOf(security, [level, region, audit, retention, frameworks]);
        assert.ok(Buffer.byteLength(text) <= 4096);
      }),
      { numRuns: 2_000 },
    );
    let deep: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    assert.equal(receiptOf({ deep }, [level]).verdict, 'not-confirmed');
  });
});
