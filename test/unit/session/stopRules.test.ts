import assert from 'node:assert/strict';
import {
  callKey,
  isEndNear,
  nextCall,
  type PastCall,
  turnLimits,
  type Used,
  whyStop,
} from '../../../src/session/tools/stopRules.ts';

const none: Used = { calls: 0, requests: 0, tokens: 0 };

/** Calls by their letters: `+` after one for a change, `-` for a refusal, `!` for a failure, `=` for a repetition. */
function calls(text: string): readonly PastCall[] {
  return [...text.matchAll(/(\w)([-+!=]?)/g)].map(([, key = '', mark = ''], index, all) => ({
    key,
    isDone: mark === '' || mark === '+',
    version: all.slice(0, index).filter(([, , before]) => before === '+').length,
  }));
}

const changesIn = (text: string): number => text.split('+').length - 1;

describe('the same call', () => {
  const table: readonly (readonly [past: string, key: string, next: string])[] = [
    ['', 'a', 'run'],
    ['b', 'a', 'run'],
    ['a', 'a', 'as-before'],
    ['a b c', 'a', 'as-before'],
    ['a a=', 'a', 'refuse'],
    ['a b a= c', 'a', 'refuse'],
    ['a a= a-', 'a', 'stop'],
    ['a a= a- b', 'a', 'stop'],
    ['a a= a- b+', 'a', 'run'],
    ['a b+ a', 'a', 'as-before'],
    ['a- a=', 'a', 'refuse'],
    ['a+', 'a', 'run'],
    ['a+ a-', 'a', 'as-before'],
    ['a a= a- b+ a a=', 'a', 'refuse'],
    ['a- b', 'a', 'run'],
    ['a- a= b', 'a', 'run'],
    ['a- b a-', 'a', 'as-before'],
    ['a- b a- c', 'a', 'run'],
    ['a- b a- c a- d', 'a', 'as-before'],
    ['a- b a- c a- d a= e', 'a', 'refuse'],
    ['a- b a- c a- d a= e a- f', 'a', 'stop'],
    ['a- b a', 'a', 'as-before'],
  ];
  for (const [past, key, next] of table) {
    it(`a call after "${past}" is ${next}`, () => {
      assert.equal(nextCall(calls(past), { key, version: changesIn(past) }), next);
    });
  }
});

describe('a turn', () => {
  const table: readonly (readonly [past: string, used: Partial<Used>, why: string | null])[] = [
    ['', {}, null],
    ['', { calls: 59, requests: 29, tokens: 999_999 }, null],
    ['', { calls: 60 }, 'calls'],
    ['', { requests: 30 }, 'requests'],
    ['', { tokens: 1_000_000 }, 'tokens'],
    ['', { tokens: 2_500_000 }, 'tokens'],
    ['a- b- c! d- e!', {}, null],
    ['a- b- c! d- e! f-', {}, 'failures'],
    ['z a- b- c! d- e= f-', {}, 'failures'],
    ['a- b- c! d- e! f', {}, null],
    ['a- b- c! d f- g-', {}, null],
    ['a b a b a b a b a b a', {}, null],
    ['a b a b a b a b a b a b', {}, 'circle'],
    ['a b c a b c a b c a b c', {}, 'circle'],
    ['a b c d a b c d a b c d', {}, null],
    ['d a b c a b c a b c a b c', {}, 'circle'],
    ['a+ b+ a+ b+ a+ b+ a+ b+ a+ b+ a+ b+', {}, 'circle'],
  ];
  for (const [past, used, why] of table) {
    it(`${why === null ? 'continues' : `ends (${why})`} after "${past}" and ${JSON.stringify(used)}`, () => {
      assert.equal(whyStop(calls(past), { ...none, ...used }), why);
    });
  }

  it('ends, and is near its end, earlier with lower limits', () => {
    const limits = { ...turnLimits, calls: 8 };
    assert.deepEqual(
      [7, 8].map((count) => whyStop([], { ...none, calls: count }, limits)),
      [null, 'calls'],
    );
    assert.deepEqual(
      [2, 3].map((count) => isEndNear({ ...none, calls: count }, limits)),
      [false, true],
    );
  });

  it('is near its end if few calls or requests are left', () => {
    const isNear = (calls: number, requests: number): boolean => isEndNear({ ...none, calls, requests });
    const { calls, requests } = turnLimits;
    assert.deepEqual(
      [isNear(calls - 6, requests - 2), isNear(calls - 5, 0), isNear(0, requests - 1)],
      [false, true, true],
    );
  });
});

describe('a call', () => {
  it('is the same whatever the order of its fields', () => {
    const one = callKey('edit', { a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } });
    assert.equal(callKey('edit', { b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 }), one);
  });

  it('is another one with another name, value, order of a list, or type', () => {
    const inputs = [
      { a: 1 },
      { a: '1' },
      { a: [1, 2] },
      { a: [2, 1] },
      { b: 1 },
      {},
      { a: { 0: 1, 1: 2 } },
      { a: null },
    ];
    const keys = [...inputs.map((input) => callKey('edit', input)), callKey('write', { a: 1 })];
    assert.equal(new Set(keys).size, keys.length);
  });

  it('is itself with fields that objects have by nature', () => {
    const [one, other] = ['{"__proto__":{"a":1}}', '{"__proto__":{"a":2}}'].map((text) =>
      callKey('edit', JSON.parse(text)),
    );
    assert.notEqual(one, other);
    assert.notEqual(one, callKey('edit', {}));
  });

  it('is read however deep its input is', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    assert.equal(callKey('edit', deep), callKey('edit', deep));
  });
});
