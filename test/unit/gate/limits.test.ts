import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkAttached, checkSize, defaultLimits } from '../../../src/gate/limits.ts';

describe('gate: attachments of one question', () => {
  const limits = { requestBytes: 100, fileBytes: 40 };
  const check = (attached: Readonly<Record<string, readonly number[]>>) =>
    checkAttached(
      Object.entries(attached).map(([label, files]) => ({ label, files })),
      limits,
    );

  it('may fill half of a request', () => {
    assert.equal(check({}), null);
    assert.equal(check({ a: [40], b: [5, 5] }), null);
  });

  it('names files that are too large, regardless of the sum', () => {
    assert.deepEqual(check({ a: [41] }), { bytes: 41, limit: 50, remove: ['a'] });
  });

  it('names the largest until the rest fits, parts of one file together', () => {
    assert.deepEqual(check({ a: [10], b: [20, 20], c: [11] }), { bytes: 61, limit: 50, remove: ['b'] });
    assert.deepEqual(check({ a: [30], b: [35], c: [30] })?.remove, ['b', 'a']);
  });

  it('names no more files than needed when one file is too large', () => {
    assert.deepEqual(check({ a: [60], b: [40], c: [10] })?.remove, ['a']);
  });
});

describe('gate: sizes', () => {
  it('have the defaults that the schema of the managed policy states', () => {
    const { properties } = JSON.parse(readFileSync('media/managed-policy.schema.json', 'utf8'));
    const stated = Object.entries(properties.limits.properties).map(([name, value]) => {
      const { description } = value as { readonly description: string };
      return [name, Number(/\b(\d+) where it is not set/.exec(description)?.[1])];
    });
    // A day is not limited where its limits are not set.
    const none = { requestsPerDay: Number.NaN, tokensPerDay: Number.NaN };
    assert.deepEqual(Object.fromEntries(stated), { ...defaultLimits, ...none });
  });

  const limits = { requestBytes: 100, fileBytes: 10 };

  it('accepts exactly the limit', () => {
    assert.equal(checkSize({ bodyBytes: 100, files: [{ label: 'a', bytes: 10 }] }, limits), null);
  });

  it('names the file, or the request, that is too large', () => {
    assert.deepEqual(checkSize({ bodyBytes: 101, files: [{ label: 'a', bytes: 11 }] }, limits), {
      what: 'file',
      label: 'a',
      bytes: 11,
      limit: 10,
    });
    assert.deepEqual(checkSize({ bodyBytes: 101, files: [] }, limits), { what: 'request', bytes: 101, limit: 100 });
  });
});
