import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isExpired, mask } from '../src/card.ts';

test('a masked card number shows its last four digits', () => {
  assert.equal(mask('4111 1111 1111 1111'), '••••••••••••1111');
});

test('a card is valid until the end of its month', () => {
  const card = { number: '4111 1111 1111 1111', holder: 'Ada Example', expires: '02/28' };
  assert.equal(isExpired(card, new Date(2028, 1, 29)), false);
  assert.equal(isExpired(card, new Date(2028, 2, 1)), true);
});
