import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { answering, savingAs, told } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

const run = <T = { ok: boolean; reason?: string }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('a proposal whose file has moved', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'moved');
  let stage: Stage;
  beforeEach(async () => {
    mkdirSync(join(folder, 'src'), { recursive: true });
    stage = await openStageWithKey({ answer: () => '```js\nlet b = 2;\n```\n' });
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  const before = 'let a = 1;\n';
  const after = 'let b = 2;\n';
  /** Each name is used once: VS Code caches a document of an earlier test. */
  const propose = async (name: string, isOpen = true): Promise<string> => {
    const path = join(folder, name);
    writeFileSync(path, before);
    if (isOpen) await show(vscode.Uri.file(path), { preview: false });
    await run('svc.editCode', { uri: vscode.Uri.file(path).toString(), instruction: 'rename it' });
    return path;
  };
  const label = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
  const rename = async (from: string, to: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(from), vscode.Uri.file(to));
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  const isShown = (name: string): Promise<void> =>
    until(vscode.window.tabGroups.onDidChangeTabs, () => label() === `Changes to ${name}`);
  /** Accepts, and answers the prompt on the way. */
  const accept = async (button?: string) => {
    let decided: { ok: boolean; reason?: string } | undefined;
    const asked = await answering(button, async () => {
      decided = await run('svc.acceptProposal');
    });
    return { decided, asked };
  };

  for (const isOpen of [true, false]) {
    it(`follows a rename in VS Code, ${isOpen ? 'open in an editor' : 'in no editor'}`, async () => {
      const name = isOpen ? 'open' : 'closed';
      const from = await propose(`${name}.js`, isOpen);
      const to = join(folder, `${name}-renamed.js`);
      await rename(from, to);
      await isShown(`${name}-renamed.js`);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      await vscode.workspace.saveAll(true);
      assert.deepEqual([existsSync(from), readFileSync(to, 'utf8')], [false, after]);
    });
  }

  it('follows a rename or a move of a folder above it', async () => {
    const from = await propose(join('src', 'below.js'));
    await rename(join(folder, 'src'), join(folder, 'lib'));
    const to = join(folder, 'lib', 'below.js');
    await until(vscode.window.tabGroups.onDidChangeTabs, () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff && input.modified.path.startsWith(vscode.Uri.file(to).path);
    });
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    await vscode.workspace.saveAll(true);
    assert.deepEqual([existsSync(from), readFileSync(to, 'utf8')], [false, after]);
  });

  it('ends if it is for a cell of a notebook, and reports this', async () => {
    const path = join(folder, 'pay.ipynb');
    const one = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: before };
    writeFileSync(path, JSON.stringify({ cells: [one], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(notebook);
    await run('notebook.cell.edit');
    const { document } = notebook.cellAt(0);
    await until(vscode.window.onDidChangeActiveTextEditor, () => vscode.window.activeTextEditor?.document === document);
    assert.equal((await run('svc.editCode', { instruction: 'rename it' })).ok, true);
    const isProposed = (): boolean =>
      vscode.window.tabGroups.all.some(({ tabs }) => tabs.some((tab) => tab.label === 'Changes to pay.ipynb'));
    assert.equal(isProposed(), true);
    const messages = await told('Warning', async () => {
      await rename(path, join(folder, 'paid.ipynb'));
      await until(vscode.window.tabGroups.onDidChangeTabs, () => !isProposed());
    });
    assert.deepEqual(messages, ['The changes to pay.ipynb are no longer open, because the file was renamed or moved.']);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
  });

  const ways: Readonly<Record<string, (path: string) => unknown>> = {
    'deleted in VS Code': async (path) => {
      const edit = new vscode.WorkspaceEdit();
      edit.deleteFile(vscode.Uri.file(path));
      assert.ok(await vscode.workspace.applyEdit(edit));
    },
    'deleted on the disk': (path) => rmSync(path),
    'moved on the disk': (path) => renameSync(path, `${path}.moved`),
  };
  for (const [way, lose] of Object.entries(ways)) {
    it(`reports it when it was ${way}, and writes nothing there`, async () => {
      const name = `${way.replaceAll(' ', '-')}.js`;
      const path = await propose(name);
      await lose(path);
      const { decided, asked } = await accept();
      assert.deepEqual(decided, { ok: false, reason: 'gone' });
      assert.deepEqual(
        asked.map(({ message, buttons }) => [message, buttons]),
        [[`${name} was deleted or moved, so nothing was written.`, ['Save as New File…']]],
      );
      assert.equal(existsSync(path), false);
      const to = join(folder, `new-${name}`);
      await savingAs(vscode.Uri.file(to), async () => {
        assert.deepEqual((await accept('Save as New File…')).decided, { ok: true, left: 0 });
      });
      await vscode.workspace.saveAll(true);
      assert.deepEqual([existsSync(path), readFileSync(to, 'utf8')], [false, after]);
      assert.deepEqual((await accept()).decided, { ok: false, reason: 'none' });
    });
  }

  it('is saved as a new file under the rules of other writes', async () => {
    rmSync(await propose('rules.js'));
    const excluded = join(folder, '.env');
    await savingAs(vscode.Uri.file(excluded), async () => {
      assert.deepEqual((await accept('Save as New File…')).decided, { ok: false, reason: 'gone' });
    });
    assert.equal(existsSync(excluded), false);
    await stage.set('svc.compliance.zeroRetention', true);
    const to = join(folder, 'kept.js');
    await savingAs(vscode.Uri.file(to), async () => {
      const { decided, asked } = await accept('Save as New File…');
      assert.deepEqual(decided, { ok: false, reason: 'gone' });
      assert.deepEqual(asked.at(-1)?.buttons, ['Save Anyway']);
    });
    assert.equal(existsSync(to), false);
    const guarded = join(folder, '.vscode', 'tasks.js');
    await stage.set('svc.compliance.zeroRetention', false);
    await savingAs(vscode.Uri.file(guarded), async () => {
      assert.deepEqual((await accept('Save as New File…')).asked.at(-1)?.buttons, ['Write It']);
    });
    assert.equal(existsSync(guarded), false);
  });
});
