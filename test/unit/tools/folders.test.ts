import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sharedMemory } from '../../tools/folders.ts';

describe('the folder in memory', () => {
  it('is used only if it has space and can be written to, and nothing is left in it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-memory-'));
    try {
      assert.equal(sharedMemory(folder, 1), folder);
      assert.deepEqual(readdirSync(folder), []);
      assert.equal(sharedMemory(folder, Number.POSITIVE_INFINITY), undefined);
      // Permissions do not stop root, but nobody can write a file into a file.
      writeFileSync(join(folder, 'file'), '');
      assert.equal(sharedMemory(join(folder, 'file'), 1), undefined);
      assert.equal(sharedMemory(join(folder, 'missing'), 1), undefined);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
