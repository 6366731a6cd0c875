import assert from 'node:assert/strict';
import type { StampedEntry } from '../../../../src/features/audit/vscode/rows.ts';
import type { AuditEventRow, AuditRefusalRow } from '../../../../src/protocol/audit/auditMessages.ts';
import { auditAsked, auditRefusals } from '../../../../src/protocol/audit/auditValues.ts';
import type { AuditEntry } from '../../../../src/send/audit.ts';
import { pageData } from '../../../tools/auditPreview/sent.ts';
import { hostModule } from '../../../tools/hostModule.ts';

interface EventWords {
  eventRows(records: readonly StampedEntry[]): readonly AuditEventRow[];
}

interface RefusalWords {
  refusalRows(records: readonly StampedEntry[]): readonly AuditRefusalRow[];
}

const record = (entry: AuditEntry, seq: number, time = '2026-11-21T08:00:00.000Z'): StampedEntry => ({
  seq,
  time,
  session: 's',
  ...entry,
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

describe('auditView: rows', () => {
  it('joins a request with its outcome', () => {
    const outcome: AuditEntry = {
      kind: 'request-outcome',
      request: 'a',
      outcome: 'failed',
      error: 'server',
      status: 503,
      requestId: 'req-1',
      durationMs: 12,
      confirmation: 'none',
    };
    const { rows, postures } = pageData([record(intent('a'), 1), record(outcome, 2)]);
    assert.deepEqual(rows, [
      {
        request: 'a',
        at: Date.parse('2026-11-21T08:00:00.000Z'),
        action: 'chat',
        origin: 'https://svc.example.com',
        model: 'svc/auto',
        posture: 'high · audit',
        outcome: 'failed',
        confirmation: 'none',
        error: 'server',
        status: 503,
        durationMs: 12,
        requestId: 'req-1',
        files: 1,
        bytes: 100,
        maskings: 2,
        unmasked: 0,
        exclusions: 0,
        previewed: false,
      },
    ]);
    assert.deepEqual(postures, [
      {
        label: 'high · audit',
        headers: [
          { name: 'Svc-Security-Level', value: 'high' },
          { name: 'Svc-Audit-Enabled', value: 'true' },
        ],
      },
    ]);
  });

  it('an outcome from its own session overrides the assumption of the next session', () => {
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
      const { rows } = pageData([
        record(intent('a'), 1),
        ...order.map((how, index) => record(outcome(how), index + 2)),
      ]);
      assert.deepEqual(
        rows.map((row) => row.outcome),
        ['complete'],
      );
    }
  });

  it('a request without an outcome is unknown, an outcome without a request is dropped', () => {
    const lone: AuditEntry = { kind: 'request-outcome', request: 'b', outcome: 'complete', confirmation: 'none' };
    assert.deepEqual(
      pageData([record(intent('a'), 1), record(lone, 2)]).rows.map((row) => [row.request, row.outcome]),
      [['a', 'unknown']],
    );
  });

  it('the oldest comes first; an invalid time is treated as the earliest', () => {
    const { rows } = pageData([
      record(intent('b'), 1),
      record(intent('a'), 2, '2026-11-20T08:00:00.000Z'),
      record(intent('c'), 3, 'yesterday'),
    ]);
    assert.deepEqual(
      rows.map(({ request, at }) => [request, at > 0]),
      [
        ['c', false],
        ['a', true],
        ['b', true],
      ],
    );
  });

  it('lists each posture once; a request without headers has none', () => {
    const bare: AuditEntry = { ...intent('c'), headers: [] } as AuditEntry;
    const { rows, postures } = pageData([record(intent('a'), 1), record(intent('b'), 2), record(bare, 3)]);
    assert.deepEqual(
      rows.map(({ posture }) => posture),
      ['high · audit', 'high · audit', ''],
    );
    assert.equal(postures.length, 1);
  });

  it('a refused request has its reason in words, and is neither a request nor another event', async () => {
    const { refusalRows } = await hostModule<RefusalWords>('src/features/audit/vscode/refusalWords.ts', 'en');
    const { eventRows } = await hostModule<EventWords>('src/features/audit/vscode/eventWords.ts', 'en');
    const refused = { kind: 'refused', action: 'chat', count: 1 } as const;
    const records = [
      record({ ...refused, reason: 'declined', asked: ['secrets', 'preview'] }, 1),
      record({ ...refused, reason: 'settings-conflict', settings: ['svc.compliance.dataResidency'], count: 12 }, 2),
      record({ ...refused, reason: 'no-key', request: 'a' }, 3),
    ];
    assert.deepEqual(
      refusalRows(records).map(({ reason, count }) => [reason, count]),
      [
        ['declined by the user (secrets found, preview)', 1],
        ['two settings conflict (svc.compliance.dataResidency)', 12],
        ['no API key (before a retry)', 1],
      ],
    );
    assert.deepEqual([pageData(records).rows, eventRows(records)], [[], []]);
    const all = auditRefusals.map((reason) => record({ ...refused, reason, asked: [...auditAsked] }, 1));
    assert.equal(new Set(refusalRows(all).map(({ reason }) => reason)).size, auditRefusals.length);
  });

  it('changes of files are shown with their numbers and how writing them ended', async () => {
    const { eventRows } = await hostModule<EventWords>('src/features/audit/vscode/eventWords.ts', 'en');
    const counts = { files: 1204, shown: 4, created: 1, deleted: 2, renamed: 3, added: 84, removed: 31 };
    const written = (['complete', 'partly', 'failed'] as const).map((outcome, files) =>
      record({ kind: 'changes-written', set: 'id', files, outcome }, 2),
    );
    const rows = eventRows([
      record({ kind: 'changes-accept', set: 'id', ...counts }, 1),
      ...written,
      record({ kind: 'changes-rejected', set: 'id', files: 6 }, 3),
      record({ kind: 'changes-undone', set: 'id', files: 7, leftAlone: 8 }, 4),
    ]);
    assert.deepEqual(
      rows.map(({ text }) => text),
      [
        'Changes accepted: files 1,204 (new 1, deleted 2, renamed 3), diffs shown 4, lines added 84, removed 31',
        'Changes written: files 0',
        'Changes written in part, then stopped by an error: files 1',
        'Changes not written because of an error',
        'Changes rejected: files 6',
        'Changes undone: files 7, left alone 8',
      ],
    );
  });

  it('a tool call is shown with how it was allowed and how it ended, where there is something to say', async () => {
    const { eventRows } = await hostModule<EventWords>('src/features/audit/vscode/eventWords.ts', 'en');
    const call = { kind: 'tool-call', tool: 'edit_file', bytes: 79 } as const;
    const rows = eventRows([
      record({ ...call, decision: 'none', outcome: 'done' }, 1),
      record({ ...call, decision: 'once', outcome: 'done' }, 2),
      record({ ...call, decision: 'none', outcome: 'refused' }, 3),
      record({ ...call, decision: 'conversation', outcome: 'failed' }, 4),
    ]);
    assert.deepEqual(
      rows.map(({ text }) => text),
      [
        'Tool call: edit_file, 79 bytes',
        'Tool call: edit_file, allowed once, 79 bytes',
        'Tool call: edit_file, refused, 79 bytes',
        'Tool call: edit_file, allowed in this conversation, failed, 79 bytes',
      ],
    );
  });

  it('a value of an event cannot reorder its sentence', async () => {
    const { eventRows } = await hostModule<EventWords>('src/features/audit/vscode/eventWords.ts', 'en');
    const [event] = eventRows([record({ kind: 'key-set', origin: 'https://\u202emoc.elpmaxe' }, 1)]);
    assert.equal(event?.text, 'API key for https://[U+202E]moc.elpmaxe set');
  });
});
