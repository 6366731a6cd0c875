import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { InlineCompletions } from '../../../src/features/inline/vscode/inlineCompletions.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStage, type Stage } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const rest = ' = 1 + 2;';

/** Requests that go on while the user types, asked for as VS Code asks: with a token that the next keystroke cancels. */
describe('inline completions whose request is kept', () => {
  let stage: Stage;
  let parts: OwnParts;
  let completions: InlineCompletions;
  let changed: vscode.EventEmitter<void>;
  let token: vscode.CancellationTokenSource;

  beforeEach(async () => {
    stage = await openStage({ answer: () => rest });
    parts = new OwnParts();
    changed = new vscode.EventEmitter();
    token = new vscode.CancellationTokenSource();
    const contextReader = { onDidChange: changed.event };
    const ignored = { onAccepted: async () => undefined, requireEnd: () => undefined };
    completions = new InlineCompletions({ dispatch: parts.dispatch, contextReader, ...ignored });
  });
  afterEach(async () => {
    completions.dispose();
    changed.dispose();
    await parts.client.dispose();
    await stage.close();
  });

  /** The texts that are shown at the cursor. */
  async function at({ document, selection }: vscode.TextEditor): Promise<readonly unknown[]> {
    token.cancel();
    token = new vscode.CancellationTokenSource();
    const context = { triggerKind: vscode.InlineCompletionTriggerKind.Automatic } as vscode.InlineCompletionContext;
    const items = await completions.provideInlineCompletionItems(document, selection.active, context, token.token);
    return items.map(({ insertText }) => insertText);
  }

  async function open(content: string): Promise<vscode.TextEditor> {
    const editor = await show(await openUntitled(content, 'javascript'));
    toEnd(editor);
    return editor;
  }

  function toEnd(editor: vscode.TextEditor): void {
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(end, end);
  }

  async function type(editor: vscode.TextEditor, text: string): Promise<void> {
    const end = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    assert.ok(await editor.edit((edit) => edit.insert(end, text)));
    toEnd(editor);
  }

  const asked = (count: number) => stage.service.waitFor(() => stage.service.chats.length === count);

  it('show its answer without what was typed since', async () => {
    const held = stage.service.holdChunks();
    const editor = await open('// typed\nconst a');
    const first = at(editor);
    await asked(1);
    await type(editor, ' =');
    const second = at(editor);
    assert.deepEqual(await first, []);
    await type(editor, ' 1');
    const third = at(editor);
    held.release();
    assert.deepEqual(await third, [' + 2;']);
    assert.deepEqual(await second, []);
    await type(editor, ' +');
    assert.deepEqual(await at(editor), [' 2;']);
    assert.equal(stage.service.chats.length, 1);
    assert.equal(await stage.service.chats[0]?.ended, 'finished');
  });

  it('end it with a keystroke that its answer does not have, after an undo, and in another document', async () => {
    const held = stage.service.holdChunks();
    const editor = await open('// elsewhere\nconst a');
    void at(editor);
    const one = await asked(1);
    await type(editor, ' ');
    void at(editor);
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('deleteLeft');
    void at(editor);
    assert.equal(await one.ended, 'cut');
    const two = await asked(2);
    const other = await open('// other\nconst b');
    const shown = at(other);
    assert.equal(await two.ended, 'cut');
    await asked(3);
    held.release();
    assert.deepEqual(await shown, [rest]);
  });

  it('show no part of a file that was excluded in the meantime, neither then nor later', async () => {
    const uri = vscode.Uri.joinPath(folder, 'keptSource.js');
    const rules = vscode.Uri.joinPath(folder, '.svcignore').fsPath;
    writeFileSync(uri.fsPath, 'const a');
    try {
      const held = stage.service.holdChunks();
      const editor = await show(await vscode.workspace.openTextDocument(uri));
      toEnd(editor);
      const first = at(editor);
      await asked(1);
      writeFileSync(rules, 'keptSource.js\n');
      held.release();
      assert.deepEqual(await first, []);
      assert.deepEqual(await at(editor), []);
      assert.equal(stage.service.chats.length, 1);
      // It was only the file: the answer is known.
      rmSync(rules);
      assert.deepEqual(await at(editor), [rest]);
      assert.equal(stage.service.chats.length, 1);
    } finally {
      rmSync(rules, { force: true });
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      rmSync(uri.fsPath);
    }
  });

  it('show nothing that was asked or answered before a change of the policy', async () => {
    const held = stage.service.holdChunks();
    const editor = await open('// policy\nconst a');
    const first = at(editor);
    const one = await asked(1);
    parts.policy = { ...parts.policy, disabledFeatures: ['inlineCompletions'] };
    changed.fire();
    assert.equal(await one.ended, 'cut');
    assert.deepEqual(await first, []);
    held.release();
    assert.deepEqual(await at(editor), []);
    assert.equal(stage.service.chats.length, 1);
    assert.notEqual(completions.pauseFor(editor.document), null);
  });

  it('pause once for its error, whoever waits for it', async () => {
    const editor = await open('// paused\nconst a');
    stage.service.setScenario('rate-limit', { retryAfterSeconds: 100 });
    void at(editor);
    await asked(1);
    await type(editor, ' =');
    assert.deepEqual(await at(editor), []);
    const pause = completions.pauseFor(editor.document);
    assert.equal(pause?.faults, 1);
    assert.equal(pause.error.kind, 'rateLimit');
    await type(editor, ' ');
    assert.deepEqual(await at(editor), []);
    assert.equal(stage.service.chats.length, 1);
  });

  it('end it when they are no longer there', async () => {
    stage.service.holdChunks();
    const editor = await open('// gone\nconst a');
    void at(editor);
    const one = await asked(1);
    completions.dispose();
    assert.equal(await one.ended, 'cut');
  });
});
