import assert from 'node:assert/strict';
import { type LedgerRecord, ledgerLine, parseLedgerRecord } from '../../../src/evidence/ledgerRecords.ts';
import { firstPrev, lineOf } from '../../../src/evidence/line.ts';
import { expected, linesOf } from './vectors.ts';

const root = expected.sessionRoots[0] ?? '';
const session = '00000001-0000-4000-8000-000000000000';
const place = { ledger: expected.origin, seq: 9, time: '2026-11-02T08:00:01.700Z', prev: firstPrev };
const records: readonly LedgerRecord[] = [
  { kind: 'opened', vkey: expected.vkey, versions: { 'svc-coder': '0.2.0' } },
  { kind: 'opened', vkey: expected.vkey, versions: {}, follows: { origin: expected.origin, size: 3, root } },
  { kind: 'head', session, size: 1, root, why: 'recovered' },
  { kind: 'removed', session, size: 7, root, why: 'purge' },
  { kind: 'head', session, size: 1, root, why: 'unvouched' },
  { kind: 'closed', next: expected.vkey },
  { kind: 'seen', log: expected.origin, size: 7, root, state: 'intact' },
];

describe('the records of a ledger', () => {
  it('are read back as they were written', () => {
    for (const record of records) {
      const line = lineOf(ledgerLine(place, record)) ?? '';
      const found = parseLedgerRecord(line);
      const { prev, ...start } = place;
      assert.deepEqual(found, { v: 2, ...start, ...record, prev });
    }
  });

  it('are those of the vectors', () => {
    for (const line of linesOf('ledger-').filter((one) => !one.includes('"kind":"checkpoint"'))) {
      const record = parseLedgerRecord(line);
      assert.ok(record !== null && record !== 'unknown', line);
      const { seq, time, prev, ledger } = JSON.parse(line) as typeof place;
      const { v: _, seq: _s, time: _t, prev: _p, ledger: _l, ...fields } = JSON.parse(line);
      assert.equal(lineOf(ledgerLine({ ledger, seq, time, prev }, fields)), line);
    }
  });

  it('a record of a later kind is unknown, and a record that is not written exactly is refused', () => {
    const line = lineOf(ledgerLine(place, { kind: 'head', session, size: 1, root, why: 'lines' })) ?? '';
    assert.equal(parseLedgerRecord(line.replace('"head"', '"toString"')), 'unknown');
    assert.equal(parseLedgerRecord(line.replace('"head"', '"later"')), 'unknown');
    const bad = [
      line.replace('"lines"', '"other"'),
      line.replace('"size":1', '"size":-1'),
      line.replace('"size":1', '"size":1.5'),
      line.replace('"size":1', '"size":"1"'),
      line.replace('"size":1', '"size":1,"size":2'),
      line.replace('"size":1', '"size":1,"x":2'),
      line.replace('"size":1,', ''),
      line.replace(root, root.slice(0, -4)),
      line.replace('"size":1', '"size": 1'),
      '{',
      'null',
    ];
    for (const changed of bad) assert.equal(parseLedgerRecord(changed), null, changed);
  });
});
