import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { PageWriter } from '../../../src/platform/confirm/markedPage.ts';
import { PageMarks } from '../../../src/platform/confirm/pageMarks.ts';

const scheme = 'svc-test-page';

describe('the headings of a read-only page', () => {
  const writer = new PageWriter();
  writer.heading(0, 'Messages');
  writer.heading(1, 'First');
  writer.heading(2, 'a.ts');
  writer.quote('one\ntwo\r\n  Headers', (line) => (line === 'two' ? [{ kind: 'masked', start: 0, end: 3 }] : []));
  writer.heading(1, 'Second');
  writer.heading(0, 'Body');
  const page = writer.endWith('{"a\u2028":1}');
  const uri = vscode.Uri.from({ scheme, path: '/page.txt' });
  let owned: vscode.Disposable;

  beforeEach(() => {
    const content = { provideTextDocumentContent: () => page.text };
    owned = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, content),
      new PageMarks(scheme, (shown) => (shown.toString() === uri.toString() ? page : undefined)),
    );
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    owned.dispose();
  });

  it('are its outline and its folds, in the lines that VS Code counts', async () => {
    await vscode.window.showTextDocument(uri);
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    const outline = (all: readonly vscode.DocumentSymbol[]): readonly string[] =>
      all.flatMap(({ name, range, children }) => [
        `${name} ${range.start.line}-${range.end.line}`,
        ...outline(children).map((line) => `  ${line}`),
      ]);
    assert.deepEqual(outline(symbols), ['Messages 0-6', '  First 1-5', '    a.ts 2-5', '  Second 6-6', 'Body 7-8']);
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      uri,
    );
    assert.deepEqual(
      folds.map(({ start, end }) => `${start}-${end}`),
      ['0-6', '1-5', '2-5', '7-8'],
    );
  });
});

describe('a read-only text', () => {
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('wraps its long lines, and has its text', async () => {
    await vscode.commands.executeCommand('svc.showPolicy');
    const { document } = vscode.window.activeTextEditor ?? assert.fail('There is no page.');
    assert.deepEqual([document.uri.scheme, document.languageId], ['svc-report', 'svc-text']);
    assert.equal(vscode.workspace.getConfiguration('editor', document).get('wordWrap'), 'on');
    assert.match(document.getText(), /policy\.json/);
  });
});
