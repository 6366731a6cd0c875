import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { answering } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

/** Serves schemas, and records which were requested. */
class Schemas {
  readonly asked: string[] = [];
  readonly #server: Server;
  #wake = (): void => undefined;

  constructor() {
    this.#server = createServer(({ url = '' }, response) => {
      this.asked.push(url);
      response.setHeader('content-type', 'application/json').end('{"type":"object"}');
      this.#wake();
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async until(path: string): Promise<void> {
    while (!this.asked.includes(path)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): Promise<unknown> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('a remote schema', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'schemas');
  const schemas = new Schemas();
  let stage: Stage;
  let code = '';
  /** The tests' own settings have it off, so that no other test requests anything. */
  const download = (isOn: boolean): Thenable<void> =>
    vscode.workspace.getConfiguration().update('json.schemaDownload.enable', isOn, vscode.ConfigurationTarget.Global);
  before(async () => {
    await download(true);
    mkdirSync(folder, { recursive: true });
    await schemas.listen();
  });
  beforeEach(async () => {
    stage = await openStageWithKey({ answer: () => `\`\`\`json\n${code}\`\`\`\n` });
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
  });
  after(async () => {
    await download(false);
    await schemas.close();
    rmSync(folder, { recursive: true });
  });

  /**
   * Opens JSON that names a schema, and waits until VS Code has fetched it: earlier entries of the queue come first.
   */
  const fetched = async (path: string): Promise<void> => {
    const content = JSON.stringify({ $schema: `${schemas.origin}${path}` });
    await show(await openUntitled(content, 'json'));
    await schemas.until(path);
  };
  const shownLanguages = (): readonly string[] => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    const sides = input instanceof vscode.TabInputTextDiff ? [input.original, input.modified].map(String) : [];
    const found = vscode.workspace.textDocuments.filter(({ uri }) => sides.includes(uri.toString()));
    return found.map(({ languageId }) => languageId);
  };

  it('a schema in a proposal is not fetched while the proposal is shown, and the user is asked before it is accepted', async () => {
    await fetched('/before');
    const file = vscode.Uri.file(join(folder, 'config.json'));
    writeFileSync(file.fsPath, '{\n  "a": 1\n}\n');
    code = `{\n  "$schema": "${schemas.origin}/proposed",\n  "a": 1\n}\n`;
    await run('svc.editCode', { uri: file.toString(), instruction: 'name the schema' });
    assert.deepEqual(shownLanguages(), ['svc-json', 'svc-json']);
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    await fetched('/meanwhile');
    assert.deepEqual(schemas.asked, ['/before', '/meanwhile']);
    const input = activeTab?.input;
    assert.ok(input instanceof vscode.TabInputTextDiff);
    await run('vscode.diff', input.original, input.modified);
    const asked = await answering('Accept Anyway', () => run('svc.acceptProposal', input.modified));
    assert.match(asked[0]?.detail ?? '', /a schema from .*\/proposed, which VS Code may fetch/);
    // In the file that the user accepted it into, VS Code behaves as usual.
    await schemas.until('/proposed');
  });

  it('a schema that a setting assigns to the name of a file is not fetched for a proposal', async () => {
    await stage.set('json.schemas', [{ fileMatch: ['*by-name*'], url: `${schemas.origin}/by-name` }]);
    await fetched('/named-before');
    // VS Code treats the file as text, so that only the proposal's own documents could be treated as JSON.
    const file = vscode.Uri.file(join(folder, 'by-name.json'));
    writeFileSync(file.fsPath, 'a\n');
    const document = await vscode.workspace.openTextDocument(file);
    await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    schemas.asked.length = 0;
    code = '{ "a": 1 }\n';
    await run('svc.editCode', { uri: file.toString(), instruction: 'make it JSON' });
    await fetched('/named-after');
    assert.deepEqual(schemas.asked, ['/named-after']);
  });

  it('a schema of YAML or XML is not fetched: both sides of the diff use languages without validation', async () => {
    for (const [language, shown] of [
      ['yaml', 'svc-yaml'],
      ['dockercompose', 'svc-yaml'],
      ['xml', 'svc-xml'],
      ['jsonc', 'svc-json'],
      ['javascript', 'javascript'],
    ] as const) {
      const document = await openUntitled('a\n', language);
      await show(document);
      code = 'b\n';
      await run('svc.editCode', { instruction: 'change it' });
      assert.deepEqual(shownLanguages(), [shown, shown], language);
      await run('svc.rejectProposal');
    }
  });
});
