import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { useCode } from '../../../src/features/edits/vscode/useCode.ts';
import { isKept, retentionOf } from '../../../src/platform/confirm/keptOnDisk.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { fieldsOf, turnOf } from '../../tools/turns.ts';
import { answering } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);
const untitled = (): number =>
  vscode.workspace.textDocuments.filter((each) => each.isUntitled && !each.isClosed).length;

describe('documents that VS Code backs up, under zero retention', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
    await run('workbench.action.closeAllEditors');
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });

  const turn = turnOf({
    ...{ id: 'a', prompt: 'x' },
    ...{ answer: 'const a = 1;', model: 'svc/auto' },
  });
  const asked = { turnId: 'a', way: 'newFile', info: 'ts', text: 'const a = 1;\n' } as const;

  it('are opened from an answer only after confirmation', async () => {
    const { contextReader } = new OwnParts();
    const open = (turns: readonly Turn[]) => useCode({ proposals: undefined as never, contextReader }, turns, asked);
    const before = untitled();
    assert.deepEqual(await answering(undefined, () => open([turn])), []);
    assert.equal(untitled(), before + 1);
    await stage.set('svc.compliance.zeroRetention', true);
    const refused = await answering(undefined, () => open([turn]));
    assert.deepEqual(
      refused.map(({ buttons }) => buttons),
      [['Open Anyway']],
    );
    assert.equal(untitled(), before + 1);
    await answering('Open Anyway', () => open([turn]));
    assert.equal(untitled(), before + 2);
  });

  it('require confirmation for content sent under it, even if the settings change later', () => {
    const { contextReader } = new OwnParts();
    assert.equal(isKept(contextReader, [turn]), true);
    assert.equal(isKept(contextReader, [turnOf({ ...fieldsOf(turn), isZeroRetention: true }), turn]), false);
  });

  it('keep a question out of files while its request is composed, if any folder may be under it', () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? assert.fail('no workspace');
    const retention = (folders: readonly string[]) => (folders.includes(folder) ? 'none' : 'keep');
    const composed = turnOf({ ...fieldsOf(turn), places: ['file:///elsewhere'] });
    assert.equal(retentionOf([turn], { retention }), 'unknown');
    assert.equal(retentionOf([composed], { retention }), 'keep');
    assert.equal(retentionOf([composed, turn], { retention }), 'unknown');
    // The instructions of the folder were sent with it.
    assert.equal(retentionOf([turnOf({ ...fieldsOf(turn), places: [folder] })], { retention }), 'none');
    assert.equal(retentionOf([turn], { retention: () => 'keep' }), 'keep');
  });

  it('receive accepted code only after confirmation', async () => {
    await stage.set('svc.compliance.zeroRetention', true);
    const before = untitled();
    await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    let decided: unknown;
    const accept = async (): Promise<void> => {
      decided = await run('svc.acceptProposal');
    };
    assert.equal((await answering(undefined, accept)).length, 1);
    assert.deepEqual(decided, { ok: false, reason: 'cancelled' });
    assert.equal(untitled(), before);
    await answering('Open Anyway', accept);
    assert.deepEqual(decided, { ok: true, left: 0 });
    assert.equal(untitled(), before + 1);
  });
});
