import assert from 'node:assert/strict';
import { killWindow } from './killedWindow.ts';

describe('store: a window with a slow secret storage that is killed at any step of a record', () => {
  for (const isEarly of [false, true]) {
    const how = isEarly ? 'answers before it has stored anything' : 'is slow';
    it(`is not broken if the storage ${how}`, async () => {
      const found = new Set<string>();
      for (let run = 0; run < 8; run += 1) {
        const slowMs = isEarly ? 20 + 10 * run : 50 * run;
        found.add(await killWindow({ slowMs, isEarly, afterMs: 100 * run + 7 * Math.floor(Math.random() * 10) }));
      }
      assert.ok(found.size > 0);
    });
  }
});
