import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type AnswerRequest, answerFor } from '../../service/answer.ts';
import { countTokens } from '../../service/completion.ts';
import { answering, told, withTools } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';
import { stagedIn } from './staged.ts';
import { undo } from './undo.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

describe('edit commands', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'edits');
  let stage: Stage;
  let answer: (request: AnswerRequest) => string;
  beforeEach(async () => {
    mkdirSync(folder, { recursive: true });
    answer = answerFor;
    stage = await openStageWithKey({ answer: (request) => answer(request) });
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  /** Each name is used once: a document of an earlier test could be read again from the disk during this one. */
  const open = async (name: string, text: string): Promise<vscode.TextEditor> => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return show(vscode.Uri.file(path));
  };
  const sent = (): string => stage.service.chats.at(-1)?.body ?? '';

  it('change each of several selections, and nothing else', async () => {
    const editor = await open('pay.js', 'a(1);\nkeep(a);\na(2);\n');
    editor.selections = [new vscode.Selection(0, 0, 0, 4), new vscode.Selection(2, 0, 2, 4)];
    assert.equal((await run('svc.editCode', { instruction: 'rename a to total' })).ok, true);
    assert.equal(editor.document.getText(), 'a(1);\nkeep(a);\na(2);\n');
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.equal(editor.document.getText(), 'total(1);\nkeep(a);\ntotal(2);\n');
    await undo(editor.document);
    assert.equal(editor.document.getText(), 'a(1);\nkeep(a);\na(2);\n');
    assert.equal((stage.service.chats[0]?.json as { model: string } | undefined)?.model, 'svc/enterprise-coder-v1');
  });

  describe('of a file of 1,000 lines', () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `row(${index});`);
    const before = `${rows.join('\n')}\n`;
    const after = before.replace('row(500)', 'line(500)');
    const piece = (old: string, now: string): string =>
      `\`\`\`\n<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE\n\`\`\`\n`;

    it('ask for pieces, and need no more than 200 tokens for a line', async () => {
      const answers: string[] = [];
      answer = (request) => {
        answers.push(answerFor(request));
        return answers.at(-1) ?? '';
      };
      const text = before.replace('row(500)', 'total');
      const { document } = await open('rows-piece.txt', text);
      assert.equal((await run('svc.editCode', { instruction: 'rename total to line' })).ok, true);
      assert.match(sent(), /<{7} SEARCH/);
      assert.ok(countTokens(answers.join('').length) <= 200, answers.join(''));
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), text.replace('total', 'line'));
    });

    for (const [form, code] of Object.entries({
      'a diff': '```diff\n@@ -1,3 +1,3 @@\n row(499);\n-row(500);\n+line(500);\n row(501);\n```\n',
      'the whole text': `\`\`\`\n${after}\`\`\`\n`,
      'a piece that is asked for again': [piece('row', 'line'), piece('row(500);', 'line(500);')],
    })) {
      it(`place ${form}`, async () => {
        const answers = [code].flat();
        answer = () => answers.shift() ?? '';
        const { document } = await open(`rows-${form.replaceAll(' ', '-')}.txt`, before);
        assert.equal((await run('svc.editCode', { instruction: 'rename it' })).ok, true);
        assert.equal(answers.length, 0);
        assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
        assert.equal(document.getText(), after);
      });
    }
  });

  it('leave out a named file that VS Code still holds, but that was deleted', async () => {
    const path = join(folder, 'rates.js');
    writeFileSync(path, 'export const rates = [];\n');
    const held = await vscode.workspace.openTextDocument(vscode.Uri.file(path));
    rmSync(path);
    await open('uses.js', "import { rates } from './rates.js';\na(rates);\n");
    assert.equal(held.isClosed, false);
    assert.equal((await run('svc.editCode', { instruction: 'rename a to total' })).ok, true);
    assert.doesNotMatch(sent(), /rates = \[\]/);
  });

  it('decide each change of a whole file separately, and refuse one whose text changed in the meantime', async () => {
    const { document } = await open('pay.txt', 'a\nkeep\na\n');
    await run('svc.editCode', { instruction: 'rename a to total' });
    assert.deepEqual(await run('svc.rejectHunk'), { ok: true, left: 1 });
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(1, 0), 'new\n');
    await vscode.workspace.applyEdit(edit);
    assert.deepEqual(await run('svc.acceptHunk'), { ok: false, reason: 'changed' });
    assert.equal(document.getText().includes('total'), false);
  });

  it('fix the problems of the file, with VS Code’s messages about them', async () => {
    const { document } = await open('problems.txt', 'x\nvar a = b == c\n');
    const problems = vscode.languages.createDiagnosticCollection('test');
    try {
      problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(1, 0, 1, 3), 'No var here.')]);
      assert.equal((await run('svc.fixProblems')).ok, true);
      assert.match(sent(), /line 2: No var here\./);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      assert.equal(document.getText(), 'x\nlet a = b === c\n');
      const actions = await run<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        new vscode.Range(1, 0, 1, 2),
      );
      const titles = actions.map(({ title }) => title);
      for (const title of ['Fix with Svc', 'Explain with Svc', 'Document with Svc', 'Generate Tests with Svc']) {
        assert.ok(titles.includes(title), `${title} is among ${titles.join(', ')}`);
      }
    } finally {
      problems.dispose();
    }
  });

  it('document code', async () => {
    const { document } = await open('documented.js', 'function pay() {\n}\n');
    assert.equal((await run('svc.documentCode')).ok, true);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.match(document.getText(), /^\/\*\* The function pay\..*\nfunction pay\(\) \{\n\}\n$/);
  });

  it('send nothing if there is no code to document or to test', async () => {
    await open('blank.js', ' \n\n');
    for (const command of ['svc.documentCode', 'svc.generateTests']) assert.equal((await run(command)).ok, false);
    assert.equal(stage.service.chats.length, 0);
  });

  it('write tests beside the source, in the style of other tests, and nothing before they are accepted', async () => {
    writeFileSync(join(folder, 'other.ts'), '');
    writeFileSync(join(folder, 'other.spec.ts'), '// our way\n');
    await open('pay.ts', 'export function pay() {\n}\n');
    assert.equal((await run('svc.generateTests')).ok, true);
    assert.match(sent(), /our way/);
    const uri = vscode.Uri.file(join(folder, 'pay.spec.ts'));
    await assert.rejects(async () => vscode.workspace.fs.stat(uri));
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    assert.match(text, /import \{ pay \} from '\.\/pay';/);
  });

  it('add tests to a test file that exists, which the model sees', async () => {
    const path = join(folder, 'card.test.ts');
    const before = "import { it } from 'mocha';\n\nit('has a way of its own', () => {});\n";
    writeFileSync(path, before);
    await open('card.ts', 'export function card() {\n}\n');
    assert.equal((await run('svc.generateTests')).ok, true);
    assert.match(sent(), /has a way of its own/);
    assert.doesNotMatch(sent(), /new file/);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    const document = await vscode.workspace.openTextDocument(path);
    assert.ok(document.getText().startsWith(before.trimEnd()), document.getText());
    assert.match(document.getText(), /it\('has card'/);
    await document.save();
  });

  it('take the ways of tests neither from ignored nor from built folders', async () => {
    for (const name of ['vendor', '.venv', 'build', 'ignored']) {
      mkdirSync(join(folder, name));
      for (const one of ['a', 'b']) {
        writeFileSync(join(folder, name, `${one}.ts`), '');
        writeFileSync(join(folder, name, `${one}.spec.ts`), '// not ours\n');
      }
    }
    writeFileSync(join(folder, '.gitignore'), 'ignored/\n');
    writeFileSync(join(folder, 'ours.ts'), '');
    writeFileSync(join(folder, 'ours.test.ts'), '// our way\n');
    writeFileSync(join(folder, 'package.json'), '{}');
    await open('voted.ts', 'export function voted() {\n}\n');
    assert.equal((await run('svc.generateTests')).ok, true);
    assert.match(sent(), /our way/);
    assert.doesNotMatch(sent(), /not ours/);
    assert.match(sent(), /edits\/voted\.test\.ts/);
  });

  it('write a new file in the encoding and with the line endings of the workspace', async () => {
    writeFileSync(join(folder, 'first.ts'), '');
    writeFileSync(join(folder, 'first.spec.ts'), '');
    await stage.set('files.encoding', 'windows1252');
    await stage.set('files.eol', '\r\n');
    const write = async (name: string, code: string): Promise<Buffer> => {
      answer = () => `\`\`\`ts\n${code}\n\`\`\`\n`;
      await open(`${name}.ts`, 'export function pay() {\n}\n');
      assert.equal((await run('svc.generateTests')).ok, true);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
      return readFileSync(join(folder, `${name}.spec.ts`));
    };
    const umlauts = await write('umlauts', "it('zahlt Gebühren', () => {});\nit('b');");
    assert.equal(umlauts.toString('latin1'), "it('zahlt Gebühren', () => {});\r\nit('b');\r\n");
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /Gebühren/);
    const messages = await told('Warning', async () => {
      assert.match((await write('signs', "it('日本 Gebühren');")).toString('utf8'), /日本 Gebühren/);
    });
    assert.deepEqual(messages, ['signs.spec.ts was saved as UTF-8, because windows1252 lacks some of its characters.']);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /日本 Gebühren/);
  });

  it('keep the original if the service fails', async () => {
    const { document } = await open('failed.js', 'a();\n');
    stage.service.enqueue('forbidden');
    const result = await run('svc.editCode', { instruction: 'rename a to total' });
    assert.equal(result.ok, false);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'none' });
    assert.equal(document.getText(), 'a();\n');
  });

  it('write a commit message for the staged changes, without excluded files', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    const result = await run<{ ok: boolean; message: string }>('svc.generateCommitMessage', { rootUri });
    assert.equal(result.ok, true);
    assert.match(result.message, /^chore: change committed\.ts/);
    assert.equal(inputBox.value, result.message);
    assert.doesNotMatch(sent(), /never-leaves/);
  });

  it('write a commit message after what is in the box, and replace one that they wrote', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    inputBox.value = 'PROJ-123: ';
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await run('svc.generateCommitMessage', { rootUri })).ok, true);
      assert.match(inputBox.value, /^PROJ-123: chore: change committed\.ts/);
      assert.equal(inputBox.value.match(/committed\.ts/g)?.length, 1);
      assert.match(sent(), /begins with these words of the user.*PROJ-123:/);
    }
  });

  it('write a commit message for new files if nothing else has changed', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    git('commit', '-q', '-m', 'feat: two');
    const words = await told('Information', async () => {
      assert.equal((await run('svc.generateCommitMessage', { rootUri })).ok, false);
    });
    // VS Code may know other repositories by then; the words name this one.
    assert.match(words.join('|'), /^There are no changes to describe(?: in [^.]+)?\.$/);
    writeFileSync(join(folder, 'fresh.ts'), 'three\n');
    assert.equal((await run('svc.generateCommitMessage', { rootUri })).ok, true);
    assert.match(inputBox.value, /^chore: change fresh\.ts/);
  });

  it('write no commit message if every changed file is excluded, and name the rule', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    const git = (...args: string[]): unknown =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    git('commit', '-q', '-m', 'feat: two');
    writeFileSync(join(folder, '.env'), 'TOKEN=never-leaves-again\n');
    git('add', '-f', '.env');
    const { error } = await run<{ error?: { code?: string; file?: string } }>('svc.generateCommitMessage', { rootUri });
    assert.deepEqual([error?.code, inputBox.value, stage.service.chats.length], ['excluded', '', 0]);
  });

  it('write no commit message that was cut off or filtered', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    inputBox.value = 'mine';
    for (const [scenario, code] of [
      ['length', 'cut'],
      ['refuse-content', 'filtered'],
    ] as const) {
      stage.service.enqueue(scenario);
      const result = await run<{ ok: boolean; error?: { code?: string } }>('svc.generateCommitMessage', { rootUri });
      assert.deepEqual([result.ok, result.error?.code, inputBox.value], [false, code, 'mine']);
    }
  });

  it('ask before they write a commit message that may be incomplete', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    inputBox.value = 'mine';
    const generate = (): Thenable<{ ok: boolean }> => run('svc.generateCommitMessage', { rootUri });
    for (const scenario of ['network-error', 'no-reason', 'no-reason-no-done'] as const) {
      stage.service.enqueue(scenario);
      const [question, ...more] = await answering(undefined, generate);
      assert.deepEqual([question?.buttons, more, inputBox.value], [['Use It', 'Always Use Them'], [], 'mine']);
    }
    stage.service.enqueue('no-reason');
    assert.equal((await answering('Use It', generate)).length, 1);
    assert.match(inputBox.value, /^mine[\s\S]*chore: change committed\.ts/);
  });

  it('ask under zero retention before they write a commit message where VS Code stores it', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    await stage.set('svc.compliance.zeroRetention', true);
    const generate = (): Thenable<{ ok: boolean }> => run('svc.generateCommitMessage', { rootUri });
    const [refused, ...more] = await answering(undefined, generate);
    assert.deepEqual([refused?.buttons, more], [['Write Anyway'], []]);
    assert.match(
      refused?.message ?? '',
      /^Zero retention is or may be on, .* the Source Control input box on the disk\.$/,
    );
    assert.equal(stage.service.chats.length, 0);
    assert.equal(inputBox.value, '');
    // Once, and not again when the answer arrives.
    assert.equal((await answering('Write Anyway', generate)).length, 1);
    assert.match(inputBox.value, /^chore: change committed\.ts/);
  });

  it('ask if zero retention applies by the time the commit message arrives', async () => {
    const { rootUri, inputBox } = await stagedIn(folder);
    const held = stage.service.holdChunks();
    const asked = await answering(undefined, async () => {
      const generating = run('svc.generateCommitMessage', { rootUri });
      await stage.service.waitFor(() => stage.service.chats.length === 1);
      await stage.set('svc.compliance.zeroRetention', true);
      held.release(1000);
      assert.deepEqual((await generating).ok, false);
    });
    assert.equal(asked.length, 1);
    assert.equal(inputBox.value, '');
  });

  it('explain the selection in the terminal, and never touch the clipboard', async () => {
    // It may hold an image or formatted text beside the text, which extensions cannot restore.
    const used: string[] = [];
    const clipboard = {
      readText: async () => {
        used.push('read');
        return 'mine';
      },
      writeText: async (text: string) => void used.push(text),
    };
    const environments = new Set([vscode.env, (await import('vscode')).env]);
    const before = [...environments].map((env) => [env, Object.getOwnPropertyDescriptor(env, 'clipboard')] as const);
    for (const env of environments) {
      Object.defineProperty(env, 'clipboard', { configurable: true, get: () => clipboard });
    }
    const write = new vscode.EventEmitter<string>();
    const terminal = vscode.window.createTerminal({
      name: 'test',
      pty: { onDidWrite: write.event, open: () => write.fire('error: no such file\r\n'), close: () => undefined },
    });
    try {
      terminal.show();
      await until(vscode.window.onDidChangeActiveTerminal, () => vscode.window.activeTerminal === terminal);
      assert.equal((await run('svc.explainTerminal')).ok, false);
      await run('workbench.action.terminal.selectAll');
      assert.equal((await run('svc.explainTerminal')).ok, true);
      assert.match(sent(), /error: no such file/);
      assert.doesNotMatch(sent(), /active terminal/);
      const asked = stage.service.chats.length;
      const messages = await told('Information', () =>
        withTools(async (exist) => {
          exist([]);
          assert.equal((await run('svc.explainTerminal')).ok, false);
        }),
      );
      assert.deepEqual(messages, [
        'VS Code offers the terminal selection only through the clipboard. Copy the selection, and paste it into the question.',
      ]);
      assert.deepEqual([stage.service.chats.length, used], [asked, []]);
    } finally {
      for (const [env, own] of before) Object.defineProperty(env, 'clipboard', own ?? {});
      terminal.dispose();
      write.dispose();
    }
  });
});
