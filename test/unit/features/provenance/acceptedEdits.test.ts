import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, editKeyOf, sealLines } from '../../../../src/evidence/provenance/lineKeys.ts';
import { AcceptedEdits } from '../../../../src/features/provenance/vscode/acceptedEdits.ts';
import { ProvenanceKey } from '../../../../src/features/provenance/vscode/provenanceKey.ts';
import type { AuditEntry } from '../../../../src/send/audit.ts';
import { type PendingEdit, PendingEdits } from '../../../../src/store/provenance/pendingEdits.ts';
import { fakeSecrets } from './fakeSecrets.ts';

const request = '9d1f6a52-0000-4000-8000-000000000001';
const place = { log: 'svc-coder/x', session: '9d1f6a52-0000-4000-8000-000000000002', seq: 1 };

describe('provenance: accepted edits', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-provenance-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are recorded with the hash of the tags of their added lines', async () => {
    const secrets = fakeSecrets();
    const key = new ProvenanceKey(secrets, folder);
    const noted: AuditEntry[] = [];
    const pending = new PendingEdits(folder);
    const edits = new AcceptedEdits({
      ...{ key, pending, logger: { warn: assert.fail } },
      note: async (entry) => ({ ...place, seq: noted.push(entry) }),
    });
    const code = { source: { request, model: 'm' }, languageId: 'go' };
    await edits.accepted({ ...code, before: 'a\nb\nc\n', after: 'a\n  b\nnew\nmore\n' });
    await edits.accepted({ ...code, source: {}, before: null, after: 'one\ntwo' });
    const [first, second] = noted;
    assert.ok(first?.kind === 'code-accepted' && second?.kind === 'code-accepted');
    const { code: hash } = sealLines(editKeyOf(await key.get(), first.edit), ['new', 'more']);
    assert.deepEqual(first, {
      ...{ kind: 'code-accepted', request, edit: first.edit, language: 'go' },
      ...{ added: 2, removed: 1, code: hash },
    });
    assert.deepEqual([second.request, second.added, second.removed], [undefined, 2, 0]);
    // One without a request cannot be in a note.
    const [kept, ...others]: readonly PendingEdit[] = await pending.all();
    assert.equal(others.length, 0);
    const { tags, matches, time, ...about } = kept ?? assert.fail();
    assert.deepEqual(about, { edit: first.edit, request, model: 'm', ...place, seq: 1 });
    assert.deepEqual([codeOf(Buffer.from(tags, 'base64')), Buffer.from(matches, 'base64').length], [hash, 16]);
    assert.ok(time <= Date.now());
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    for (const word of ['new', 'more']) assert.ok(!files.join('\n').includes(word), word);
  });

  it('have one key, even if two windows make the first one at the same time', async () => {
    const secrets = fakeSecrets();
    const keys = await Promise.all([1, 2, 3].map(() => new ProvenanceKey(secrets, folder).get()));
    assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
    assert.equal(keys[0]?.length, 32);
  });

  it('never fail what was already written, and say that they could not be recorded', async () => {
    const said: string[] = [];
    const key = new ProvenanceKey({ ...fakeSecrets(), get: () => Promise.reject(new Error('locked')) }, folder);
    const edits = new AcceptedEdits({
      key,
      note: async () => assert.fail(),
      pending: new PendingEdits(folder),
      logger: { warn: (text) => said.push(text) },
    });
    await edits.accepted({ source: {}, languageId: 'go', before: null, after: 'secret' });
    assert.deepEqual(said, ['Accepted code could not be recorded in the audit log.']);
  });
});
