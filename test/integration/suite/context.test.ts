import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { offerContext } from '../../../src/features/context/vscode/attachments/offers.ts';
import { PendingAttachments } from '../../../src/features/context/vscode/attachments/pendingAttachments.ts';
import { readPrompts } from '../../../src/features/context/vscode/attachments/promptFiles.ts';
import { currentFileSource } from '../../../src/features/context/vscode/currentFile.ts';
import { droppedSource } from '../../../src/features/context/vscode/dropped.ts';
import { fileSource } from '../../../src/features/context/vscode/fileSource.ts';
import { WorkspaceFiles } from '../../../src/features/context/vscode/files.ts';
import { folderSource } from '../../../src/features/context/vscode/folderSource.ts';
import { type DiffKind, diffSource } from '../../../src/features/context/vscode/gitDiff.ts';
import { localFiles } from '../../../src/features/context/vscode/localFiles.ts';
import { openEditorsSource } from '../../../src/features/context/vscode/openEditors.ts';
import { problemsSource } from '../../../src/features/context/vscode/problems.ts';
import { findSymbols, symbolSource } from '../../../src/features/context/vscode/symbolSource.ts';
import { terminalSource } from '../../../src/features/context/vscode/terminal.ts';
import { readFile } from '../../../src/features/tools/vscode/own/readFile.ts';
import { unchangedFiles } from '../../../src/features/tools/vscode/own/unchangedFiles.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { relativePath } from '../../../src/platform/files/relativePath.ts';
import { gitState } from '../../../src/platform/git/api.ts';
import { whyExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { noTasks } from '../../tools/noTasks.ts';
import { show } from './show.ts';
import { until } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const at = (name: string): vscode.Uri => vscode.Uri.joinPath(folder, 'context', name);
const put = (name: string, text: string): vscode.Uri => {
  const uri = at(name);
  mkdirSync(join(uri.fsPath, '..'), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
};
/** Inserts text into the file without saving it. */
const prepend = async (uri: vscode.Uri, text: string): Promise<void> => {
  const edit = new vscode.WorkspaceEdit();
  edit.insert(uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
};
const code = (expected: string) => (error: unknown) => isServiceError(error) && error.code === expected;

describe('context of a question', () => {
  beforeEach(() => {
    put('.svcignore', 'hidden/\nplan.md\n');
    put('pay.ts', 'export function pay() {\n  return 1;\n}\n');
    put('plan.md', 'The plan.\n');
    put('hidden/deep/secret.ts', 'export const secret = 1;\n');
    put('lib/b.ts', 'export const b = 1;\n');
    put('lib/a.ts', 'export const a = 1;\n');
  });
  afterEach(async () => {
    // Not saveAll(): it saves what an editor shows, and an edit may change a file that none shows.
    for (const document of vscode.workspace.textDocuments) if (document.isDirty) await document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(at('').fsPath, { recursive: true, force: true });
  });

  it('a file is read when it is sent, with unsaved changes', async () => {
    const source = fileSource(at('lib/a.ts'));
    await prepend(at('lib/a.ts'), '// new\n');
    const { attachments } = await source.read();
    assert.equal(attachments[0]?.text, '// new\nexport const a = 1;\n');
  });

  it('a folder is a listing of names; files that may not be sent are left out and reported', async () => {
    symlinkSync(at('lib').fsPath, at('linked').fsPath);
    const { attachments, note } = await folderSource(at('')).read();
    const [listing] = attachments;
    assert.deepEqual(listing?.text.split('\n'), [
      '.svcignore',
      'linked',
      'pay.ts',
      'lib/a.ts',
      'lib/b.ts',
      '[left out: 2 files and folders that may not be sent]',
    ]);
    assert.equal(note, '2 left out');
    assert.equal(listing?.folder, folder.toString());
    // The link counts twice: as itself, and as its target.
    assert.equal(listing?.covers?.length, 6);
  });

  it('a workspace folder has its name, and not its path, which may name the user', () => {
    const { name = '' } = vscode.workspace.workspaceFolders?.[0] ?? {};
    assert.equal(folderSource(folder).label, `${name}/`);
    assert.equal(folderSource(at('lib')).label, 'context/lib/');
  });

  it('a cell of a notebook and an older version of a file are named like their file, and not by a path that may name the user', async () => {
    const cells = [{ cell_type: 'code', source: 'rate = 0.19', outputs: [], metadata: {}, execution_count: 1 }];
    const file = put('cells.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
    const { document } = (await vscode.workspace.openNotebookDocument(file)).cellAt(0);
    assert.equal(document.uri.scheme, 'vscode-notebook-cell');
    const older = at('pay.ts').with({ scheme: 'svc-test-older' });
    const provider = vscode.workspace.registerTextDocumentContentProvider(older.scheme, {
      provideTextDocumentContent: () => 'older',
    });
    try {
      for (const [uri, name] of [
        [document.uri, 'context/cells.ipynb'],
        [older, 'context/pay.ts'],
      ] as const) {
        const [attached] = (await fileSource(uri).read()).attachments;
        assert.deepEqual([attached?.label, attached?.refused], [name, undefined]);
        assert.equal(problemsSource(uri).label, `problems in ${name}`);
      }
    } finally {
      provider.dispose();
    }
  });

  it('a file of the home folder, outside the workspace, is named without that folder, which names the user', async () => {
    const { HOME } = process.env;
    const home = mkdtempSync(join(tmpdir(), 'svc-home-'));
    const inHome = (name: string): vscode.Uri => vscode.Uri.file(join(home, name));
    try {
      writeFileSync(inHome('rates.txt').fsPath, 'a');
      process.env.HOME = home;
      assert.deepEqual([fileSource(inHome('rates.txt')).label, relativePath(inHome('.'))], ['~/rates.txt', home]);
      assert.equal(problemsSource(inHome('rates.txt')).label, 'problems in ~/rates.txt');
      assert.equal(relativePath(vscode.Uri.file(`${home}-other/rates.txt`)), `${home}-other/rates.txt`);
    } finally {
      if (HOME === undefined) delete process.env.HOME;
      else process.env.HOME = HOME;
      rmSync(home, { recursive: true });
    }
  });

  it('an image is refused wherever it is attached, as one; an SVG is text', async () => {
    const bytes = '\x89PNG\r\n\x1a\n\0\0';
    const image = put('pictures/[ä].PNG', bytes);
    const refused = { kind: 'gate', code: 'no-images', file: 'context/pictures/[ä].PNG' };
    const pending = new PendingAttachments({
      limits: () => ({ fileBytes: 1_000, requestBytes: 10_000 }),
      scanner: async () => ({ scanText }),
    });
    await assert.rejects(pending.add(fileSource(image)), refused);
    await assert.rejects(pending.add(await droppedSource(image.toString())), refused);
    await assert.rejects(currentFileSource({ uri: image, range: undefined }).read(), refused);
    const [offer] = await offerContext('file:[ä].PNG', new WorkspaceFiles(), async () => null);
    assert.deepEqual([offer?.label, offer?.isBlocked], ['[ä].PNG', true]);
    await pending.add(fileSource(put('pictures/a.svg', '<svg/>')));
    assert.deepEqual(
      pending.chips.map(({ label }) => label),
      ['context/pictures/a.svg'],
    );
    pending.dispose();
    rmSync(at('pictures').fsPath, { recursive: true });
  });

  it('a long listing is cut, with a note', async () => {
    for (let index = 0; index < 1_005; index += 1) put(`many/${index}.txt`, '');
    const { attachments, note } = await folderSource(at('many')).read();
    const lines = attachments[0]?.text.split('\n') ?? [];
    assert.equal(lines.length, 1_001);
    assert.equal(lines.at(-1), '[cut after 1000 names]');
    assert.equal(note, 'the first 1000 names');
  });

  it('a file that is deleted on the disk but open in an editor is read from the editor', async () => {
    await show(put('shown/only.ts', 'export const a = 1;\n'), { preview: false });
    rmSync(at('shown').fsPath, { recursive: true });
    const { attachments } = await fileSource(at('shown/only.ts')).read();
    assert.equal(attachments[0]?.text, 'export const a = 1;\n');
  });

  it('unsaved text is sent as the editor has it, and its chip shows this while it is unsaved', async () => {
    const limits = { fileBytes: 1_000, requestBytes: 10_000 };
    const pending = new PendingAttachments({ limits: () => limits, scanner: async () => ({ scanText }) });
    try {
      const said = () => pending.chips.map(({ note }) => note);
      await pending.add(fileSource(at('pay.ts')));
      await pending.add(fileSource(at('lib/a.ts')));
      assert.deepEqual(said(), [undefined, undefined]);
      const changed = until(pending.onDidChange, () => said()[0] === 'unsaved');
      await prepend(at('pay.ts'), '// new\n');
      await changed;
      assert.deepEqual(said(), ['unsaved', undefined]);
      assert.match(pending.chips[0]?.size ?? '', / · unsaved$/);
      assert.match((await pending.read())[0]?.text ?? '', /^\/\/ new\n/);
      // Deleted while open in the editor: its text is all there is.
      rmSync(at('pay.ts').fsPath);
      assert.match((await pending.read())[0]?.text ?? '', /^\/\/ new\n/);
      assert.deepEqual(said(), ['unsaved', undefined]);
      const saved = until(pending.onDidChange, () => said()[0] === undefined);
      await (await vscode.workspace.openTextDocument(at('pay.ts'))).save();
      await saved;
    } finally {
      pending.dispose();
    }
  });

  it('a file that is gone when it is read is reported as gone', async () => {
    // No other test changes this file: unsaved text outlives its file.
    const file = put('gone/once.ts', 'export const a = 1;\n');
    const sources = [fileSource(file), folderSource(at('gone'))];
    // VS Code caches its text, and no editor shows it.
    await vscode.workspace.openTextDocument(file);
    rmSync(at('gone').fsPath, { recursive: true });
    for (const source of sources) await assert.rejects(async () => source.read(), code('gone'));
  });

  it('an attachment that covers a file that may not be sent may not be sent either', async () => {
    const { attachments } = await folderSource(at('lib')).read();
    const [listing] = attachments;
    assert.ok(listing !== undefined);
    assert.equal(await whyExcluded(listing), null);
    put('.svcignore', 'lib/b.ts\n');
    assert.match((await whyExcluded(listing)) ?? '', /\.svcignore/);
  });

  it('an attachment that covers many files is refused as soon as one of them may not be sent, and not longer', async () => {
    const covers = ['pay.ts', 'lib/a.ts', 'lib/b.ts', 'lib/c.ts'].map((name) => ({
      uri: at(name).toString(),
      folder: null,
    }));
    const why = (): Promise<string | null> => whyExcluded({ uri: at('').toString(), covers });
    assert.deepEqual([await why(), await why()], [null, null]);
    put('lib/.svcignore', 'b.*\n');
    assert.deepEqual(
      [await why(), await why()],
      ['context/lib/.svcignore, line 1: b.*', 'context/lib/.svcignore, line 1: b.*'],
    );
    put('.svcignore', 'a.ts\n');
    assert.equal(await why(), 'context/.svcignore, line 1: a.ts');
    put('.svcignore', '');
    put('lib/.svcignore', '');
    assert.equal(await why(), null);
  });

  it('files are offered by the names that VS Code gives them, in order', async () => {
    const { files } = await new WorkspaceFiles().list();
    const names = files.map(({ name }) => name);
    assert.ok(names.includes('context/lib/a.ts') && names.includes('context/pay.ts'), names.join());
    assert.deepEqual(
      names,
      files.map(({ uri }) => vscode.workspace.asRelativePath(uri)),
    );
    assert.deepEqual(names, [...names].sort());
  });

  it('files of this machine are found as VS Code finds them, without asking it', async () => {
    for (const name of ['.dot/.a', 'Out/a.js', 'Out/a.ts', 'gone.me/a.ts', 'node_modules/x/a.js', 'sp ace/ü#?%25.ts'])
      put(name, '');
    put('lib/.git/config', '');
    symlinkSync('pay.ts', at('file link').fsPath);
    symlinkSync('lib', at('folder link').fsPath);
    symlinkSync('nothing', at('broken link').fsPath);
    symlinkSync('..', at('lib/around').fsPath);
    symlinkSync('.', at('lib/itself').fsPath);
    const found = async () => {
      const byVsCode = await vscode.workspace.findFiles('**/*', '**/{node_modules,.git}/**');
      const here = await localFiles(folder, 10_000);
      const uris = here?.files.map((path) => vscode.Uri.joinPath(folder, path).toString());
      // A folder whose content may not be sent is not entered.
      const others = byVsCode.map(String).filter((uri) => !uri.includes('/hidden/'));
      assert.deepEqual([...(uris ?? [])].sort(), others.sort());
      return here?.files ?? [];
    };
    assert.ok((await found()).includes('context/folder link/a.ts'));
    const files = vscode.workspace.getConfiguration('files', folder);
    const search = vscode.workspace.getConfiguration('search', folder);
    const { Workspace } = vscode.ConfigurationTarget;
    try {
      await files.update('exclude', { '**/*.me': true, 'context/Out/a.js': true, '**/pay.ts': false }, Workspace);
      assert.ok(!(await found()).some((path) => /gone\.me|a\.js/.test(path)));
      await search.update('followSymlinks', false, Workspace);
      assert.ok(!(await found()).some((path) => path.includes('link')));
    } finally {
      await files.update('exclude', undefined, Workspace);
      await search.update('followSymlinks', undefined, Workspace);
    }
    const cut = await localFiles(folder, 3);
    assert.deepEqual([cut?.files.length, cut?.isTruncated], [3, true]);
    assert.equal(await localFiles(folder.with({ scheme: 'memory' }), 10), null);
  });

  it('ignored folders are not entered: what lies deep below the others is found', async () => {
    put('.gitignore', 'venv/\n/out\\[1]/\n!*.md\n');
    put('.git/HEAD', 'ref: refs/heads/main\n');
    for (let at = 0; at < 40; at += 1) put(`venv/lib/p${at}.py`, '');
    put('out[1]/a.md', '');
    put('src/main/java/com/acme/pay/Payment.java', '');
    const { files = [], isTruncated, ignored } = (await localFiles(folder, 30)) ?? {};
    assert.ok(files.includes('context/src/main/java/com/acme/pay/Payment.java'), files.join());
    assert.ok(!files.some((path) => path.includes('venv/') || path.includes('out[1]/')));
    const without = (ignored ?? []).filter((path) => path !== 'context/hidden');
    assert.deepEqual([isTruncated, without.sort()], [false, ['context/out[1]', 'context/venv']]);
  });

  it('a list that is cut reports it, and what is typed is searched in all names', async () => {
    for (let at = 0; at < 9; at += 1) put(`many/f${at}.txt`, '');
    put('src/main/java/com/acme/pay/Payment.java', '');
    put('src/main/java/com/acme/[ä] {b}/Deep,Name.java', '');
    const few = new WorkspaceFiles(3);
    assert.equal((await few.list()).isTruncated, true);
    const labels = async (query: string, files = few): Promise<readonly string[]> =>
      (await offerContext(query, files, async () => null)).map(({ label }) => label);
    for (const query of ['Payment', 'payment.java', 'PAYM', 'pay/Paym', 'pmnt', 'file:acme/pay/payment'])
      assert.ok((await labels(query)).includes('Payment.java'), query);
    for (const query of ['Deep,Name', 'deep', '{b}/deep', '[ä]'])
      assert.ok((await labels(query)).includes('Deep,Name.java'), query);
    const all = await labels('file:');
    assert.deepEqual([all.at(-1), all.length > 1], ['There are more files', true]);
    const [more] = (await offerContext('file:', few, async () => null)).slice(-1);
    assert.deepEqual([more?.isBlocked, more?.source], [true, undefined]);
    assert.ok((await labels('folder:acme/pay')).some((label) => label.endsWith('acme/pay/')));
    // A search that found everything is whole.
    assert.ok(!(await labels('Payment')).includes('There are more files'));
    assert.ok(!(await labels('file:', new WorkspaceFiles())).includes('There are more files'));
  });

  it('a notebook is its cells and text outputs, not base64, and a rule against it holds', async () => {
    const image = 'iVBORw0KGgo'.repeat(500);
    const output = {
      output_type: 'display_data',
      data: { 'image/png': image, 'text/plain': ['<Figure>'] },
      metadata: {},
    };
    const cells = [
      { cell_type: 'markdown', source: ['# Pay\n', 'the rates'], metadata: {} },
      { cell_type: 'code', source: 'rate = 0.19\nrate', outputs: [output], metadata: {}, execution_count: 1 },
    ];
    const metadata = { language_info: { name: 'python' } };
    put('pay.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells }));
    put('plan.ipynb', JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata, cells }));
    put('.svcignore', 'plan.ipynb\n');
    const [attached] = (await fileSource(at('pay.ipynb')).read()).attachments;
    const whole =
      '[cell 1, markdown]\n# Pay\nthe rates\n\n[cell 2, python]\nrate = 0.19\nrate\n\n[output of cell 2]\n<Figure>\n[left out: image/png]';
    assert.equal(attached?.text, whole);
    assert.equal(attached?.label, 'context/pay.ipynb');
    const [refused] = (await fileSource(at('plan.ipynb')).read()).attachments;
    assert.deepEqual([refused?.text, refused?.refused?.includes('.svcignore')], ['', true]);
    const lines = { path: 'context/pay.ipynb', firstLine: 5, lastLine: 6 };
    const read = await readFile.run(lines, new AbortController().signal, unchangedFiles, noTasks);
    assert.equal(read.attachments[0]?.text, '5| [cell 2, python]\n6| rate = 0.19\n');
    // With its unsaved changes, where an editor shows it.
    const notebook = await vscode.workspace.openNotebookDocument(at('pay.ipynb'));
    const edit = new vscode.WorkspaceEdit();
    edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(new vscode.NotebookRange(0, 1))]);
    await vscode.workspace.applyEdit(edit);
    const [changed] = (await fileSource(at('pay.ipynb')).read()).attachments;
    assert.match(changed?.text ?? '', /^\[cell 1, python\]\nrate = 0\.19/);
    assert.doesNotMatch(changed?.text ?? '', /iVBOR/);
    put('broken.ipynb', '{"cells": [');
    const [broken] = (await fileSource(at('broken.ipynb')).read()).attachments;
    assert.equal(broken?.text, '{"cells": [');
  });

  it('open editors become one attachment each, without those that may not be sent', async () => {
    for (const name of ['pay.ts', 'plan.md', 'lib/a.ts']) {
      await show(at(name), { preview: false });
    }
    const { attachments, note } = await openEditorsSource().read();
    assert.deepEqual(attachments.map(({ label }) => label).sort(), ['context/lib/a.ts', 'context/pay.ts']);
    assert.equal(note, '1 left out');
  });

  it('problems of a file match what VS Code currently shows, the most severe first', async () => {
    const problems = vscode.languages.createDiagnosticCollection('test');
    try {
      const source = problemsSource(at('pay.ts'));
      await assert.rejects(source.read(), code('nothing-there'));
      const { Warning, Error: Severe } = vscode.DiagnosticSeverity;
      const warning = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 6), 'unused', Warning);
      const error = new vscode.Diagnostic(new vscode.Range(1, 2, 1, 8), 'no such name', Severe);
      problems.set(at('pay.ts'), [warning, Object.assign(error, { source: 'ts', code: 2304 })]);
      const { attachments } = await source.read();
      assert.deepEqual(attachments[0]?.text.split('\n'), [
        'context/pay.ts:2:3 error: no such name (ts 2304)',
        'context/pay.ts:1:1 warning: unused',
      ]);
      assert.equal(attachments[0]?.uri, at('pay.ts').toString());
    } finally {
      problems.dispose();
    }
  });

  it('a symbol is found by its name, and its code is read at its new place', async () => {
    const kind = vscode.SymbolKind.Function;
    const place = new vscode.Location(at('pay.ts'), new vscode.Range(0, 16, 0, 19));
    const providers = vscode.Disposable.from(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: () => [new vscode.SymbolInformation('payOnce', kind, '', place)],
      }),
      vscode.languages.registerDocumentSymbolProvider(
        { pattern: '**/pay.ts' },
        {
          provideDocumentSymbols: (document) => {
            const start = document
              .getText()
              .split('\n')
              .findIndex((line) => line.includes('payOnce'));
            const range = new vscode.Range(start, 0, start + 2, 1);
            return [new vscode.DocumentSymbol('payOnce', '', kind, range, range)];
          },
        },
      ),
    );
    try {
      const symbol = (await findSymbols('payOnce')).find(({ name }) => name === 'payOnce');
      assert.ok(symbol !== undefined);
      await prepend(at('pay.ts'), '\n\nexport function payOnce() {\n  return 1;\n}\n');
      const source = symbolSource(symbol);
      assert.equal(source.isUnsaved?.(), true);
      const { attachments } = await source.read();
      assert.equal(attachments[0]?.text, 'export function payOnce() {\n  return 1;\n}');
      assert.equal(attachments[0]?.label, 'payOnce · context/pay.ts:3-5');
    } finally {
      providers.dispose();
    }
  });

  it('a dropped item must be an existing file or folder of a known scheme', async () => {
    const drop = async (text: string) => (await (await droppedSource(text)).read()).attachments[0];
    assert.equal((await drop(at('pay.ts').toString()))?.label, 'context/pay.ts');
    assert.equal((await drop(at('lib').toString()))?.label, 'context/lib/');
    for (const hostile of [
      'https://example.com/a.ts',
      'command:workbench.action.quit',
      'file://server/share/a.ts',
      'vscode-userdata:/User/settings.json',
      at('gone.ts').toString(),
      'no uri at all',
      '',
    ]) {
      await assert.rejects(droppedSource(hostile), code('not-here'), hostile);
    }
  });

  it('an attachment reports its problem, and is not read if it is too large', async () => {
    const limits = { requestBytes: 1_000, fileBytes: 400 };
    const pending = new PendingAttachments({ limits: () => limits, scanner: async () => ({ scanText }) });
    put('keys.txt', `key = ${['AKIA', 'IOSFODNN7ABCDEFG'].join('')}\n`);
    for (const name of ['a', 'b']) put(`${name}.txt`, name.repeat(300));
    put('c.txt', 'c'.repeat(401));
    try {
      for (const name of ['keys.txt', 'plan.md', 'a.txt', 'b.txt', 'c.txt']) await pending.add(fileSource(at(name)));
      assert.deepEqual(
        pending.chips.map(({ label, size, warning }) => [label.slice('context/'.length), size, warning?.slice(0, 22)]),
        [
          ['keys.txt', '27 bytes · secrets: 1', '1 secret found. Svc Co'],
          // It is not even read.
          ['plan.md', 'excluded', 'Excluded by context/.s'],
          ['a.txt', '300 bytes', undefined],
          ['b.txt', '300 bytes', undefined],
          ['c.txt', '401 bytes', 'The limit for a file i'],
        ],
      );
      assert.match(pending.problem, /^1 kB attached; the limit is 500 bytes\. Remove .*c\.txt, .*a\.txt$/);
      await assert.rejects(pending.read(), code('over-budget'));
      for (const { id, label } of pending.chips) if (/[bc]\.txt$/.test(label)) pending.remove(id);
      assert.equal(pending.problem, '');
      assert.equal((await pending.read()).length, 3);

      // It grows after it was attached: its size when it is sent is used.
      await prepend(at('a.txt'), 'a'.repeat(99));
      await prepend(at('keys.txt'), 'k'.repeat(100));
      await assert.rejects(pending.read(), code('over-budget'));
      assert.match(pending.problem, /Remove context\/a\.txt$/);
    } finally {
      pending.dispose();
    }
  });

  it('a terminal without a selection, and a missing terminal, are reported', async () => {
    await assert.rejects(terminalSource(), code('nothing-there'));
  });

  it('prompts of the workspace are read with their current content; errors are shown beside them', async () => {
    const place = vscode.Uri.joinPath(folder, '.svc', 'prompts').fsPath;
    mkdirSync(place, { recursive: true });
    try {
      assert.deepEqual(await readPrompts(), []);
      writeFileSync(join(place, 'audit.md'), '---\ndescription: Looks\nmodel: svc/one\n---\nLook.\n');
      writeFileSync(join(place, 'big.md'), 'x'.repeat(70_000));
      writeFileSync(join(place, 'fix.md'), 'Mine.');
      symlinkSync(at('plan.md').fsPath, join(place, 'linked.md'));
      writeFileSync(join(place, 'second.md'), '---\nname: audit\n---\nAgain.\n');
      writeFileSync(join(place, 'secrets.json'), '{}');
      writeFileSync(join(place, 'wrong.md'), '---\ntools: all\n---\nx');
      const entries = await readPrompts();
      assert.deepEqual(
        entries.map(({ file, prompt, problem }) => [file.replace('.svc/prompts/', ''), prompt?.text, problem]),
        [
          ['audit.md', 'Look.', undefined],
          ['big.md', undefined, 'larger than 64 kB'],
          ['fix.md', undefined, '/fix is already a Svc command'],
          ['linked.md', undefined, 'it is a link, and links are not followed'],
          ['second.md', undefined, '/audit is already .svc/prompts/audit.md'],
          ['wrong.md', undefined, 'line 2: found "tools: all", allowed: name, description, model, each as key: value'],
        ],
      );
    } finally {
      rmSync(vscode.Uri.joinPath(folder, '.svc').fsPath, { recursive: true, force: true });
    }
  });

  describe('git', () => {
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        cwd: folder.fsPath,
        encoding: 'utf8',
      });
    const diff = (kind: DiffKind) => diffSource(kind).read();

    it('staged and all changes are one diff each, without files that may not be sent', async () => {
      // Not removed: the git extension keeps watching it, and fails when it goes away.
      git('init', '--quiet');
      git('add', '--force', 'context');
      git('commit', '--quiet', '--message', 'first');
      const api = vscode.extensions.getExtension('vscode.git')?.exports.getAPI(1);
      await api.openRepository(folder);
      assert.equal((await gitState()).is, 'ready');
      await assert.rejects(diff('staged'), code('nothing-there'));
      put('pay.ts', 'export const staged = 1;\n');
      put('plan.md', 'Another plan.\n');
      git('add', '--force', 'context/pay.ts', 'context/plan.md');
      git('mv', 'context/lib/a.ts', 'context/lib/c.ts');
      put('lib/b.ts', 'export const unstaged = 1;\n');

      const staged = await diff('staged');
      const text = staged.attachments[0]?.text ?? '';
      assert.match(text, /\+export const staged = 1;/);
      assert.doesNotMatch(text, /unstaged|plan/);
      assert.match(text, /\[left out: 1 files that may not be sent\]$/);
      assert.equal(staged.note, '1 left out');
      assert.equal(staged.attachments[0]?.folder, folder.toString());
      const covered = staged.attachments[0]?.covers?.map(({ uri }) => uri.slice(uri.lastIndexOf('/') + 1)).sort();
      assert.deepEqual(covered, ['a.ts', 'c.ts', 'pay.ts']);

      const all = await diff('all');
      assert.match(all.attachments[0]?.text ?? '', /\+export const unstaged = 1;/);
      assert.match(all.attachments[0]?.text ?? '', /\+export const staged = 1;/);
    });
  });
});
