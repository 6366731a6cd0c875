import assert from 'node:assert/strict';
import type { ToolStepState } from '../../../../src/protocol/toolStepState.ts';
import { asOwn } from '../../../../src/session/tools/ownText.ts';
import type { ToolStep } from '../../../../src/session/tools/toolStep.ts';
import { hostModule } from '../../../tools/hostModule.ts';
import { unwrapped } from '../../../tools/pseudo.ts';
import { attachment } from '../../session/attachment.ts';

type Module = typeof import('../../../../src/features/tools/vscode/describeTool.ts');

const step: ToolStep = {
  ...{ id: '0.0', callId: 'c1', name: 'read_file', input: { path: 'src/a.ts' }, round: 0, at: 0, state: 'done' },
  allowed: 'once',
  output: { text: asOwn(''), attachments: [attachment({ label: 'a.ts', text: 'x'.repeat(3_000) })], cutFrom: 9_000 },
};

describe('host: a tool call as the panel shows it', () => {
  it('shows its subject, how it was allowed, its size and that it was truncated', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'en');
    const view = viewStep(step);
    assert.deepEqual([view.title, view.question, view.showsInput], ['Read src/a.ts', undefined, undefined]);
    assert.equal(view.note, 'allowed once · 2.9 kB · cut, there were 8.8 kB');
    assert.equal(view.input, '{\n  "path": "src/a.ts"\n}');
    assert.match(view.result ?? '', /^a\.ts\n```/);
    assert.deepEqual([view.result?.length, view.hasMore], [2_000, true]);
  });

  it('does not mention a permission for a call that ran without a question', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'en');
    const { allowed: _, ...unasked } = step;
    assert.equal(viewStep(unasked).note, '2.9 kB · cut, there were 8.8 kB');
  });

  it('asks in words what a tool of ours would do', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'en');
    for (const [name, input, words] of [
      ['read_file', { path: 'src/a.ts', firstLine: 1, lastLine: 80 }, 'read lines 1 to 80 of src/a.ts'],
      ['read_file', { path: 'src/a.ts', firstLine: 12 }, 'read src/a.ts from line 12'],
      ['read_file', { path: 'src/a.ts', lastLine: 9 }, 'read src/a.ts up to line 9'],
      ['list_files', {}, 'list the files of the workspace'],
      ['list_files', { path: 'src' }, 'list the files in src'],
      ['search_text', { query: 'fee' }, 'search the workspace for “fee”'],
      ['search_text', { query: 'fee', files: '**/*.ts' }, 'search **/*.ts for “fee”'],
      ['find_symbols', { query: 'pay' }, 'find symbols named “pay”'],
      ['get_problems', {}, 'read all problems'],
      ['get_problems', { path: 'a.ts' }, 'read the problems in a.ts'],
      ['git_diff', { staged: true }, 'read the staged Git changes'],
      ['git_diff', {}, 'read the Git changes since the last commit'],
    ] as const) {
      const { question, showsInput } = viewStep({ ...step, name, input, state: 'asking' });
      assert.deepEqual([question, showsInput], [`Svc wants to ${words}`, undefined]);
    }
  });

  it('shows a path as it is written, in German too, where it could be the first word', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'de');
    for (const [name, input] of [
      ['read_file', { path: 'src/a.ts' }],
      ['read_file', { path: 'src/a.ts', firstLine: 1, lastLine: 80 }],
      ['read_file', { path: 'src/a.ts', firstLine: 12 }],
      ['read_file', { path: 'src/a.ts', lastLine: 9 }],
      ['list_files', { path: 'src/a.ts' }],
      ['search_text', { query: 'fee', files: 'src/a.ts' }],
      ['get_problems', { path: 'src/a.ts' }],
      ['edit_file', { path: 'src/a.ts', oldString: 'a', newString: 'b' }],
      ['write_file', { path: 'src/a.ts', content: 'a' }],
      ['delete_file', { path: 'src/a.ts' }],
      ['rename_file', { from: 'src/a.ts', to: 'src/b.ts' }],
    ] as const) {
      assert.match(viewStep({ ...step, name, input }).title, /^\p{Lu}.*src\/a\.ts/u);
    }
  });

  it('shows the details of a question, and that only this call can be allowed', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'en');
    const asking = {
      ...step,
      name: 'run_task',
      input: { name: 'test\nx' },
      state: 'asking',
      isOnlyOnce: true,
    } as const;
    const view = viewStep({ ...asking, question: 'npm test', asked: 3 });
    assert.deepEqual(
      [view.question, view.detail, view.asked, view.isOnlyOnce, view.showsInput],
      ['Svc wants to run the task test\\nx', 'npm test', 3, true, undefined],
    );
  });

  it('shows the input immediately where the words do not have all of it', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'en');
    const asking = { ...step, state: 'asking' } as const;
    const other = viewStep({ ...asking, name: 'docs_search', input: { path: 'a.ts', force: true } });
    assert.deepEqual([other.question, other.showsInput], ['Svc wants to use the tool docs_search', true]);
    const long = viewStep({ ...asking, input: { path: `${'a/'.repeat(150)}.env` } });
    assert.deepEqual([long.question?.endsWith('…'), long.showsInput], [true, true]);
    const more = viewStep({ ...asking, input: { path: 'a.ts', mode: 'all' } });
    assert.deepEqual([more.question, more.showsInput], ['Svc wants to read a.ts', true]);
    assert.deepEqual([more.isOnlyOnce, viewStep({ ...asking, isOnlyOnce: true }).isOnlyOnce], [undefined, true]);
    const wrong = viewStep({ ...asking, input: { path: 7 } });
    assert.deepEqual([wrong.question, wrong.showsInput], ['Svc wants to use the tool read_file', true]);
  });

  it('hides nothing of what the user is asked about', async () => {
    const { viewStep } = await hostModule<Module>('src/features/tools/vscode/describeTool.ts', 'en');
    const { title, input } = viewStep({ ...step, input: { path: 'a\u202etxt.\u{e0041}\n' } });
    assert.equal(title, 'Read a\\u202etxt.\\udb40\\udc41\\n');
    assert.deepEqual(JSON.parse(input), { path: 'a\u202etxt.\u{e0041}\n' });
    assert.match(input, /^[\n\x20-\x7e]+$/);
  });

  it('has a text for every state, in the language of the user', async () => {
    const { viewStep, withoutToolsWords } = await hostModule<Module>(
      'src/features/tools/vscode/describeTool.ts',
      'pseudo',
    );
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
