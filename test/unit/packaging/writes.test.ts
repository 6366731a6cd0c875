import assert from 'node:assert/strict';
import { readSources } from '../../tools/rooms.ts';

/** Ways to change a document, a file or a folder. */
const write =
  /\bapplyEdit\b|\bWorkspaceEdit\b|\.edit\(|\beditBuilder\b|\.save\(|\bsaveAll\b|\bsaveAs\b|\bfs\.(?:writeFile|rename|delete|copy|createDirectory)\b|\bfs\b[^;=]*\} = vscode\.workspace\b|\binsertSnippet\b|\bopenTextDocument\(\{|\bcreateWriteStream\b|\b(?:writeFile|appendFile|copyFile|rename|unlink|rm|rmdir|mkdir|chmod|truncate|symlink)(?:Sync)?\b[^;]*\} from 'node:fs|\* as \w+ from 'node:fs|\bpromises\b[^;]*\} from 'node:fs'|executeCommand\(\s*'(?:undo|redo|type|paste|editor\.action\.(?:insert|format)|workbench\.action\.files)/;

const feature = 'features/edits/';
const module = 'features/edits/vscode/writing/';

const sources = readSources('src');
const ofFeature = (): readonly (readonly [path: string, text: string])[] =>
  [...sources].filter(([path]) => path.startsWith(feature));

function writers(files: readonly (readonly [path: string, text: string])[]): readonly string[] {
  return files.filter(([path, text]) => write.test(text) && !path.startsWith(module)).map(([path]) => path);
}

/** The files outside the module that may call each part of it, or the function that writes what was accepted. */
const callers: Readonly<Record<string, readonly string[]>> = {
  // Asks, records the accept, and keeps what an undo needs.
  'writeChanges(': ['vscode/changes/acceptance.ts'],
  'new TargetFile(': ['vscode/changes/singleChange.ts'],
  'new WorkspaceFiles(': ['vscode/changes/conversationChanges.ts', 'vscode/saveAsNew.ts'],
  // Opens code as a document without a file, because the user asks for it.
  'openUntitled(': ['vscode/useCode.ts'],
  'addCell(': ['vscode/placing/notebookCells.ts'],
};

describe('files and documents', () => {
  it('are written by one module of the feature of edits', () => {
    assert.deepEqual(writers(ofFeature()), []);
    assert.ok(ofFeature().filter(([path, text]) => path.startsWith(module) && write.test(text)).length >= 5);
  });

  it('are written in ways that the test finds', () => {
    const planted = [
      'await vscode.workspace.applyEdit(edit);',
      'const edit = new vscode.WorkspaceEdit();',
      'await editor.edit((builder) => builder.replace(range, text));',
      'await document.save();',
      'await vscode.workspace.saveAll();',
      'await vscode.workspace.fs.writeFile(uri, bytes);',
      'const { fs } = vscode.workspace; await fs.writeFile(uri, bytes);',
      'await vscode.workspace.fs.delete(uri);',
      'await editor.insertSnippet(snippet);',
      'await vscode.workspace.openTextDocument({ content, language });',
      "import { writeFile } from 'node:fs/promises';",
      "import { readFile, rm as remove } from 'node:fs/promises';",
      "import { promises } from 'node:fs';",
      "import * as fs from 'node:fs';",
      "await vscode.commands.executeCommand('type', { text });",
      "await vscode.commands.executeCommand('undo');",
    ];
    const found = planted.filter((text) => writers([[`${feature}vscode/planted.ts`, text]]).length === 1);
    assert.deepEqual(found, planted);
  });

  it('are written for the parts that decide, and for no other', () => {
    const files = ofFeature().filter(
      ([path]) => !path.startsWith(module) && path !== `${feature}common/writeChanges.ts`,
    );
    for (const [call, allowed] of Object.entries(callers)) {
      const found = files.filter(([, text]) => text.includes(call)).map(([path]) => path.slice(feature.length));
      assert.deepEqual(found.sort(), allowed, call);
    }
    // A name that could be used under another one.
    assert.ok(
      !files.some(([, text]) => /\b(?:WorkspaceFiles|TargetFile|openUntitled|addCell|writeChanges) as \w/.test(text)),
    );
  });
});
