import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { answering, errorsShown, savingAs } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

const run = <T = { readonly ok: boolean; readonly reason?: string }>(
  command: string,
  ...args: unknown[]
): Thenable<T> => vscode.commands.executeCommand<T>(command, ...args);
const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
// Each test has its own folder: VS Code keeps the text of a file for a while after it was deleted.
let count = 0;
const at = (name: string): string => join(folder, `undone${count}`, name);
const put = (name: string, content: string | Uint8Array): vscode.Uri => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  return vscode.Uri.file(at(name));
};
const bytes = (name: string): string => readFileSync(at(name)).toString('latin1');

describe('the undo of what was accepted in a diff', () => {
  let stage: Stage;
  let code = '';
  let auditFolder = '';

  beforeEach(async () => {
    count += 1;
    stage = await openStageWithKey({ answer: () => `\`\`\`js\n${code}\`\`\`\n` });
    auditFolder = (await run<{ readonly folder: string }>('svc.auditLog.verify')).folder;
    await run('svc.newChat');
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await show(document);
      await run('workbench.action.revertAndCloseActiveEditor');
    }
    await run('workbench.action.closeAllEditors');
    await stage.close();
    rmSync(at(''), { recursive: true, force: true });
  });

  const edit = async (uri: vscode.Uri, answer: string): Promise<void> => {
    code = answer;
    assert.equal((await run('svc.editCode', { uri: uri.toString(), instruction: 'change it' })).ok, true);
  };
  const accept = async (): Promise<void> => assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
  const undoLast = () => run('svc.undoChanges');
  const type = async (document: vscode.TextDocument, text: string): Promise<void> => {
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(change));
  };
  /** Undoes the last accept, which leaves a file alone, and returns the words that say so. */
  const leftAlone = async (): Promise<string> => {
    const told = await errorsShown(async () => {
      assert.deepEqual(await undoLast(), { ok: false, reason: 'refused' });
    });
    return told.map(({ message }) => message).join();
  };

  const original = Buffer.from('\ufefflet a = 1;\r\nlet ü = 2;\r\nlet c = 3;');
  const answered = 'let a = 1;\nlet b = 2;\nlet c = 4;\n';

  it('restores a text that is not saved, and the document has no changes then', async () => {
    const uri = put('pay.js', original);
    const { document } = await show(uri);
    const before = document.getText();
    await edit(uri, answered);
    await accept();
    assert.match(document.getText(), /let b = 2;\r\n/);
    assert.ok(document.isDirty);
    assert.equal(bytes('pay.js'), original.toString('latin1'));
    assert.deepEqual(await undoLast(), { ok: true });
    assert.equal(document.getText(), before);
    assert.equal(document.isDirty, false);
    assert.equal(bytes('pay.js'), original.toString('latin1'));
    assert.deepEqual(await undoLast(), { ok: false, reason: 'none' });
  });

  it('restores each byte of a file that was saved since, even if it was formatted then', async () => {
    const uri = put('pay.js', original);
    const { document } = await show(uri);
    await edit(uri, answered);
    await accept();
    assert.ok(await document.save());
    assert.notEqual(bytes('pay.js'), original.toString('latin1'));
    await stage.set('files.insertFinalNewline', true);
    assert.deepEqual(await undoLast(), { ok: true });
    assert.equal(bytes('pay.js'), original.toString('latin1'));
    assert.equal(document.isDirty, false);
  });

  it('restores the text that was typed before and not saved, and leaves the file as it is', async () => {
    const uri = put('pay.js', 'let a = 1;\n');
    const { document } = await show(uri);
    await type(document, '// typed\n');
    await edit(uri, '// typed\nlet b = 2;\n');
    await accept();
    assert.ok(document.isDirty);
    assert.deepEqual(await undoLast(), { ok: true });
    assert.equal(document.getText(), '// typed\nlet a = 1;\n');
    assert.ok(document.isDirty);
    assert.equal(bytes('pay.js'), 'let a = 1;\n');
    await edit(uri, '// typed\nlet b = 2;\n');
    await accept();
    assert.ok(await document.save());
    assert.deepEqual(await undoLast(), { ok: true });
    assert.equal(document.getText(), '// typed\nlet a = 1;\n');
    // What the user has saved stays until they save again.
    assert.equal(bytes('pay.js'), '// typed\nlet b = 2;\n');
  });

  it('deletes a new file with its folders, and closes a new document', async () => {
    put('package.json', '{"devDependencies":{"mocha":"1"}}');
    const uri = put('src/pay.js', 'export const pay = () => 1;\n');
    const before = readdirSync(at(''), { recursive: true, encoding: 'utf8' }).sort();
    code = "import { pay } from '../src/pay.js';\nit('pays', () => pay());\n";
    assert.equal((await run('svc.generateTests', { uri: uri.toString() })).ok, true);
    await accept();
    const created = readdirSync(at(''), { recursive: true, encoding: 'utf8' });
    assert.ok(created.length > before.length, created.join());
    assert.deepEqual(await undoLast(), { ok: true });
    assert.deepEqual(readdirSync(at(''), { recursive: true, encoding: 'utf8' }).sort(), before);

    await run('workbench.action.closeAllEditors');
    assert.equal((await run('svc.generateCode', { instruction: 'pay' })).ok, true);
    await accept();
    const { document } = vscode.window.activeTextEditor ?? assert.fail('no document');
    assert.ok(document.isUntitled && document.getText().includes('pays'));
    assert.deepEqual(await undoLast(), { ok: true });
    // VS Code keeps the document for a while, without its text.
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    assert.deepEqual([document.getText(), tabs], ['', []]);
  });

  it('restores a single hunk, which can be decided again in the open diff', async () => {
    const uri = put('pay.js', 'a\nkeep\nb\n');
    await edit(uri, 'A\nkeep\nB\n');
    const diff = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(diff instanceof vscode.TabInputTextDiff);
    assert.deepEqual(await run('svc.acceptHunk', diff.modified, 2), { ok: true, left: 1 });
    assert.deepEqual(await undoLast(), { ok: true });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.getText(), 'a\nkeep\nb\n');
    const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', diff.modified);
    assert.equal(lenses.filter(({ command }) => command?.command === 'svc.acceptHunk').length, 2);
    await accept();
    assert.equal(document.getText(), 'A\nkeep\nB\n');
    assert.deepEqual(await undoLast(), { ok: true });
    assert.equal(document.getText(), 'a\nkeep\nb\n');
  });

  it('restores the cell of a notebook, and not its file', async () => {
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: 'let a = 1;' };
    const json = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    const notebook = await vscode.workspace.openNotebookDocument(put('pay.ipynb', json));
    await vscode.window.showNotebookDocument(notebook);
    await run('notebook.cell.edit');
    const { document } = notebook.cellAt(0);
    await until(vscode.window.onDidChangeActiveTextEditor, () => vscode.window.activeTextEditor?.document === document);
    code = 'let b = 2;\n';
    assert.equal((await run('svc.editCode', { instruction: 'change it' })).ok, true);
    await accept();
    assert.equal(document.getText().trimEnd(), 'let b = 2;');
    assert.deepEqual(await undoLast(), { ok: true });
    assert.equal(document.getText(), 'let a = 1;');
    assert.equal(bytes('pay.ipynb'), json);
    await notebook.save();
  });

  it('leaves a text alone that has changed since, in the editor, on the disk, or by its name', async () => {
    const typed = put('typed.js', 'let a = 1;\n');
    await edit(typed, 'let b = 2;\n');
    await accept();
    await type(await vscode.workspace.openTextDocument(typed), '// more\n');
    assert.match(await leftAlone(), /typed\.js has changed since, so it was not restored/);
    assert.equal((await vscode.workspace.openTextDocument(typed)).getText(), '// more\nlet b = 2;\n');

    const disk = put('disk.js', 'let a = 1;\n');
    await edit(disk, 'let b = 2;\n');
    await accept();
    writeFileSync(at('disk.js'), 'of git\n');
    assert.match(await leftAlone(), /disk\.js has changed since, so it was not restored/);
    assert.equal(bytes('disk.js'), 'of git\n');
    assert.equal((await vscode.workspace.openTextDocument(disk)).getText(), 'let b = 2;\n');

    const gone = put('gone.js', 'let a = 1;\n');
    await edit(gone, 'let b = 2;\n');
    await accept();
    await (await vscode.workspace.openTextDocument(gone)).save();
    await vscode.workspace.fs.rename(gone, vscode.Uri.file(at('other.js')));
    assert.match(await leftAlone(), /gone\.js has changed since, so it was not restored/);
    assert.deepEqual([existsSync(at('gone.js')), bytes('other.js')], [false, 'let b = 2;\n']);
  });

  it('takes the accepts of diffs in reverse order, and none of an earlier conversation', async () => {
    const [one, two] = [put('one.js', 'let a = 1;\n'), put('two.js', 'let a = 1;\n')];
    for (const uri of [one, two]) {
      await edit(uri, 'let b = 2;\n');
      await accept();
    }
    const textOf = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();
    assert.deepEqual(await undoLast(), { ok: true });
    assert.deepEqual([await textOf(one), await textOf(two)], ['let b = 2;\n', 'let a = 1;\n']);
    await run('svc.newChat');
    assert.deepEqual(await undoLast(), { ok: false, reason: 'none' });
    assert.equal(await textOf(one), 'let b = 2;\n');
  });

  it('deletes a copy that was saved as a new file, and restores the file that it replaced', async () => {
    const uri = put('pay.js', 'let a = 1;\n');
    put('other.js', 'of the user\r\n');
    for (const name of ['new.js', 'other.js']) {
      await edit(uri, 'let b = 2;\n');
      rmSync(at('pay.js'));
      await savingAs(vscode.Uri.file(at(name)), async () => {
        await answering('Save as New File…', () => run('svc.acceptProposal'));
      });
      assert.match(bytes(name), /^let b = 2;/);
      assert.deepEqual(await undoLast(), { ok: true });
      put('pay.js', 'let a = 1;\n');
    }
    assert.equal(existsSync(at('new.js')), false);
    assert.equal(bytes('other.js'), 'of the user\r\n');
  });

  it('writes nothing to a place where a link has come since', async () => {
    put('package.json', '{"devDependencies":{"mocha":"1"}}');
    put('test/other.test.js', "it('is', () => {});\n");
    put('elsewhere/own.js', '');
    const uri = put('src/pay.js', 'export const pay = () => 1;\n');
    const outside = join(folder, '..', 'undone-outside');
    mkdirSync(outside, { recursive: true });
    try {
      code = "import { pay } from '../src/pay.js';\nit('pays', () => pay());\n";
      assert.equal((await run('svc.generateTests', { uri: uri.toString() })).ok, true);
      for (const [target, reason] of [
        [outside, 'cancelled'],
        [at('elsewhere'), 'refused'],
      ] as const) {
        rmSync(at('test'), { recursive: true });
        symlinkSync(target, at('test'));
        assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason });
      }
      assert.deepEqual([readdirSync(outside), readdirSync(at('elsewhere'))], [[], ['own.js']]);
      rmSync(at('test'));
      await accept();
      assert.equal(readdirSync(at('test')).length, 1);
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  const records = (): readonly Readonly<Record<string, unknown>>[] =>
    readdirSync(auditFolder)
      .filter((name) => /^\d.*\.jsonl$/.test(name))
      .sort()
      .flatMap((name) => readFileSync(join(auditFolder, name), 'utf8').split('\n').slice(0, -1))
      .map((line) => JSON.parse(line))
      .filter(({ kind }) => /^(?:changes-|code-)/.test(kind));

  it('is recorded as that of a change set of one file, which has its accept before', async () => {
    const uri = put('pay.js', 'let a = 1;\n');
    const before = records().length;
    await edit(uri, 'let b = 2;\nlet d = 3;\n');
    await accept();
    await undoLast();
    await edit(uri, 'let b = 2;\n');
    await run('svc.rejectProposal');
    await edit(uri, 'let b = 2;\n');
    await run('workbench.action.closeActiveEditor');
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await until(vscode.window.tabGroups.onDidChangeTabs, () =>
      tabs().every(({ input }) => !(input instanceof vscode.TabInputTextDiff)),
    );
    // It is carried out after the decisions before it.
    assert.deepEqual(await undoLast(), { ok: false, reason: 'none' });
    const fresh = records().slice(before);
    const counts = { files: 1, shown: 1, created: 0, deleted: 0, renamed: 0, added: 2, removed: 1 };
    const [accepted, written, , undone, rejected, closed] = fresh;
    assert.deepEqual(
      fresh.map(({ kind }) => kind),
      ['changes-accept', 'changes-written', 'code-accepted', 'changes-undone', 'changes-rejected', 'changes-rejected'],
    );
    for (const [name, value] of Object.entries(counts)) assert.equal(accepted?.[name], value, name);
    assert.deepEqual([written?.files, written?.outcome], [1, 'complete']);
    assert.deepEqual([undone?.files, undone?.leftAlone], [1, 0]);
    assert.equal(new Set([accepted, written, undone].map((record) => record?.set)).size, 1);
    assert.equal(new Set([accepted, rejected, closed].map((record) => record?.set)).size, 3);
  });
});
