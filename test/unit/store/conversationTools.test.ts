import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import type { ToolStep } from '../../../src/session/tools/toolStep.ts';
import { attachment } from '../session/attachment.ts';
import { conversation, turn, Workspace } from './conversationSamples.ts';

const done: ToolStep = {
  ...{ id: '0.0', callId: 'c1', name: 'read_file', input: { path: 'a.ts' }, round: 0, at: 3, state: 'done' },
  allowed: 'once',
  output: { text: asOwn(''), attachments: [attachment({ label: 'a.ts' })], cutFrom: 70_000 },
};

describe('store: tool calls of a turn', () => {
  let workspace: Workspace;
  beforeEach(() => {
    workspace = new Workspace();
  });
  afterEach(() => workspace.remove());

  it('are restored unchanged', async () => {
    const denied: ToolStep = {
      ...done,
      id: '0.1',
      state: 'denied',
      output: { text: asOwn('Not allowed.'), attachments: [] },
    };
    await workspace.open().save(conversation('one', [turn('1', { steps: [done, denied], isWithoutTools: true })]));
    const read = await workspace.open().load('one');
    assert.deepEqual(read?.turns[0]?.answer.steps, [done, denied]);
    assert.equal(read?.turns[0]?.answer.isWithoutTools, true);
  });

  it('calls that were in progress are stopped, because their process is gone', async () => {
    const { allowed: _, output: __, ...open } = done;
    const steps: readonly ToolStep[] = [{ ...open, state: 'asking' }];
    await workspace.open().save(conversation('one', [turn('1', { steps, status: 'calling' })]));
    const [read] = (await workspace.open().load('one'))?.turns ?? [];
    assert.deepEqual([read?.state.status, read?.answer.steps[0]?.state], ['interrupted', 'stopped']);
  });

  it('are absent if the file has none or they are damaged, and the turn remains', async () => {
    await workspace.open().save(conversation('one', [turn('1', { steps: [done] })]));
    const path = workspace.path('one.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"read_file"', '7'));
    const [read] = (await workspace.open().load('one'))?.turns ?? [];
    assert.deepEqual([read?.answer.text, read?.answer.steps], ['answer 1', []]);
  });
});
