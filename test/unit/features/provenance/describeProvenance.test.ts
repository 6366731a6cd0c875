import assert from 'node:assert/strict';
import type { RecordFields } from '../../../../src/evidence/provenance/codeRecords.ts';
import type { LineProvenance } from '../../../../src/features/provenance/vscode/describeProvenance.ts';
import { hostModule, type Language } from '../../../tools/hostModule.ts';
import { intent, outcome } from '../../store/auditSamples.ts';

const request = '9d1f6a52-0000-4000-8000-000000000001';
const session = '00000001-0000-4000-8000-000000000000';
const log = 'svc-coder/59141f437a54051dce253afae946b5b4';

const at = { seq: 2, time: '2026-11-02T08:00:03.400Z', session };
const sent: RecordFields = {
  ...{ ...at, ...intent(request, 'svc/enterprise-coder-v1') },
  headers: [
    { name: 'Svc-Security-Level', value: 'maximum', setBy: [] },
    { name: 'Svc-Zero-Retention', value: 'true', setBy: [{ layer: 'managed' }, { layer: 'folder', name: 'app' }] },
  ],
};
const ended: RecordFields = { ...at, seq: 3, ...outcome(request), requestId: 'req_1' };

const line: LineProvenance = {
  ...{ name: 'src/pay.ts', number: 21, commit: '972ab6f5', intent: sent, outcome: ended, isProven: true },
  accepted: { time: '2026-11-02T08:00:06.800Z' },
  edit: { edit: 'e', request, model: 'of the note', log, session, seq: 5, tags: Buffer.alloc(8) },
};

const says = async (change: Partial<LineProvenance> = {}, language: Language = 'en'): Promise<readonly string[]> => {
  const { describeProvenance } = await hostModule<
    typeof import('../../../../src/features/provenance/vscode/describeProvenance.ts')
  >('src/features/provenance/vscode/describeProvenance.ts', language);
  return describeProvenance({ ...line, ...change }).split('\n');
};
const of = (label: string, lines: readonly string[]): string =>
  lines.find((one) => one.startsWith(`${label}: `))?.slice(label.length + 2) ?? assert.fail(`no ${label}`);

describe('host: where a line is from', () => {
  it('has the request, its compliance settings, the confirmation, and the proof', async () => {
    const named = await says({ intent: { ...sent, user: 'jdoe' } });
    assert.equal(of('Asked by', named), 'jdoe');
    assert.deepEqual(await says(), [
      'Line 21 of src/pay.ts is code that was accepted from Svc.',
      '',
      `Request: ${request} (${sent.action})`,
      'Sent: 2026-11-02T08:00:03.400Z, https://svc.example.com',
      `Asked by: the account that owns the ledger ${log}`,
      'Model: svc/enterprise-coder-v1',
      'Zero retention: on (managed, folder)',
      'Service confirmation: confirmed, Request ID req_1',
      'Compliance settings: Svc-Security-Level: maximum, Svc-Zero-Retention: true',
      `Accepted: 2026-11-02T08:00:06.800Z, ${session}:5`,
      'Commit: 972ab6f5',
      'Proven: The line, its key, and the record in the audit log of this machine match.',
      'Not proven: who used the machine, what the service did with the data, and the exact times',
      '',
      'To prove it to others, export the audit log as evidence, and run:',
      '',
      '    node verify.mjs explain FILE:21 AUDIT-FOLDER',
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
      const lines = await says({ outcome: { confirmation } });
      assert.equal(of('Service confirmation', lines), words);
    });
  }

  it('claims no confirmation and no setting for a request without an outcome and headers', async () => {
    const lines = await says({ intent: { ...sent, headers: [] }, outcome: null });
    assert.deepEqual(
      ['Zero retention', 'Compliance settings', 'Service confirmation'].map((label) => of(label, lines)),
      ['not requested', 'none', 'not in the audit log'],
    );
    const off = [{ name: 'svc-zero-retention', value: 'false', setBy: 'x' }, null];
    assert.equal(of('Zero retention', await says({ intent: { ...sent, headers: off } })), 'off ()');
  });

  it('is not proven by a note whose record this machine does not have', async () => {
    const lines = await says({ intent: null, outcome: null, accepted: null, isProven: false, commit: null });
    const none = 'not in the audit log';
    const labels = [
      'Model',
      'Sent',
      'Zero retention',
      'Service confirmation',
      'Compliance settings',
      'Accepted',
      'Commit',
    ];
    assert.deepEqual(
      labels.map((label) => of(label, lines)),
      ['of the note', none, none, none, none, `${none}, ${session}:5`, 'not committed'],
    );
    const why = 'The audit log of this machine does not have the record, so the line is not proven here.';
    assert.equal(of('Proven', lines), why);
    assert.ok((await says({ isProven: false }, 'de')).some((one) => one.includes('hier also nicht bewiesen')));
  });

  it('shows what a note says as text', async () => {
    const lines = await says({ intent: null, edit: { ...line.edit, model: '\u202e$(check) x\u0007' } });
    assert.equal(of('Model', lines), '[U+202E]$\u2060(check) x[U+0007]');
  });
});
