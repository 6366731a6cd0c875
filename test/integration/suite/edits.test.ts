import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findAnswerFile } from '../../../src/features/edits/vscode/placing/answerFile.ts';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { answering } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';
import { undo } from './undo.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

const instruction = 'a function that adds two numbers';
const answered = 'function add(a, b) {\n  return a + b;\n}\n';

describe('proposals', () => {
  let stage: Stage;
  let code = answered;
  beforeEach(async () => {
    code = answered;
    stage = await openStageWithKey({ answer: () => `\`\`\`javascript\n${code}\`\`\`\n` });
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await run('svc.rejectProposal');
    await stage.close();
  });

  const open = async (content: string, language = 'plaintext'): Promise<vscode.TextEditor> =>
    show(await openUntitled(content, language));
  const generate = (): Thenable<{ ok: boolean }> => run('svc.generateCode', { instruction });
  /** The proposed side of the active diff. */
  const proposed = (): vscode.TextDocument | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uri = input instanceof vscode.TabInputTextDiff ? input.modified.toString() : '';
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri);
  };
  const diffs = (): readonly string[] =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(isDiff).map(({ label }) => label));
  const cursorsAt = (editor: vscode.TextEditor, ...lines: readonly number[]): void => {
    editor.selections = lines.map((line) => new vscode.Selection(line, 0, line, 0));
  };

  const openDiffs = (): readonly vscode.TabInputTextDiff[] =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .map(({ input }) => input)
      .filter((input) => input instanceof vscode.TabInputTextDiff);
  /** Activates the only open diff. */
  const showDiff = async (): Promise<void> => {
    const [diff, ...others] = openDiffs();
    assert.ok(diff !== undefined && others.length === 0);
    await run('vscode.diff', diff.original, diff.modified, 'Proposal', { preview: false });
  };

  it('insert code at each cursor, and each of these hunks is decided separately', async () => {
    const editor = await open('one\ntwo\nthree\n');
    cursorsAt(editor, 0, 1, 2);
    await generate();
    const { document } = editor;
    assert.equal(proposed()?.getText(), `one\n${answered}two\n${answered}three\n${answered}`);
    assert.deepEqual(await run('svc.acceptHunk'), { ok: true, left: 2 });
    assert.equal(document.getText(), `one\n${answered}two\nthree\n`);
    // Called as from the title bar: with the editor group in place of a lens's line.
    assert.deepEqual(await run('svc.rejectHunk', proposed()?.uri, { groupId: 1 }), { ok: true, left: 1 });
    assert.equal(proposed()?.getText(), `one\n${answered}two\nthree\n${answered}`);
    assert.deepEqual(await run('svc.acceptHunk'), { ok: true, left: 0 });
    assert.equal(document.getText(), `one\n${answered}two\nthree\n${answered}`);
    assert.deepEqual(await run('svc.acceptHunk'), { ok: false, reason: 'none' });
  });

  it('allow an accepted hunk to be undone by one undo and decided again', async () => {
    const editor = await open('one\ntwo\n');
    cursorsAt(editor, 0, 1);
    await generate();
    assert.deepEqual(await run('svc.acceptHunk'), { ok: true, left: 1 });
    await show(editor.document);
    await undo(editor.document);
    assert.equal(editor.document.getText(), 'one\ntwo\n');
    await showDiff();
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(editor.document.getText(), `one\n${answered}two\n${answered}`);
  });

  it('have a lens above each hunk and a hover on each of its lines', async () => {
    const editor = await open('one\ntwo\n');
    cursorsAt(editor, 0, 1);
    await generate();
    const uri = proposed()?.uri;
    const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    assert.deepEqual(
      lenses.map(({ range, command }) => [range.start.line, command?.command, command?.title, command?.tooltip]),
      [1, 5].flatMap((line, index) => [
        [line, 'svc.acceptHunk', '$(check) Accept', 'Accept this change. Key at the cursor: Alt+Y'],
        [line, 'svc.rejectHunk', '$(discard) Reject', 'Reject this change. Key at the cursor: Alt+N'],
        [line, '', `Change ${index + 1} of 2`, undefined],
      ]),
    );
    // Otherwise VS Code shows no lens in a diff.
    assert.equal(vscode.workspace.getConfiguration('diffEditor', uri).get('codeLens'), true);
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const original = input instanceof vscode.TabInputTextDiff ? input.original : undefined;
    assert.deepEqual(await run('vscode.executeCodeLensProvider', original), []);
    const hovers = await run<vscode.Hover[]>('vscode.executeHoverProvider', uri, new vscode.Position(6, 0));
    assert.match(
      hovers.map(({ contents }) => contents.map((each) => (each as vscode.MarkdownString).value)).join(),
      /svc\.rejectHunk/,
    );
    const lens = lenses.find(({ range, command }) => range.start.line === 5 && command?.command === 'svc.acceptHunk');
    assert.deepEqual(await run('svc.acceptHunk', ...(lens?.command?.arguments ?? [])), { ok: true, left: 1 });
    assert.equal(editor.document.getText(), `one\ntwo\n${answered}`);
  });

  it('are formatted on acceptance without other changes, and one undo reverts everything', async () => {
    // Like most formatters, it accepts only files and untitled documents. It would write the whole document in
    // capitals.
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { scheme: 'untitled' },
      {
        provideDocumentFormattingEdits: (document) => {
          const all = new vscode.Range(0, 0, document.lineCount, 0);
          return [vscode.TextEdit.replace(all, document.getText().toUpperCase())];
        },
      },
    );
    try {
      const { document } = await open('one\ntwo\n');
      await generate();
      await run('svc.acceptProposal');
      assert.equal(document.getText(), `one\n${answered.toUpperCase()}two\n`);
      await undo(document);
      assert.equal(document.getText(), 'one\ntwo\n');
    } finally {
      formatter.dispose();
    }
  });

  it('can be open for two documents; a second one for the same document replaces the first', async () => {
    const first = await open('one\n');
    await generate();
    const second = await open('two\n');
    await generate();
    assert.equal(diffs().length, 2);
    await show(second.document);
    await generate();
    const names = [first, second].map(({ document }) => `Changes to ${document.fileName}`);
    assert.deepEqual(diffs(), names);
    await run('svc.acceptProposal');
    assert.equal(second.document.getText(), `two\n${answered}`);
    assert.equal(first.document.getText(), 'one\n');
    // The other one is open, but hidden.
    const [hidden] = openDiffs();
    for (const command of ['svc.acceptProposal', 'svc.acceptHunk', 'svc.rejectHunk']) {
      assert.deepEqual(await run(command), { ok: false, reason: 'none' });
      assert.deepEqual(await run(command, hidden?.modified), { ok: false, reason: 'none' });
    }
    assert.equal(first.document.getText(), 'one\n');
    await showDiff();
    await run('svc.acceptProposal');
    assert.equal(first.document.getText(), `one\n${answered}`);
  });

  it('stream with the answer; closing the diff stops the request and keeps the original', async () => {
    const held = stage.service.holdChunks();
    const { document } = await open('one\n');
    const generating = generate();
    await until(vscode.window.tabGroups.onDidChangeTabs, () => diffs().length > 0);
    held.release(6);
    await until(vscode.workspace.onDidChangeTextDocument, () => proposed()?.getText().includes('function') === true);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
    await run('workbench.action.closeActiveEditor');
    assert.equal((await generating).ok, false);
    await stage.service.waitForNoSockets();
    assert.equal(document.getText(), 'one\n');
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
  });

  /** Calls `before` whenever the extension opens the text of a proposal, while `work` runs. */
  async function openingDiffs(before: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
    // In VS Code 1.110, ES modules have their own API object.
    const workspaces = [...new Set([vscode.workspace, (await import('vscode')).workspace])];
    const [opens] = workspaces.map(({ openTextDocument }) => openTextDocument);
    const open = async (uri: vscode.Uri): Promise<vscode.TextDocument> => {
      if (uri.scheme === 'svc-proposal') await before();
      return (opens ?? assert.fail())(uri);
    };
    for (const each of workspaces) Object.assign(each, { openTextDocument: open });
    try {
      await work();
    } finally {
      for (const each of workspaces) Object.assign(each, { openTextDocument: opens });
    }
  }

  it('are requested while VS Code opens the diff', async () => {
    const { document } = await open('one\n');
    const asked = () => stage.service.waitFor(({ path }) => path.endsWith('/chat/completions'));
    await openingDiffs(asked, async () => assert.equal((await generate()).ok, true));
    await showDiff();
    await run('svc.acceptProposal');
    assert.equal(document.getText(), `one\n${answered}`);
  });

  it('stop the request if the diff cannot be opened, and end if the request fails before it is open', async () => {
    const held = stage.service.holdChunks();
    await open('one\n');
    const fail = async () => {
      await stage.service.waitFor(({ path }) => path.endsWith('/chat/completions'));
      throw new Error('It cannot be opened.');
    };
    await openingDiffs(fail, async () => assert.equal((await generate()).ok, false));
    assert.equal(await stage.service.chats[0]?.ended, 'cut');
    held.release();
    stage.service.clear();
    stage.service.setScenario('forbidden');
    const answeredFirst = async () => (await stage.service.waitFor(() => true)).ended;
    await openingDiffs(answeredFirst, async () => assert.equal((await generate()).ok, false));
    assert.deepEqual(diffs(), []);
  });

  it('a proposal for a write-protected file is refused with a reason before anything is sent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-read-only-'));
    const path = join(folder, 'pay.js');
    writeFileSync(path, 'one\n');
    chmodSync(path, 0o444);
    try {
      await show(vscode.Uri.file(path));
      assert.deepEqual((await generate()).ok, false);
      assert.equal(stage.service.chats.length, 0);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('keep CRLF, and convert spaces to the tabs of the file', async () => {
    const editor = await open('class A {\r\n\tb() {\r\n\t}\r\n}\r\n');
    const { document } = editor;
    editor.selection = new vscode.Selection(2, 2, 2, 2);
    await generate();
    await run('svc.acceptProposal');
    const written = '\tfunction add(a, b) {\r\n\t\treturn a + b;\r\n\t}\r\n';
    assert.equal(document.getText(), `class A {\r\n\tb() {\r\n\t}\r\n${written}}\r\n`);
  });

  it('work in the cell of a notebook', async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'one', 'javascript');
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    await vscode.window.showNotebookDocument(notebook);
    await run('notebook.cell.edit');
    const { document } = notebook.cellAt(0);
    await until(vscode.window.onDidChangeActiveTextEditor, () => vscode.window.activeTextEditor?.document === document);
    assert.equal((await generate()).ok, true);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(document.getText(), `one\n${answered}`);
  });

  it('show hidden characters in the new code before it is accepted', async () => {
    code = 'const a = 1; /*\u202e*/\nconst b\u200b = 2;\n';
    await open('one\u200b\n');
    await generate();
    const uri = proposed()?.uri;
    assert.ok(uri !== undefined);
    const said = vscode.languages
      .getDiagnostics(uri)
      .map(({ message, range: { start } }) => `${start.line}:${start.character} ${message}`);
    assert.deepEqual(said, [
      '1:15 U+202E, which changes the order in which text is shown',
      '2:7 U+200B, which is invisible',
    ]);
    // The safe button comes first, so that it has the focus, and leads to the place.
    const [asked] = await answering('Show in Diff', async () => {
      assert.equal((await run<{ ok: boolean }>('svc.acceptProposal')).ok, false);
    });
    assert.deepEqual(asked?.buttons, ['Show in Diff', 'Accept Anyway']);
    const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
    assert.deepEqual(
      [shown?.selection.start, shown?.selection.end],
      [new vscode.Position(1, 15), new vscode.Position(1, 16)],
    );
    await run('svc.rejectProposal');
    assert.deepEqual(vscode.languages.getDiagnostics(uri), []);
  });

  describe('at the end of a text', () => {
    const edit = (): Thenable<{ ok: boolean }> => run('svc.editCode', { instruction: 'change the end' });
    const deleting = 'Delete the Other Lines';
    /** The text, the code of the answer, and the text with the change. */
    const cases: Readonly<Record<string, readonly [before: string, answer: string, after: string]>> = {
      'removed lines without a final line break': ['one\ntwo\nthree\nfour', 'one\ntwo\n', 'one\ntwo'],
      'removed lines before a final line break': ['one\ntwo\nthree\nfour\n', 'one\ntwo\n', 'one\ntwo\n'],
      'removed lines with CRLF': ['one\r\ntwo\r\nthree\r\nfour', 'one\ntwo\n', 'one\r\ntwo'],
      'removed lines that occur before': ['a();\nb();\na();', 'a();\nb();\n', 'a();\nb();'],
      'added lines without a final line break': ['one\ntwo', 'one\ntwo\nthree\n', 'one\ntwo\nthree'],
      'added lines with CRLF': ['one\r\ntwo\r\n', 'one\ntwo\nthree\n', 'one\r\ntwo\r\nthree\r\n'],
      'a changed last line without a final line break': ['one\ntwo', 'one\nother\n', 'one\nother'],
    };
    for (const [name, [before, answer, after]] of Object.entries(cases))
      it(`show ${name}, which is accepted and undone`, async () => {
        code = answer;
        const { document } = await open(before);
        await answering(deleting, async () => assert.equal((await edit()).ok, true));
        assert.equal(proposed()?.getText(), after);
        const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', proposed()?.uri);
        assert.deepEqual(
          lenses.map(({ command }) => command?.command),
          ['svc.acceptHunk', 'svc.rejectHunk', ''],
        );
        assert.deepEqual(await run('svc.acceptHunk'), { ok: true, left: 0 });
        assert.equal(document.getText(), after);
        await show(document);
        await undo(document);
        assert.equal(document.getText(), before);
      });
  });

  it('a proposal of 10,000 lines is written to the right place', async () => {
    const editor = await open('line\n'.repeat(10_000));
    cursorsAt(editor, 4_999, 9_999);
    await generate();
    await run('svc.acceptProposal');
    const half = 'line\n'.repeat(5_000);
    assert.equal(editor.document.getText(), `${half}${answered}${'line\n'.repeat(5_000)}${answered}`);
  });
});

describe('files that answers name', () => {
  const folder = (): string => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const found = async (path: string): Promise<string | boolean> => {
    const file = await findAnswerFile(path);
    return file.ok ? `${vscode.workspace.asRelativePath(file.uri)}${file.exists ? '' : ' (new)'}` : false;
  };
  before(() => {
    mkdirSync(join(folder(), 'answers/inner'), { recursive: true });
    writeFileSync(join(folder(), 'answers/inner/pay.ts'), '');
    writeFileSync(join(folder(), 'answers/.env'), '');
    symlinkSync(tmpdir(), join(folder(), 'answers/out'));
    symlinkSync('/nowhere/at/all', join(folder(), 'answers/dangling.ts'));
    symlinkSync('inner', join(folder(), 'answers/link'));
  });
  after(() => rmSync(join(folder(), 'answers'), { recursive: true }));

  it('are resolved below the folder, through links', async () => {
    assert.equal(await found('answers/inner/pay.ts'), 'answers/inner/pay.ts');
    assert.equal(await found('answers/link/pay.ts'), 'answers/inner/pay.ts');
    assert.equal(await found('answers/link/deep/new.ts'), 'answers/inner/deep/new.ts (new)');
  });

  it('are refused for links that lead out or nowhere, for folders, and for excluded files', async () => {
    for (const path of ['answers/out/x.ts', 'answers/dangling.ts', 'answers/inner', 'answers/.env']) {
      assert.equal(await found(path), false, path);
    }
  });
});

function isDiff({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputTextDiff;
}
