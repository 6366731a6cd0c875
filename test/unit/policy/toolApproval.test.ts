import assert from 'node:assert/strict';
import type { Layer } from '../../../src/policy/requestPolicy.ts';
import { toolApprovals } from '../../../src/policy/settings.ts';
import { resolveToolApproval, type ToolApproval } from '../../../src/policy/toolApproval.ts';

const layersOf = (...values: readonly unknown[]): readonly Layer[] =>
  values.map((value, index) => ({
    layer: (['user', 'remote', 'workspace', 'folder'] as const)[index] ?? 'folder',
    values: value === undefined ? {} : { 'svc.tools.approval': value },
  }));

describe('approval of tool calls', () => {
  const rows: readonly (readonly [
    what: string,
    layers: readonly unknown[],
    managed: ToolApproval | undefined,
    expected: ToolApproval,
  ])[] = [
    ['nothing is set', [undefined, undefined, undefined], undefined, 'conversation'],
    ['the user asks for reads', ['reads'], undefined, 'reads'],
    ['only the workspace asks for reads', [undefined, undefined, 'reads'], undefined, 'conversation'],
    ['only the remote machine asks for reads', [undefined, 'reads'], undefined, 'conversation'],
    ['the workspace is stricter', ['reads', undefined, 'conversation'], undefined, 'conversation'],
    ['the workspace asks for each', ['reads', undefined, 'each'], undefined, 'each'],
    ['a folder asks for each', ['reads', undefined, 'reads', undefined, 'each'], undefined, 'each'],
    ['the workspace is less strict', ['each', undefined, 'reads'], undefined, 'each'],
    ['the policy is stricter', ['reads'], 'conversation', 'conversation'],
    ['the policy asks for each', ['reads', undefined, 'conversation'], 'each', 'each'],
    ['the policy is less strict', ['each'], 'conversation', 'each'],
  ];
  for (const [what, values, managed, approval] of rows) {
    it(`is ${approval} if ${what}`, () => {
      assert.deepEqual(resolveToolApproval(layersOf(...values), managed), { ok: true, approval });
    });
  }

  it('is never less strict than any layer and the policy, whatever their order', () => {
    const rank = (value: ToolApproval = 'reads'): number => toolApprovals.indexOf(value);
    const values = [undefined, ...toolApprovals];
    for (const user of values)
      for (const workspace of values)
        for (const managed of values) {
          const found = resolveToolApproval(layersOf(user, undefined, workspace), managed);
          assert.ok(found.ok);
          const strictest = Math.max(rank(user ?? 'conversation'), rank(workspace), rank(managed));
          assert.equal(rank(found.approval), strictest, `${user} ${workspace} ${managed}`);
        }
  });

  for (const value of ['Each', '', null, true, ['each'], { each: true }]) {
    it(`is unknown where a layer has ${JSON.stringify(value)}`, () => {
      const layer = { layer: 'workspace' };
      assert.deepEqual(resolveToolApproval(layersOf('each', undefined, value), 'each'), { ok: false, layer });
    });
  }
});
