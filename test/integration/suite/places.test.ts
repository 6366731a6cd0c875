import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { MemoryFiles } from './memoryFiles.ts';
import { openStage, type Stage, storeKey } from './stage.ts';

interface Asked {
  readonly ok: boolean;
  readonly status?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const run = <T = Asked>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);
const scheme = 'svc-test-virtual';

describe('where it runs', () => {
  it('is the VS Code that was asked for, and not older than the manifest promises', () => {
    const { engines } = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON ?? {};
    assert.equal(vscode.version, process.env.SVC_TEST_VSCODE ?? vscode.version);
    const [, oldest] = /^\^1\.(\d+)\.0$/.exec(engines.vscode) ?? [];
    const [, running] = /^1\.(\d+)\./.exec(vscode.version) ?? [];
    assert.ok(Number(running) >= Number(oldest), `${vscode.version} for ${engines.vscode}`);
  });

  it('is beside the files, where VS Code is in two places', () => {
    const extension = vscode.extensions.getExtension('svc.svc-coder');
    const { Workspace, UI } = vscode.ExtensionKind;
    assert.equal(extension?.extensionKind, vscode.env.remoteName === undefined ? UI : Workspace);
    assert.deepEqual(extension?.packageJSON.extensionKind, ['workspace', 'ui']);
  });

  it('is declared as what it is: limited without trust, whole in a virtual workspace', () => {
    const { capabilities } = vscode.extensions.getExtension('svc.svc-coder')?.packageJSON ?? {};
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    assert.equal(capabilities.virtualWorkspaces, true);
  });
});

describe('files that are on no disk', () => {
  let stage: Stage;
  let provider: vscode.Disposable;
  let files: MemoryFiles;
  beforeEach(async () => {
    stage = await openStage();
    await storeKey();
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
    return vscode.window.showTextDocument(vscode.Uri.from({ scheme, authority: 'repo', path }));
  };

  it('are explained', async () => {
    await open('/src/pay.ts', 'export const rate = 0.19;\n');
    assert.equal((await run('svc.explainCode')).status, 'complete');
    assert.match(stage.service.chats[0]?.body ?? '', /pay\.ts.*export const rate = 0\.19;/s);
  });

  it('are attached', async () => {
    const { document } = await open('/src/fee.ts', 'export const fee = 2;\n');
    assert.equal((await run('svc.attach', document.uri)).ok, true);
  });

  it('take generated code when it is accepted, through VS Code alone', async () => {
    const { document } = await open('/src/add.ts', 'const before = 1;\n');
    const generated = await run<Asked & { readonly code: string }>('svc.generateCode', {
      instruction: 'a function that adds two numbers',
    });
    assert.equal(generated.ok, true);
    assert.equal(files.text('/src/add.ts'), 'const before = 1;\n');
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.ok(await document.save());
    assert.equal(files.text('/src/add.ts'), `const before = 1;\n${generated.code}`);
  });

  it('stay where they are if they hold credentials', async () => {
    await open('/.env', 'TOKEN=abc\n');
    const asked = await run('svc.explainCode');
    assert.equal(asked.error?.kind, 'gate');
    assert.deepEqual(stage.service.chats, []);
  });
});
