import assert from 'node:assert/strict';
import type { ToolStep, ToolStepState } from '../../../src/session/tools/toolStep.ts';
import { hostModule } from '../../tools/hostModule.ts';
import { unwrapped } from '../../tools/pseudo.ts';
import { attachment } from '../session/attachment.ts';

type Module = typeof import('../../../src/host/tools/describeTool.ts');

const step: ToolStep = {
  ...{ id: '0.0', callId: 'c1', name: 'read_file', input: { path: 'src/a.ts' }, round: 0, at: 0, state: 'done' },
  allowed: 'once',
  output: { text: '', attachments: [attachment({ label: 'a.ts', text: 'x'.repeat(3_000) })], cutFrom: 9_000 },
};

describe('host: a tool call as the panel shows it', () => {
  it('shows its subject, how it was allowed, its size and that it was truncated', async () => {
    const { viewStep } = await hostModule<Module>('src/host/tools/describeTool.ts', 'en');
    const view = viewStep(step);
    assert.equal(view.title, 'read_file · src/a.ts');
    assert.equal(view.note, 'allowed once · 2.9 kB · cut, there were 8.8 kB');
    assert.equal(view.input, '{\n  "path": "src/a.ts"\n}');
    assert.match(view.result ?? '', /^a\.ts\n```/);
    assert.deepEqual([view.result?.length, view.hasMore], [2_000, true]);
  });

  it('hides nothing of what the user is asked about', async () => {
    const { viewStep } = await hostModule<Module>('src/host/tools/describeTool.ts', 'en');
    const { title, input } = viewStep({ ...step, input: { path: 'a\u202etxt.\u{e0041}\n' } });
    assert.equal(title, 'read_file · a\\u202etxt.\\udb40\\udc41\n');
    assert.deepEqual(JSON.parse(input), { path: 'a\u202etxt.\u{e0041}\n' });
    assert.match(input, /^[\n\x20-\x7e]+$/);
  });

  it('has a text for every state, in the language of the user', async () => {
    const { viewStep, withoutToolsWords } = await hostModule<Module>('src/host/tools/describeTool.ts', 'pseudo');
    const { output: _, ...open } = step;
    const states = ['waiting', 'asking', 'running', 'failed', 'refused', 'denied', 'stopped', 'capped'] as const;
    for (const state of states satisfies readonly ToolStepState[]) {
      assert.equal(unwrapped(viewStep({ ...open, state }).note), undefined, state);
    }
    for (const part of viewStep({ ...step, allowed: 'conversation' }).note.split(' · ')) {
      if (!/^[\d.]+ kB$/.test(part)) assert.equal(unwrapped(part), undefined, part);
    }
    assert.equal(unwrapped(withoutToolsWords('⟦svc/auto⟧')), undefined);
  });
});
