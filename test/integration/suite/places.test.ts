import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { answering } from './dialogs.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage } from './stage.ts';
import { undo } from './undo.ts';

interface Asked {
  readonly ok: boolean;
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const run = <T = Asked>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);
const scheme = 'svc-test-virtual';

describe('the environment', () => {
  it('is the VS Code that was requested, and not older than the manifest allows', () => {
    const { engines } = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON ?? {};
    assert.equal(vscode.version, process.env.SVC_TEST_VSCODE ?? vscode.version);
    const [, oldest] = /^\^1\.(\d+)\.0$/.exec(engines.vscode) ?? [];
    const [, running] = /^1\.(\d+)\./.exec(vscode.version) ?? [];
    assert.ok(Number(running) >= Number(oldest), `${vscode.version} for ${engines.vscode}`);
  });

  it('runs the extension beside the files, if VS Code runs in two places', () => {
    const extension = vscode.extensions.getExtension('svc.svc-coder');
    const { Workspace, UI } = vscode.ExtensionKind;
    assert.equal(extension?.extensionKind, vscode.env.remoteName === undefined ? UI : Workspace);
    assert.deepEqual(extension?.packageJSON.extensionKind, ['workspace', 'ui']);
  });

  it('matches the manifest: limited without trust, full in a virtual workspace', () => {
    const { capabilities } = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON ?? {};
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.equal(capabilities.virtualWorkspaces, true);
  });
});

describe('files that are not on the disk', () => {
  let stage: Stage;
  let provider: vscode.Disposable;
  let files: MemoryFiles;
  beforeEach(async () => {
    stage = await openStageWithKey();
    await run('svc.newChat');
    files = new MemoryFiles();
    provider = vscode.workspace.registerFileSystemProvider(scheme, files);
    stage.service.clear();
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
    provider.dispose();
  });

  const open = async (path: string, text: string): Promise<vscode.TextEditor> => {
    files.put(path, text);
    return show(vscode.Uri.from({ scheme, authority: 'repo', path }));
  };

  it('are explained', async () => {
    await open('/src/pay.ts', 'export const rate = 0.19;\n');
    let asked: Asked | undefined;
    const messages = await answering('Attach Anyway', async () => {
      asked = await run('svc.explainCode');
    });
    // The file is in no workspace folder: the user decides whether it is sent.
    assert.match(
      messages.map(({ message, detail }) => `${message}\n${detail}`).join('\n'),
      /outside the workspace[\s\S]*\/src\/pay\.ts/,
    );
    assert.equal(asked?.status, 'complete');
    assert.match(stage.service.chats[0]?.body ?? '', /pay\.ts.*export const rate = 0\.19;/s);
  });

  it('are attached', async () => {
    const { document } = await open('/src/fee.ts', 'export const fee = 2;\n');
    await answering('Attach Anyway', async () => assert.equal((await run('svc.attach', document.uri)).ok, true));
  });

  it('receive generated code when it is accepted, only through VS Code', async () => {
    const { document } = await open('/src/add.ts', 'const before = 1;\n');
    let generated: (Asked & { readonly code: string }) | undefined;
    await answering('Attach Anyway', async () => {
      generated = await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    });
    assert.ok(generated?.ok);
    assert.equal(files.text('/src/add.ts'), 'const before = 1;\n');
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.ok(await document.save());
    assert.equal(files.text('/src/add.ts'), `const before = 1;\n${generated.code}`);
  });

  it('are edited at each selection, with their line endings and tabs', async () => {
    const editor = await open('/src/rate.ts', 'a();\r\n\tkeep(a);\r\n\ta();\r\n');
    editor.selections = [new vscode.Selection(0, 0, 0, 4), new vscode.Selection(2, 0, 2, 5)];
    await answering('Attach Anyway', async () =>
      assert.equal((await run('svc.editCode', { instruction: 'rename a to total' })).ok, true),
    );
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(editor.document.getText(), 'total();\r\n\tkeep(a);\r\n\ttotal();\r\n');
    await undo(editor.document);
    assert.equal(editor.document.getText(), 'a();\r\n\tkeep(a);\r\n\ta();\r\n');
    await editor.document.save();
  });

  it('are not changed, before anything is sent, if their file system is read-only', async () => {
    const readOnly = vscode.workspace.registerFileSystemProvider(`${scheme}-read-only`, files, { isReadonly: true });
    try {
      files.put('/src/fixed.ts', 'a();\n');
      await show(vscode.Uri.from({ scheme: `${scheme}-read-only`, authority: 'repo', path: '/src/fixed.ts' }));
      for (const command of ['svc.editCode', 'svc.generateCode']) {
        assert.equal((await run(command, { instruction: 'rename a to total' })).ok, false);
      }
      assert.deepEqual(stage.service.chats, []);
    } finally {
      await run('workbench.action.closeAllEditors');
      readOnly.dispose();
    }
  });

  it('are not sent if they contain credentials', async () => {
    await open('/.env', 'TOKEN=abc\n');
    const asked = await run('svc.explainCode');
    assert.equal(asked.error?.kind, 'gate');
    assert.deepEqual(stage.service.chats, []);
  });
});
