import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Provenance } from '../../../../src/features/provenance/vscode/provenance.ts';
import type { RecordPlace } from '../../../../src/send/audit.ts';

describe('accepted code', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-provenance-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is among the stored edits as soon as it was accepted, although its record takes a while', async () => {
    const stored = new Map<string, string>();
    const written = Promise.withResolvers<RecordPlace>();
    const provenance = new Provenance({
      storage: { fsPath: folder } as never,
      secrets: {
        get: async (slot: string) => stored.get(slot),
        store: async (slot: string, value: string) => void stored.set(slot, value),
      } as never,
      note: () => written.promise,
      logger: { warn: (message: string) => assert.fail(message) } as never,
    });
    const source = { request: randomUUID(), model: 'svc/auto' };
    void provenance.accepted({ source, languageId: 'typescript', before: null, after: 'const one = 1;\n' });
    const edits = provenance.ownEdits();
    setImmediate(() => written.resolve({ log: 'svc-coder/one', session: randomUUID(), seq: 1 }));
    assert.equal((await edits).length, 1);
  });
});
