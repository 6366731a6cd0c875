import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { symbolSource } from '../../../src/features/context/vscode/symbolSource.ts';
import { type AnswerRequest, answerFor } from '../../service/answer.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

/** Begins each symbol at its name line, as many language extensions do. */
const provider: vscode.DocumentSymbolProvider = {
  provideDocumentSymbols(document) {
    const text = document.getText();
    return [
      ...text.matchAll(/^[^\S\n]*(?:export |public |async )*(?:function|class|def|func|create view) (\w+)/gm),
    ].map(({ index, 0: head, 1: name = '' }) => {
      const start = document.positionAt(index + head.length - head.trimStart().length);
      const blank = text.indexOf('\n\n', index);
      const end = document.positionAt(blank === -1 ? text.trimEnd().length : blank);
      return new vscode.DocumentSymbol(
        name,
        '',
        vscode.SymbolKind.Function,
        new vscode.Range(start, end),
        new vscode.Range(start, end),
      );
    });
  },
};

describe('a symbol', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'symbols');
  const license = '// Copyright 2026 A';
  let stage: Stage;
  let answer: (request: AnswerRequest) => string;
  let providers: vscode.Disposable;
  beforeEach(async () => {
    mkdirSync(folder, { recursive: true });
    answer = answerFor;
    stage = await openStageWithKey({ answer: (request) => answer(request) });
    providers = vscode.languages.registerDocumentSymbolProvider({ pattern: '**/symbols/**' }, provider);
  });
  afterEach(async () => {
    providers.dispose();
    await run('svc.rejectProposal');
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens a file with the cursor at the first place of a text. */
  const open = async (name: string, text: string, cursor: string): Promise<vscode.TextEditor> => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const editor = await show(vscode.Uri.file(path));
    const at = editor.document.positionAt(text.indexOf(cursor));
    editor.selection = new vscode.Selection(at, at);
    return editor;
  };
  const sent = (): string => JSON.stringify(stage.service.chats.at(-1)?.json ?? '');
  const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

  const symbols: Readonly<Record<string, string>> = {
    'add.ts': '/**\n * Adds.\n */\n@log({\n  at: "a",\n})\nexport function add() {\n  return 1;\n}',
    'add.py': '# Adds.\n@app.get(\n    "/add",\n)\ndef add():\n    return 1',
    'add.go': '// add adds.\nfunc add() int {\n\treturn 1\n}',
    'Add.java': '/** Adds. */\n@Service\npublic class Add {\n}',
    'Add.cs': '/// <summary>Adds.</summary>\n[Serializable]\npublic class Add {\n}',
    'add.sql': '-- Adds.\n-- Twice.\ncreate view added as select 1;',
  };
  for (const [name, symbol] of Object.entries(symbols)) {
    const text = `${license}\n\n${symbol}\n\n${symbol.replaceAll('dd', 'dd2')}\n`;
    const [first = ''] = symbol.split('\n');

    it(`is explained and edited with its comments and decorators: ${name}`, async () => {
      const lines = symbol.split('\n').length;
      const label = `symbols/${name}:3-${lines + 2}`;
      // In the code, and in the comment, where the language extension finds no symbol.
      for (const cursor of [symbol.split('\n').at(-1) ?? '', first.slice(1)]) {
        await open(name, text, cursor);
        assert.equal((await run<{ status: string }>('svc.explainCode')).status, 'complete');
        assert.ok(sent().includes(quoted(`${symbol}\n`)), sent());
        assert.ok(sent().includes(label), sent());
        assert.equal((await run('svc.editCode', { instruction: 'rename add to sum' })).ok, true);
        assert.ok(sent().includes(label), sent());
        await run('svc.rejectProposal');
      }
    });
  }

  it('is replaced with its comment, and keeps it where the answer has none', async () => {
    const symbol = '/** Adds. */\nfunction add() {\n  return 1;\n}';
    const text = `${license}\n\nuse();\n\n${symbol}\n\nend();\n`;
    let count = 0;
    for (const [code, expected] of [
      ['/** Sums. */\nfunction add() {\n  return 2;\n}', '/** Sums. */\nfunction add() {\n  return 2;\n}'],
      ['function add() {\n  return 2;\n}', '/** Adds. */\nfunction add() {\n  return 2;\n}'],
      // Nothing else changes: that is what was asked for.
      ['function add() {\n  return 1;\n}', 'function add() {\n  return 1;\n}'],
    ] as const) {
      count += 1;
      answer = () => `\`\`\`js\n${code}\n\`\`\`\n`;
      const { document } = await open(`replaced-${count}.js`, text, 'return');
      assert.equal((await run('svc.editCode', { instruction: 'return 2' })).ok, true);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), text.replace(symbol, expected));
    }
  });

  it('is not needed: VS Code refuses to list those of a search editor, whose text is not sent', async () => {
    await run('search.action.openNewEditor', { query: 'add' });
    for (const command of ['svc.explainCode', 'svc.editCode', 'svc.documentCode', 'svc.generateTests']) {
      assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'search-editor');
      const result = await run<{ ok: boolean; error?: { code: string } }>(command, { instruction: 'rename' });
      assert.equal(result.ok, false);
      assert.notEqual(result.error?.code, 'internal', command);
    }
    assert.equal(stage.service.chats.length, 0);
  });

  it('a symbol of the workspace is attached with its own comment, and without the comment of the file or of another symbol', async () => {
    const text = `${license}\nfunction first() {\n}\n\n// About nothing.\n\nfunction bare() {\n}\n\n/** Adds. */\n// Twice.\nfunction add() {\n}\n`;
    const { document } = await open('named.js', text, 'first');
    const read = async (name: string): Promise<string | undefined> => {
      const at = document.positionAt(text.indexOf(`function ${name}`));
      const place = new vscode.Location(document.uri, new vscode.Range(at, at));
      const symbol = new vscode.SymbolInformation(name, vscode.SymbolKind.Function, '', place);
      return (await symbolSource(symbol).read()).attachments[0]?.text;
    };
    assert.equal(await read('add'), '/** Adds. */\n// Twice.\nfunction add() {\n}');
    assert.equal(await read('first'), 'function first() {\n}');
    assert.equal(await read('bare'), 'function bare() {\n}');
  });
});
