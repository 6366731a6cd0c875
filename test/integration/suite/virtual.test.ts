import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { readPrompts } from '../../../src/features/context/vscode/attachments/promptFiles.ts';
import { fileSource } from '../../../src/features/context/vscode/fileSource.ts';
import { folderSource } from '../../../src/features/context/vscode/folderSource.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

interface Asked {
  readonly ok: boolean;
  readonly status?: string;
  readonly code?: string;
  readonly error?: { readonly kind: string; readonly code?: string };
}

const run = (command: string, ...args: unknown[]): Thenable<Asked> => vscode.commands.executeCommand(command, ...args);
const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, name);
const decoy = 'what stands on the disk\n';

const files: Readonly<Record<string, string>> = {
  'src/pay.ts': 'export const rate = 0.19;\n',
  'src/lib/fee.ts': 'export const fee = 2;\n',
  'private/plan.ts': 'export const plan = 3;\n',
  '.svcignore': 'private/\n',
  '.vscode/settings.json': '{ "svc.compliance.securityLevel": "maximum" }\n',
  '.svc/prompts/rhyme.md': 'Make it rhyme.\n',
};

describe('a virtual workspace', () => {
  const memory = new MemoryFiles();
  let stage: Stage;
  let provider: vscode.Disposable;

  before(async () => {
    for (const [name, text] of Object.entries(files)) {
      memory.put(at(name).path, text);
      // The same path on the disk has another text, which exposes code that reads the disk.
      const path = join(folder.path, name);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, decoy);
    }
    provider = vscode.workspace.registerFileSystemProvider(folder.scheme, memory);
    const level = (): unknown =>
      vscode.workspace.getConfiguration('svc.compliance', folder).inspect('securityLevel')?.workspaceValue;
    await until(vscode.workspace.onDidChangeConfiguration, () => level() === 'maximum');
  });
  after(() => provider.dispose());

  beforeEach(async () => {
    stage = await openStageWithKey();
    await run('svc.newChat');
    stage.service.clear();
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });

  const open = (name: string): Thenable<vscode.TextEditor> => vscode.window.showTextDocument(at(name));

  it('is recognized, and the extension is active in it', () => {
    assert.notEqual(folder.scheme, 'file');
    assert.equal(vscode.extensions.getExtension('svc.svc-coder')?.isActive, true);
  });

  it('has its code explained, from its own files, with the headers of its own settings', async () => {
    await open('src/pay.ts');
    assert.equal((await run('svc.explainCode')).status, 'complete');
    const [chat] = stage.service.chats;
    assert.match(chat?.body ?? '', /src\/pay\.ts.*export const rate = 0\.19;/s);
    assert.ok(!chat?.body.includes(decoy.trim()));
    assert.equal(chat?.headers['svc-security-level'], 'maximum');
  });

  it('provides files, listings and prompts for a question', async () => {
    const [file] = (await fileSource(at('src/lib/fee.ts')).read()).attachments;
    assert.equal(file?.text, files['src/lib/fee.ts']);
    const [listing] = (await folderSource(at('src')).read()).attachments;
    assert.equal(listing?.text, 'pay.ts\nlib/fee.ts');
    const prompts = await readPrompts();
    assert.deepEqual(
      prompts.map(({ name, prompt }) => [name, prompt?.text.trim()]),
      [['rhyme', 'Make it rhyme.']],
    );
    assert.equal((await run('svc.attach', at('src/pay.ts'))).ok, true);
  });

  it('has its own instructions sent with a question, unless its ignore file excludes them', async () => {
    memory.put(at('AGENTS.md').path, 'Be brief.\n');
    writeFileSync(join(folder.path, 'AGENTS.md'), decoy);
    const bodies = (): readonly string[] => stage.service.chats.map(({ body }) => body);
    try {
      await run('svc.openChat', { prompt: 'Hello' });
      assert.match(bodies()[0] ?? '', /project's instructions \(AGENTS\.md\):[\s\S]*Be brief\./);
      memory.put(at('.svcignore').path, 'private/\nAGENTS.md\n');
      await run('svc.openChat', { prompt: 'Hello' });
      assert.ok(!bodies()[1]?.includes('Be brief.'));
      assert.ok(!bodies().join().includes(decoy.trim()));
    } finally {
      memory.put(at('.svcignore').path, files['.svcignore'] ?? '');
      memory.delete(at('AGENTS.md'));
    }
  });

  it('keeps back what its own ignore file excludes', async () => {
    await open('private/plan.ts');
    const asked = await run('svc.explainCode');
    assert.deepEqual([asked.error?.kind, asked.error?.code], ['gate', 'excluded']);
    assert.deepEqual(stage.service.chats, []);
  });

  it('sends nothing while VS Code does not read its settings file completely', async () => {
    const settings = at('.vscode/settings.json').path;
    memory.put(settings, '{\n  "svc.compliance.securityLevel": "maximum"\n  "svc.compliance.audit": true\n}\n');
    const asked = await run('svc.openChat', { prompt: 'Hello' });
    assert.deepEqual([asked.error?.kind, asked.error?.code], ['policy', 'settings-file']);
    assert.deepEqual(stage.service.chats, []);
    // VS Code is not notified of this change, and keeps the old content.
    memory.put(settings, '{ "svc.compliance.securityLevel": "maximum", "svc.compliance.audit": true }');
    assert.equal((await run('svc.openChat', { prompt: 'Hello' })).error?.code, 'settings-file');
    assert.deepEqual(stage.service.chats, []);
    memory.put(settings, files['.vscode/settings.json'] ?? '');
    assert.equal((await run('svc.openChat', { prompt: 'Hello' })).status, 'complete');
  });

  it('receives accepted code, and the disk does not', async () => {
    const { document } = await open('src/pay.ts');
    const { code } = await run('svc.generateCode', { instruction: 'a function that adds two numbers' });
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    // If VS Code is about to save automatically, this returns false.
    await document.save();
    const expected = `${files['src/pay.ts']}${code}`;
    await until(memory.onDidChangeFile, () => memory.text(at('src/pay.ts').path) === expected);
    assert.equal(readFileSync(join(folder.path, 'src/pay.ts'), 'utf8'), decoy);
  });
});
