import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { auditRefusals } from '../../../src/protocol/audit/auditValues.ts';
import { auditKinds } from '../../../src/send/audit.ts';
import { safeParseRecord } from '../../../src/store/audit/auditLine.ts';

describe('the events of the audit log', () => {
  it('are those listed in docs/audit.md', () => {
    const [, table = ''] = readFileSync('docs/audit.md', 'utf8').split('| Event | When it is recorded |');
    const [rows = ''] = table.split('\n\n');
    const promised = [...rows.matchAll(/^\| `([a-z-]+)` \| [^|]{10,} \|$/gm)].map(([, kind]) => kind);
    assert.deepEqual(promised.sort(), [...auditKinds].sort());
  });

  it('reasons of refused requests are those listed there, in the same order', () => {
    const [, table = ''] = readFileSync('docs/audit.md', 'utf8').split('| Reason | Why nothing was sent |');
    const promised = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([a-z-]+)` \| [^|]{10,} \|$/gm)];
    assert.deepEqual(
      promised.map(([, reason]) => reason),
      auditRefusals,
    );
  });

  it('are each recorded somewhere', () => {
    const code = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'));
    // Object literals. Types and schemas are written differently.
    const emitted = code.flatMap((text) =>
      [...text.matchAll(/\bkind: '([a-z]+(?:-[a-z]+)?)',/g)].map(([, kind = '']) => kind),
    );
    assert.deepEqual(
      auditKinds.filter((kind) => !emitted.includes(kind)),
      [],
    );
  });

  it('can be read back', () => {
    const base = { seq: 1, time: 'now', session: 'a', prev: 'b' };
    assert.equal(safeParseRecord(JSON.stringify({ ...base, kind: 'made-up' })), null);
    assert.notEqual(
      safeParseRecord(JSON.stringify({ ...base, kind: 'key-removed', origin: 'https://a.example' })),
      null,
    );
  });
});
