import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isModelWindow, withModelWindow } from '../../../src/policy/modelWindows.ts';
import { readValue } from '../../../src/policy/readValue.ts';
import { declaredWindow } from '../../../src/send/budget/contextWindow.ts';

describe('the windows of models, in the settings', () => {
  it('take a number for one model, and keep those of others', () => {
    const list = ['svc/auto=8192', 'svc/*=4096', '*=100000'];
    assert.deepEqual(withModelWindow(list, 'svc/auto', 16_384), ['svc/*=4096', '*=100000', 'svc/auto=16384']);
    assert.deepEqual(withModelWindow([], 'svc/auto', 1024), ['svc/auto=1024']);
  });

  it('apply by their exact name, then by the longest pattern, in any order', () => {
    const list = ['*=100000', 'svc/enterprise-*=131072', 'svc/*=4096', 'svc/auto=8192'];
    for (const declared of [list, list.toReversed()]) {
      const found = ['svc/auto', 'svc/autopilot', 'svc/enterprise-large', 'other'].map((model) =>
        declaredWindow(model, declared),
      );
      assert.deepEqual(found, [8192, 4096, 131_072, 100_000]);
    }
    assert.equal(declaredWindow('other', ['svc/*=4096']), null);
  });

  it('refuse a name that has no form there, and a number out of bounds', () => {
    for (const model of ['', '*', 'a*', 'a b', 'a=b', 'a\nb'])
      assert.equal(withModelWindow([], model, 4096), null, model);
    for (const tokens of [0, 1023, 16_777_217, 4096.5, Number.NaN]) {
      assert.equal(withModelWindow([], 'svc/auto', tokens), null, String(tokens));
    }
  });

  it('are always valid afterwards, with the number for the model', () => {
    const items = fc
      .tuple(fc.constantFrom('a', 'b/*', '*', 'svc/auto'), fc.integer({ min: 1024, max: 16_777_216 }))
      .map(([model, tokens]) => `${model}=${tokens}`);
    const lists = fc.uniqueArray(items, { selector: (item) => item.split('=')[0] });
    fc.assert(
      fc.property(lists, fc.string(), fc.integer({ min: 0, max: 20_000_000 }), (list, model, tokens) => {
        const changed = withModelWindow(list, model, tokens);
        if (changed === null) return;
        assert.ok(changed.every(isModelWindow));
        assert.equal(readValue('svc.context.windows', changed).is, 'value');
        assert.equal(declaredWindow(model, changed), tokens);
      }),
      { numRuns: 2000 },
    );
  });
});
