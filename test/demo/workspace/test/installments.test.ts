import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installments } from '../src/installments.ts';

test('equal installments', () => {
  assert.deepEqual(installments(900, 3), [300, 300, 300]);
});

test('the installments are the amount together, to the cent', () => {
  const parts = installments(1000, 3);
  assert.equal(
    parts.reduce((sum, part) => sum + part, 0),
    1000,
  );
});
