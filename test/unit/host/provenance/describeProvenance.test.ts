import assert from 'node:assert/strict';
import { joinRecords, type StampedEntry } from '../../../../src/host/audit/rows.ts';
import type { LineProvenance } from '../../../../src/host/provenance/describeProvenance.ts';
import { hostModule, type Language } from '../../../tools/hostModule.ts';
import { intent, outcome } from '../../store/auditSamples.ts';

const request = '9d1f6a52-0000-4000-8000-000000000001';
const session = '00000001-0000-4000-8000-000000000000';
const log = 'svc-coder/59141f437a54051dce253afae946b5b4';

const at = { seq: 2, time: '2026-11-02T08:00:03.400Z', session };
const records: readonly StampedEntry[] = [
  {
    ...{ ...at, ...intent(request, 'svc/enterprise-coder-v1') },
    headers: [
      { name: 'Svc-Security-Level', value: 'maximum', setBy: [] },
      { name: 'Svc-Zero-Retention', value: 'true', setBy: [] },
    ],
  } as StampedEntry,
  { ...at, seq: 3, ...outcome(request), requestId: 'req_1' } as StampedEntry,
];
const rowOf = (all: readonly StampedEntry[]) =>
  joinRecords(all, { audit: 'audit', zeroRetention: 'zero retention' }).rows[0] ?? null;

const line: LineProvenance = {
  ...{ name: 'src/pay.ts', number: 21, commit: '972ab6f5', row: rowOf(records), isProven: true },
  acceptedAt: '2026-11-02T08:00:06.800Z',
  accepted: { edit: 'e', request, model: 'of the note', log, session, seq: 5, tags: Buffer.alloc(8) },
};

const says = async (change: Partial<LineProvenance> = {}, language: Language = 'en'): Promise<readonly string[]> => {
  const { describeProvenance } = await hostModule<
    typeof import('../../../../src/host/provenance/describeProvenance.ts')
  >('src/host/provenance/describeProvenance.ts', language);
  return describeProvenance({ ...line, ...change }).split('\n');
};
const of = (label: string, lines: readonly string[]): string =>
  lines.find((one) => one.startsWith(`${label}: `))?.slice(label.length + 2) ?? assert.fail(`no ${label}`);

describe('host: where a line is from', () => {
  it('has the request, its compliance settings, the confirmation, and the proof', async () => {
    assert.deepEqual(await says(), [
      'Line 21 of src/pay.ts is code that was accepted from Svc.',
      '',
      `Request: ${request}`,
      'Model: svc/enterprise-coder-v1',
      'Sent: 2026-11-02T08:00:03.400Z',
      'Address: https://svc.example.com',
      'Compliance settings: maximum · zero retention',
      'Service confirmation: confirmed',
      'Request ID: req_1',
      'Accepted: 2026-11-02T08:00:06.800Z',
      'Commit: 972ab6f5',
      `Record in the audit log: ${session}:5`,
      `Ledger: ${log}`,
      '',
      'The line, its key, and the record in the audit log of this machine fit together.',
      'To prove it to others, export the audit log as evidence, and run:',
      '',
      '    node verify.mjs --repository REPOSITORY AUDIT-FOLDER',
      `    node verify.mjs prove ${session}:5 AUDIT-FOLDER`,
      '',
    ]);
  });

  for (const [confirmation, words] of Object.entries({
    confirmed: 'confirmed',
    'not-confirmed': 'not confirmed',
    contradicted: 'different',
    none: 'none',
  })) {
    it(`says what the service confirmed: ${words}`, async () => {
      const row = rowOf(records.map((one) => ({ ...one, confirmation }) as StampedEntry));
      assert.equal(of('Service confirmation', await says({ row })), words);
    });
  }

  it('claims no confirmation and no setting for a request without an outcome and headers', async () => {
    const [sent] = records;
    const lines = await says({ row: rowOf([{ ...sent, headers: [] } as unknown as StampedEntry]) });
    assert.deepEqual(
      ['Compliance settings', 'Service confirmation', 'Request ID'].map((label) => of(label, lines)),
      ['none', 'none', 'none'],
    );
  });

  it('is not proven by a note whose record this machine does not have', async () => {
    const lines = await says({ row: null, acceptedAt: null, isProven: false, commit: null });
    assert.deepEqual(
      ['Model', 'Sent', 'Accepted', 'Commit'].map((label) => of(label, lines)),
      ['of the note', 'not in the audit log of this machine', 'not in the audit log of this machine', 'not committed'],
    );
    const shown = lines.join('\n');
    assert.doesNotMatch(shown, /Compliance settings|Service confirmation|fit together/);
    assert.ok(
      lines.includes('The audit log of this machine does not have the record, so the line is not proven here.'),
    );
    assert.ok((await says({ isProven: false }, 'de')).some((one) => one.includes('hier also nicht bewiesen')));
  });

  it('shows what a note says as text', async () => {
    const lines = await says({ row: null, accepted: { ...line.accepted, model: '\u202e$(check) x\u0007' } });
    assert.equal(of('Model', lines), '[U+202E]$\u2060(check) x[U+0007]');
  });
});
