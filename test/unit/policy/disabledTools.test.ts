import assert from 'node:assert/strict';
import { disabledTools } from '../../../src/policy/disabledTools.ts';
import type { Layer } from '../../../src/policy/requestPolicy.ts';

const layer = (name: Layer['layer'], value?: unknown): Layer => ({
  layer: name,
  values: value === undefined ? {} : { 'svc.tools.disabled': value },
});

describe('disabled tools', () => {
  it('are those of all layers, each with the outermost that names it', () => {
    const found = disabledTools([layer('user', ['a']), layer('remote'), layer('workspace', ['b', 'a'])]);
    assert.deepEqual(found, {
      ok: true,
      names: new Map([
        ['a', { layer: 'user' }],
        ['b', { layer: 'workspace' }],
      ]),
    });
  });

  for (const value of ['a', [1], { a: true }, null, true]) {
    it(`are unknown where a layer has ${JSON.stringify(value)}`, () => {
      const found = disabledTools([layer('user', ['a']), layer('workspace', value)]);
      assert.deepEqual(found, { ok: false, layer: { layer: 'workspace' } });
    });
  }
});
