import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { frameOf } from '../../../src/evidence/line.ts';
import { type AuditEntry, auditKinds, auditShapes } from '../../../src/send/audit.ts';
import { auditAsCsv, auditColumns } from '../../../src/store/audit/auditExport.ts';
import { SessionChain, safeParseRecord } from '../../../src/store/audit/auditLine.ts';
import { pageData } from '../../tools/auditPreview/sent.ts';
import { linesIn } from './auditSamples.ts';

/** A record of each kind with all its fields, and some without optional fields, as this version writes them. */
const written = linesIn('test/fixtures/audit/audit-v2.jsonl');

describe('store: the shape of an audit record', () => {
  it('the sample contains every kind and every field', () => {
    const found = new Map<string, Set<string>>();
    for (const line of written) {
      const { kind, ...fields } = JSON.parse(line);
      found.set(kind, new Set([...(found.get(kind) ?? []), ...Object.keys(fields)]));
    }
    assert.deepEqual([...found.keys()].sort(), [...auditKinds].sort());
    for (const kind of auditKinds) {
      for (const field of Object.keys(auditShapes[kind])) assert.ok(found.get(kind)?.has(field), `${kind}.${field}`);
    }
  });

  it('is read back completely, and written byte for byte as before', () => {
    const chain = new SessionChain(JSON.parse(written[0] ?? '').session);
    for (const line of written) {
      const record = safeParseRecord(line);
      assert.ok(record, line);
      const { v, ...fields } = JSON.parse(line);
      assert.deepEqual([v, record], [2, fields]);
      // The writer defines the order of the fields, which is the order in the line.
      const { session: _, seq: __, time, prev: ___, ...entry } = fields;
      assert.equal(chain.add(entry, time), line);
    }
  });

  it('has the same spreadsheet row as before', async () => {
    const records = written.map((line) => safeParseRecord(line) ?? assert.fail(line));
    assert.equal((await auditAsCsv(records)).content, readFileSync('test/fixtures/audit/audit-v2.csv', 'utf8'));
  });

  it('names the user in any kind of record, if a user is given', async () => {
    const users = ['jdoe', 'DOMÄNE\\jürgen', '=cmd()', `${'ü'.repeat(300)}`, '"\n\u202e'];
    for (const line of written) {
      const { v: _, session, seq, time, prev, ...entry } = JSON.parse(line);
      for (const user of users) {
        const named = new SessionChain(session).add(entry, time, user);
        const record = safeParseRecord(named) ?? assert.fail(named);
        assert.equal(record.user, user);
        assert.equal(frameOf(Buffer.from(named))?.kind, entry.kind, 'the frame is read without a parser');
      }
    }
    const { v: _, session, seq: __, time, prev: ___, ...entry } = JSON.parse(written[0] ?? '');
    const long = new SessionChain(session).add(entry, time, 'x'.repeat(10_000));
    assert.equal(safeParseRecord(long)?.user?.length, 300);
    const record = safeParseRecord(new SessionChain(session).add(entry, time, '=cmd()')) ?? assert.fail();
    const { content } = await auditAsCsv([record]);
    assert.match(content, /^time,session,.*,user\r\n.*,'=cmd\(\)\r\n$/s);
    for (const user of [5, null, {}, ['a'], 'x'.repeat(301)])
      assert.equal(safeParseRecord(JSON.stringify({ ...JSON.parse(written[0] ?? ''), user })), null);
  });

  it('has one column for each field', () => {
    assert.equal(new Set(auditColumns).size, auditColumns.length);
    for (const kind of auditKinds) {
      for (const field of Object.keys(auditShapes[kind])) assert.ok(auditColumns.includes(field), field);
    }
  });

  it('has an audit page row with every field of the request and of its outcome', () => {
    const records = written.map((line) => safeParseRecord(line) ?? assert.fail(line));
    const [row] = pageData(records).rows;
    const recordOf = (kind: AuditEntry['kind']): object => records.find((record) => record.kind === kind) ?? {};
    const recorded = { ...recordOf('request-intent'), ...recordOf('request-outcome') };
    const { prev, session, seq, kind, time, headers, ...fields } = recorded as Readonly<Record<string, unknown>>;
    assert.deepEqual(row, { ...fields, at: Date.parse(String(time)), posture: row?.posture });
  });

  it('is rejected if a field is missing, has another type, or a value that is not allowed', () => {
    for (const line of written) {
      const record = JSON.parse(line);
      for (const [field, schema] of Object.entries(auditShapes[record.kind as AuditEntry['kind']])) {
        const { [field]: value, ...without } = record;
        const isOptional = schema.safeParse(undefined).success;
        if (value !== undefined) assert.equal(safeParseRecord(JSON.stringify(without)) !== null, isOptional, field);
        assert.equal(safeParseRecord(JSON.stringify({ ...record, [field]: { no: 1 } })), null, field);
      }
    }
    const [first = ''] = written;
    assert.equal(safeParseRecord(first.replace('session-started', 'another-kind')), null);
    assert.equal(safeParseRecord(JSON.stringify({ ...JSON.parse(first), versions: { a: 'x'.repeat(301) } })), null);
  });
});
