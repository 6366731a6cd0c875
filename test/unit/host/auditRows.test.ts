import assert from 'node:assert/strict';
import { joinRecords } from '../../../src/host/auditRows.ts';
import type { AuditEntry } from '../../../src/session/audit.ts';
import type { AuditRecord } from '../../../src/store/auditLine.ts';

const record = (entry: AuditEntry, seq: number): AuditRecord => ({
  seq,
  time: '2026-11-21T08:00:00.000Z',
  session: 's',
  ...entry,
  prev: '0',
});

const intent = (request: string): AuditEntry => ({
  kind: 'request-intent',
  request,
  action: 'chat',
  origin: 'https://svc.example.com',
  model: 'svc/auto',
  headers: [
    { name: 'Svc-Security-Level', value: 'high', setBy: [{ layer: 'user' }] },
    { name: 'Svc-Audit-Enabled', value: 'true', setBy: [{ layer: 'user' }] },
  ],
  files: 1,
  bytes: 100,
  maskings: 2,
  unmasked: 0,
  exclusions: 0,
  previewed: false,
});

describe('host/auditRows', () => {
  it('joins a request with its outcome', () => {
    const outcome: AuditEntry = {
      kind: 'request-outcome',
      request: 'a',
      outcome: 'failed',
      error: 'server',
      status: 503,
      durationMs: 12,
      confirmation: 'none',
    };
    const [row] = joinRecords([record(intent('a'), 1), record(outcome, 2)]);
    assert.deepEqual(row, {
      request: 'a',
      at: Date.parse('2026-11-21T08:00:00.000Z'),
      action: 'chat',
      model: 'svc/auto',
      posture: 'high · audit-enabled true',
      outcome: 'failed',
      confirmation: 'none',
      error: 'server 503',
      durationMs: 12,
      tokens: null,
      files: 1,
      maskings: 2,
      unmasked: 0,
    });
  });

  it('what is written down by who did it counts for more than what the next session thought', () => {
    const outcome = (how: 'unknown' | 'complete'): AuditEntry => ({
      kind: 'request-outcome',
      request: 'a',
      outcome: how,
      confirmation: 'none',
    });
    for (const order of [
      ['unknown', 'complete'],
      ['complete', 'unknown'],
    ] as const) {
      const rows = joinRecords([record(intent('a'), 1), ...order.map((how, index) => record(outcome(how), index + 2))]);
      assert.deepEqual(
        rows.map((row) => row.outcome),
        ['complete'],
      );
    }
  });

  it('a request without an outcome is unknown, an outcome without a request is nothing', () => {
    const lone: AuditEntry = { kind: 'request-outcome', request: 'b', outcome: 'complete', confirmation: 'none' };
    assert.deepEqual(
      joinRecords([record(intent('a'), 1), record(lone, 2)]).map((row) => [row.request, row.outcome]),
      [['a', 'unknown']],
    );
  });
});
