import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { told } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';
import { undo } from './undo.ts';

const run = <T = { ok: boolean; reason?: string }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('a decision about a proposal', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'decisions');
  let stage: Stage;
  let code = '';
  beforeEach(async () => {
    mkdirSync(folder, { recursive: true });
    stage = await openStageWithKey({ answer: () => `\`\`\`text\n${code}\`\`\`\n` });
  });
  afterEach(async () => {
    for (let left = 3; left > 0; left -= 1) await run('svc.rejectProposal');
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  /** The proposed side of the active diff. */
  const inFront = (): vscode.Uri | undefined => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
  };
  const make = (name: string, text: string): vscode.Uri => {
    writeFileSync(join(folder, name), text);
    return vscode.Uri.file(join(folder, name));
  };
  /** Asks for `answer` to replace the whole file; returns the proposal, or the active document if there is none. */
  const propose = async (file: vscode.Uri, answer: string): Promise<vscode.Uri | undefined> => {
    code = answer;
    await run('svc.editCode', { uri: file.toString(), instruction: 'change it' });
    return inFront();
  };
  const textOf = async (file: vscode.Uri): Promise<string> => (await vscode.workspace.openTextDocument(file)).getText();

  it('is ignored if the proposal it names has ended in any way while another one is active', async () => {
    const ended: (vscode.Uri | undefined)[] = [];
    const first = make('ended.txt', 'one\n');
    ended.push(await propose(first, 'two\n'));
    assert.equal((await run('svc.acceptProposal', ended[0])).ok, true);
    ended.push(await propose(first, 'three\n'));
    assert.equal((await run('svc.rejectProposal', ended[1])).ok, true);
    ended.push(await propose(first, 'three\n'));
    // Replaced.
    const other = await propose(first, 'four\n');
    for (const uri of ended) {
      for (const command of ['svc.acceptProposal', 'svc.acceptHunk', 'svc.rejectHunk']) {
        assert.deepEqual(await run(command, uri), { ok: false, reason: 'ended' });
      }
      assert.deepEqual(await run('svc.acceptProposal', uri?.toString()), { ok: false, reason: 'ended' });
    }
    assert.equal(await textOf(first), 'two\n');
    assert.deepEqual(await run('svc.acceptProposal', other), { ok: true, left: 0 });
    assert.equal(await textOf(first), 'four\n');
  });

  it('a decision without a name does not apply to a proposal that became active when the previous one ended', async () => {
    const first = make('stays.txt', 'one\n');
    const stays = await propose(first, 'two\n');
    // Its answer changes nothing: it ends by itself, and the other one becomes active.
    const unchanged = make('ends.txt', 'same\n');
    await propose(unchanged, 'same\n');
    await until(vscode.window.tabGroups.onDidChangeTabs, () => inFront()?.toString() === stays?.toString());
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
    assert.equal(await textOf(first), 'one\n');
    // The user has been told which one it is.
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(await textOf(first), 'two\n');
  });

  it('about one change applies only to that change, however late and however often it arrives', async () => {
    const file = make('hunks.txt', 'a\nkeep\nb\nkeep\nc\nend\n');
    const uri = await propose(file, 'A\nA\nkeep\nkeep\nC\nC\nend\n');
    const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri);
    const args = (command: string, index: number): readonly unknown[] =>
      lenses.filter((lens) => lens.command?.command === command)[index]?.command?.arguments ?? [];
    // Lines move up under the lenses of those after it.
    assert.deepEqual(await run('svc.rejectHunk', ...args('svc.rejectHunk', 0)), { ok: true, left: 2 });
    assert.deepEqual(await run('svc.acceptHunk', ...args('svc.acceptHunk', 0)), { ok: false, reason: 'none' });
    assert.equal(await textOf(file), 'a\nkeep\nb\nkeep\nc\nend\n');
    const twice = [run('svc.acceptHunk', ...args('svc.acceptHunk', 2)), run('svc.acceptHunk')];
    assert.deepEqual(
      (await Promise.all(twice)).map(({ ok }) => ok),
      [true, false],
    );
    assert.equal(await textOf(file), 'a\nkeep\nb\nkeep\nC\nC\nend\n');
  });

  /** The actions above the changes, in order: the line, the title, and a call of it. */
  const lensesOf = async (uri: vscode.Uri | undefined) =>
    (await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri)).map(({ range, command }) => ({
      line: range.start.line,
      title: command?.title ?? '',
      click: () => run<object>(command?.command ?? '', ...(command?.arguments ?? [])),
    }));
  type Lenses = Awaited<ReturnType<typeof lensesOf>>;
  const accepts = (lenses: Lenses): Lenses => lenses.filter(({ title }) => title.endsWith('Accept'));

  it('a decision about a change that is already decided is refused with a reason, even after the other changes have moved', async () => {
    const file = make('stale.txt', 'a\nkeep\nb\nkeep\nc\nend\n');
    const uri = await propose(file, 'A\nA\nA\nkeep\nB\nkeep\nC\nend\n');
    const shown = await lensesOf(uri);
    assert.deepEqual(await accepts(shown)[0]?.click(), { ok: true, left: 2 });
    let again: unknown;
    const words = await told('Information', async () => {
      again = await accepts(shown)[0]?.click();
    });
    assert.deepEqual([again, words], [{ ok: false, reason: 'none' }, ['This change is already accepted or rejected.']]);
    assert.deepEqual(await accepts(shown)[2]?.click(), { ok: true, left: 1 });
    assert.equal(await textOf(file), 'A\nA\nA\nkeep\nb\nkeep\nC\nend\n');
  });

  it('a change whose decision the user undoes is offered again, and the other changes keep their names', async () => {
    const file = make('undone.txt', 'a\nkeep\nb\nend\n');
    const uri = await propose(file, 'A\nkeep\nB\nend\n');
    const shown = await lensesOf(uri);
    assert.deepEqual(await accepts(shown)[0]?.click(), { ok: true, left: 1 });
    const { document } = await show(file, { viewColumn: vscode.ViewColumn.Beside });
    await undo(document);
    assert.equal(document.getText(), 'a\nkeep\nb\nend\n');
    const after = await lensesOf(uri);
    assert.equal(accepts(after).length, 2);
    // The first one is undone: its new actions name it, the old ones do not.
    assert.deepEqual(await accepts(shown)[0]?.click(), { ok: false, reason: 'none' });
    assert.deepEqual(await accepts(shown)[1]?.click(), { ok: true, left: 1 });
    assert.equal(document.getText(), 'a\nkeep\nB\nend\n');
    assert.deepEqual(await accepts(after)[0]?.click(), { ok: true, left: 0 });
    assert.equal(document.getText(), 'A\nkeep\nB\nend\n');
  });

  it('about code with a byte order mark is possible, without the mark', async () => {
    const file = make('mark.txt', 'a\nb\n');
    const uri = await propose(file, '\uFEFFA\nb\n');
    assert.deepEqual(await run('svc.acceptProposal', uri), { ok: true, left: 0 });
    assert.equal(await textOf(file), 'A\nb\n');
  });

  it('about one of two proposals applies to that one, if it is visible', async () => {
    const [first, second] = [make('one.txt', 'a\n'), make('two.txt', 'a\n')];
    const hidden = await lensesOf(await propose(first, 'A\n'));
    const visible = await lensesOf(await propose(second, 'A\n'));
    const words = await told('Information', async () => {
      assert.deepEqual(await accepts(hidden)[0]?.click(), { ok: false, reason: 'none' });
    });
    assert.deepEqual(words, ['The changes to one.txt are not visible. Nothing was written.']);
    assert.deepEqual(await accepts(visible)[0]?.click(), { ok: true, left: 0 });
    assert.deepEqual([await textOf(first), await textOf(second)], ['a\n', 'A\n']);
    const late = await told('Information', async () => {
      assert.deepEqual(await accepts(visible)[0]?.click(), { ok: false, reason: 'ended' });
    });
    assert.deepEqual(late, ['These changes are no longer open. Nothing was written.']);
  });

  it('about problems of some lines applies to the whole file if a fix needs more', async () => {
    const file = make('fixed.txt', 'first\nuse(path)\nlast\n');
    const problems = vscode.languages.createDiagnosticCollection('test');
    try {
      const at = (line: number, message: string) => new vscode.Diagnostic(new vscode.Range(line, 0, line, 3), message);
      problems.set(file, [at(1, 'Cannot find name path.'), at(0, 'Never mind.')]);
      code = 'import path\nfirst\nuse(path.join())\nlast\n';
      await run('svc.fixProblems', { uri: file.toString(), start: 1, end: 2 });
      const { body = '' } = stage.service.chats.at(-1) ?? {};
      assert.match(body, /line 2: Cannot find name path/);
      assert.doesNotMatch(body, /Never mind/);
      assert.match(body, /first\\nuse\(path\)\\nlast/);
      const lenses = await run<vscode.CodeLens[]>('vscode.executeCodeLensProvider', inFront());
      assert.equal(lenses.filter(({ command }) => command?.command === 'svc.acceptHunk').length, 2);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(await textOf(file), code);
    } finally {
      problems.dispose();
    }
  });
});
