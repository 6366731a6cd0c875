import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { otherFiles } from '../../../src/features/edits/vscode/placing/related.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('files that a file imports', () => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
  const root = join(folder.fsPath, 'imports');
  let stage: Stage;

  const put = (path: string, text: string): vscode.Uri => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  beforeEach(async () => {
    stage = await openStageWithKey();
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await run('workbench.action.closeAllEditors');
    rmSync(root, { recursive: true, force: true });
    await stage.close();
  });

  const sent = (): string => {
    const body = stage.service.chats.at(-1)?.json as { messages: { content: string }[] } | undefined;
    return body?.messages.at(-1)?.content ?? '';
  };
  const labels = async (uri: vscode.Uri): Promise<readonly string[]> =>
    (await otherFiles(await vscode.workspace.openTextDocument(uri))).map(({ label }) => label.replace('imports/', ''));
  const lensesAt = async (): Promise<readonly string[]> => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', input.modified);
    return lenses.flatMap(({ command }) => command?.title ?? []);
  };

  it('go along with an edit and with generated code, and the diff names them', async () => {
    put('tax.ts', 'export const tax = 0.19;\n');
    put('unrelated.ts', 'export const unrelated = 1;\n');
    const pay = put('pay.ts', "import { tax } from './tax';\n\nexport const a = tax;\n");
    await show(pay);
    assert.ok((await run('svc.editCode', { uri: pay, start: 2, end: 3, instruction: 'rename a to total' })).ok);
    assert.match(sent(), /For context only[\s\S]*imports\/tax\.ts\n```typescript\nexport const tax = 0\.19;/);
    assert.doesNotMatch(sent(), /unrelated/);
    assert.ok((await lensesAt()).includes('Sent as context: imports/tax.ts'), String(await lensesAt()));
    await run('svc.rejectProposal');
    await show(pay);
    assert.ok((await run('svc.generateCode', { instruction: 'a function that adds two numbers' })).ok);
    assert.match(sent(), /For context only[\s\S]*export const tax = 0\.19;/);
    await run('svc.rejectProposal');
    await show(pay);
    await run('svc.generateTests', { uri: pay, start: 2, end: 3 });
    assert.match(sent(), /For context only[\s\S]*export const tax = 0\.19;/);
  });

  it('stay where the setting is off in any scope, or the file is excluded', async () => {
    put('tax.ts', 'export const tax = 0.19;\n');
    const pay = put('pay.ts', "import { tax } from './tax';\n");
    assert.deepEqual(await labels(pay), ['tax.ts']);
    await stage.set('svc.context.related', false, vscode.ConfigurationTarget.Workspace);
    await stage.set('svc.context.related', true);
    assert.deepEqual(await labels(pay), []);
    await stage.set('svc.context.related', undefined, vscode.ConfigurationTarget.Workspace);
    assert.deepEqual(await labels(pay), ['tax.ts']);
    const ignore = vscode.Uri.joinPath(folder, '.svcignore');
    writeFileSync(ignore.fsPath, 'imports/tax.ts\n');
    try {
      assert.deepEqual(await labels(pay), []);
    } finally {
      rmSync(ignore.fsPath);
    }
  });

  it('are found by the ways of each language, in their order, each once', async () => {
    put('py/shop/__init__.py', '# shop\n');
    put('py/shop/tax.py', 'TAX = 1\n');
    const python = put('py/shop/pay.py', 'from .tax import TAX\nfrom shop import tax\nimport os\n');
    assert.deepEqual(await labels(python), ['py/shop/tax.py']);
    put('java/src/main/java/a/b/Queue.java', 'package a.b;\nclass Queue {}\n');
    put('java/src/main/java/a/b/Unnamed.java', 'package a.b;\nclass Unnamed {}\n');
    const java = put('java/src/main/java/a/Main.java', 'package a;\nimport a.b.*;\nclass Main { Queue q; }\n');
    assert.deepEqual(await labels(java), ['java/src/main/java/a/b/Queue.java']);
    put('go/go.mod', 'module example.com/shop\n');
    put('go/pay/queue.go', 'package pay\n');
    put('go/pay/queue_test.go', 'package pay\n');
    const go = put('go/main.go', 'package main\n\nimport "example.com/shop/pay"\n');
    // The language of a file is that of VS Code, which has no extension for Go here.
    const document = await vscode.languages.setTextDocumentLanguage(await vscode.workspace.openTextDocument(go), 'go');
    assert.deepEqual(
      (await otherFiles(document)).map(({ label }) => label),
      ['imports/go/pay/queue.go'],
    );
    const open = put('open.ts', 'export const open = 1;\n');
    await show(open);
    put('first.ts', 'export const first = 1;\n');
    const main = put(
      'main.ts',
      "import './open.js';\nimport a from './first';\nimport b from './first';\nimport './main';\n",
    );
    assert.deepEqual(await labels(main), ['open.ts', 'first.ts']);
  });

  it('are left out where they are too large, gone or folders', async () => {
    put('large.ts', `${'x'.repeat(30_000)}\n`);
    mkdirSync(join(root, 'folder.ts'), { recursive: true });
    put('small.ts', 'export const small = 1;\n');
    // VS Code keeps the text of a closed file for a while: no other test has this name.
    const main = put('sizes.ts', "import './large';\nimport './gone';\nimport './folder';\nimport './small';\n");
    assert.deepEqual(await labels(main), ['small.ts']);
  });
});
