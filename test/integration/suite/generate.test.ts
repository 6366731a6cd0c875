import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { pressing, savingAs } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';
import { undo } from './undo.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('generate', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStageWithKey();
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });

  const open = async (content: string): Promise<vscode.TextEditor> => {
    const document = await openUntitled(content, 'typescript');
    return show(document);
  };

  it('shows a diff, writes nothing until it is accepted, and is undone by one undo', async () => {
    const { document } = await open('const before = 1;\n');
    const generated = await run<{ ok: boolean; code: string }>('svc.generateCode', {
      instruction: 'a function that adds two numbers',
    });
    assert.equal(generated.ok, true);
    assert.match(generated.code, /function/);
    assert.equal(document.getText(), 'const before = 1;\n');
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(tab instanceof vscode.TabInputTextDiff);
    assert.equal(tab.modified.scheme, 'svc-proposal');
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(document.getText(), `const before = 1;\n${generated.code}`);
    await undo(document);
    assert.equal(document.getText(), 'const before = 1;\n');
  });

  it('4.4 uses the model for code', async () => {
    await open('');
    await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    const body = stage.service.chats[0]?.json as { model: string } | undefined;
    assert.equal(body?.model, 'svc/enterprise-coder-v1');
  });

  it('leaves the file unchanged when it is rejected', async () => {
    const { document } = await open('const before = 1;\n');
    await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    assert.deepEqual(await run('svc.rejectProposal'), { ok: true, left: 0 });
    assert.equal(document.getText(), 'const before = 1;\n');
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
  });

  it('is not applied to a file that changed in the meantime', async () => {
    const editor = await open('const before = 1;\n');
    await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, new vscode.Position(0, 0), '// changed\n');
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'changed' });
    assert.equal(editor.document.getText(), '// changed\nconst before = 1;\n');
  });

  it('is offered as a new file if the file changed in the meantime', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
    const file = vscode.Uri.joinPath(root, 'saved-elsewhere.ts');
    const editor = await open('const before = 1;\n');
    await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, new vscode.Position(0, 0), '// changed\n');
    await vscode.workspace.applyEdit(edit);
    const accept = async (): Promise<void> => {
      assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'changed' });
      const isShown = (): boolean => vscode.window.activeTextEditor?.document.uri.toString() === file.toString();
      await until(vscode.window.onDidChangeActiveTextEditor, isShown);
    };
    try {
      await savingAs(file, () => pressing('Save as New File…', accept, 'Error'));
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      assert.match(text, /^const before = 1;\n(.*\n)*.*function/);
      assert.equal(editor.document.getText(), '// changed\nconst before = 1;\n');
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });

  it('uses a selected comment as the instruction, and keeps tabs and CRLF', async () => {
    const editor = await open('class A {\r\n\t// a function that adds two numbers\r\n}\r\n');
    editor.selection = new vscode.Selection(1, 0, 1, 40);
    const generated = await run<{ ok: boolean; code: string }>('svc.generateCode');
    assert.equal(generated.ok, true);
    await run('svc.acceptProposal');
    const lines = editor.document.getText().split('\r\n');
    assert.equal(lines[1], '\t// a function that adds two numbers');
    assert.ok(lines[2]?.startsWith('\t'));
    assert.equal(lines.at(-2), '}');
    assert.ok(!editor.document.getText().replace(/\r\n/g, '').includes('\n'));
  });

  it('leaves no proposal behind when the answer is interrupted', async () => {
    const { document } = await open('const before = 1;\n');
    stage.service.enqueue('cut-mid-stream');
    const result = await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    assert.equal(result.ok, false);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
    assert.equal(document.getText(), 'const before = 1;\n');
    const diffs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.filter(({ input }) => input instanceof vscode.TabInputTextDiff),
    );
    assert.deepEqual(diffs, []);
  });
});

describe('generate at a half-written line', () => {
  let stage: Stage;
  let given = '';
  beforeEach(async () => {
    stage = await openStageWithKey({ answer: () => given });
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });

  it('completes the line, which the answer gives again or continues', async () => {
    const text = 'class A {\n  total() {\n    const all = ;\n  }\n}\n';
    for (const code of ['const all = sum(1);', 'sum(1)']) {
      const editor = await show(await openUntitled(text, 'typescript'));
      editor.selection = new vscode.Selection(2, 16, 2, 16);
      stage.service.clear();
      given = `\`\`\`ts\n${code}\n\`\`\`\n`;
      assert.ok((await run('svc.generateCode', { instruction: 'the sum of one' })).ok);
      const body = stage.service.chats[0]?.json as { messages: { content: string }[] };
      assert.match(
        body.messages[0]?.content ?? '',
        /is half-written[\s\S]*\n {2}total\(\) \{\n {4}const all = <insert here>;\n {2}\}\n/,
      );
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(editor.document.getText(), text.replace('const all = ;', 'const all = sum(1);'));
      await undo(editor.document);
    }
  });
});
