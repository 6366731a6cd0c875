import assert from 'node:assert/strict';
import type { AuditEntry } from '../../../src/send/audit.ts';
import { SessionChain, safeParseRecord } from '../../../src/store/audit/auditLine.ts';
import { usageAsCsv } from '../../../src/store/audit/usageExport.ts';
import { intent, outcome } from './auditSamples.ts';

describe('store: usage as CSV', () => {
  it('has the requests and tokens by day of the machine, action, model and user', () => {
    const chain = new SessionChain('00000001-0000-4000-8000-000000000002');
    const records = (
      [
        [intent('a', '=cmd'), 1, 'jdoe'],
        [outcome('a'), 1, 'jdoe'],
        // It ended on the next day.
        [intent('b'), 1, undefined],
        [intent('c'), 1, undefined],
        [outcome('b'), 2, undefined],
        [{ ...intent('d'), action: 'review' }, 2, undefined],
        [{ ...outcome('d'), totalTokens: undefined, estimatedTokens: 9 }, 2, undefined],
        [{ kind: 'key-removed', origin: 'x' }, 2, undefined],
      ] as [AuditEntry, number, string | undefined][]
    ).map(([entry, day, user]) => {
      const line = chain.add(JSON.parse(JSON.stringify(entry)), new Date(2026, 10, day, 23, 59).toISOString(), user);
      return safeParseRecord(line) ?? assert.fail(line);
    });
    const { content, records: rows } = usageAsCsv(records);
    assert.equal(
      content,
      [
        'day,action,model,user,requests,tokens,estimatedTokens',
        "2026-11-01,chat,'=cmd,jdoe,1,7,0",
        '2026-11-01,chat,svc/auto,,2,7,32',
        '2026-11-02,review,svc/auto,,1,0,9',
        '',
      ].join('\r\n'),
    );
    assert.equal(rows, 3);
    assert.equal(usageAsCsv([]).content, 'day,action,model,user,requests,tokens,estimatedTokens\r\n');
  });
});
