import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { NoteKeeper } from '../../../src/features/provenance/vscode/noteKeeper.ts';
import { pressing } from './dialogs.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);
const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('no workspace');
const model = 'svc/enterprise-coder-v1';
const answered = 'export function total(items) {\n  return items.reduce(add, 0);\n}\n';

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly onDidChange: vscode.Event<void> };
  status(): Promise<void>;
}

interface GitApi {
  openRepository(root: vscode.Uri): Promise<Repository | null>;
}

/** Each test has its own name: the git extension keeps watching a repository that it has opened. */
let last = 0;

describe('provenance: notes and trailers', () => {
  let stage: Stage;
  let folder: string;
  let repository: Repository;

  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const head = (): string => git('rev-parse', 'HEAD').trim();
  const noteOf = (commit: string): string => {
    try {
      return git('notes', '--ref=ai', 'show', commit);
    } catch {
      return '';
    }
  };
  /** Until a note is what is expected: git status, and with it the extension, looks again as long as it is not. */
  const noted = async (commit: string, holds: (note: string) => boolean): Promise<string> => {
    while (!holds(noteOf(commit))) {
      const changed = until(repository.state.onDidChange, () => holds(noteOf(commit)));
      await Promise.race([changed, repository.status()]);
    }
    return noteOf(commit);
  };
  /** Accepts the answer at the end of a file, and saves it. */
  const acceptInto = async (name: string): Promise<vscode.TextDocument> => {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(join(folder, name)));
    // A selection that is set afterwards, or beyond the end, may still be replaced by what the window reports.
    const end = document.lineAt(document.lineCount - 1).range.end;
    await show(document, { selection: new vscode.Range(end, end) });
    await run('svc.generateCode', { instruction: 'a function' });
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    await document.save();
    return document;
  };

  beforeEach(async () => {
    stage = await openStageWithKey({ answer: () => `\`\`\`javascript\n${answered}\`\`\`\n` });
    last += 1;
    folder = join(workspace, `provenance-${last}`);
    mkdirSync(folder);
    git('init', '--quiet', '--initial-branch=main');
    for (const [key, value] of Object.entries({ 'user.name': 'a', 'user.email': 'a@b.c', 'core.autocrlf': 'false' })) {
      git('config', key, value);
    }
    // The question is asked once in a workspace; a test of its own looks at it.
    git('config', 'notes.rewriteRef', 'refs/notes/ai');
    writeFileSync(join(folder, 'pay.js'), 'const first = 1;\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'one');
    const extension = vscode.extensions.getExtension('vscode.git') ?? assert.fail('no git');
    const api = (await extension.activate()).getAPI(1) as GitApi;
    repository = (await api.openRepository(vscode.Uri.file(folder))) ?? assert.fail('no repository');
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('name the accepted lines of a commit, even after an amend, where the user has turned them on', async () => {
    await stage.set('svc.provenance.notes', true);
    await stage.set('svc.compliance.securityLevel', 'maximum');
    await repository.status();
    const document = await acceptInto('pay.js');
    writeFileSync(join(folder, 'own.js'), 'const mine = 1;\n');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'two');
    const note = await noted(head(), (text) => text !== '');
    assert.match(note, /^pay\.js\n {2}s_[0-9a-f]{14}::t_[0-9a-f]{14} 2-4\n---\n/);
    assert.doesNotMatch(note, /own\.js|reduce/);
    assert.match(note, new RegExp(`"model": "${model}"`));
    // Two lines come before them.
    writeFileSync(document.uri.fsPath, `// a\n// b\nconst first = 1;\n${answered}`);
    git('commit', '--quiet', '--all', '--amend', '--message', 'two, again');
    await noted(head(), (text) => text.startsWith('pay.js\n') && / 4-6\n---/.test(text));
    // The line at the cursor is from that request.
    const editor = await show(await vscode.workspace.openTextDocument(document.uri));
    await until(vscode.workspace.onDidChangeTextDocument, () => editor.document.lineCount === 7);
    editor.selection = new vscode.Selection(4, 0, 4, 0);
    const shown = await run<{ found: { request: string; commit: string; isProven: boolean } | null }>(
      'svc.showProvenance',
    );
    assert.deepEqual([shown.found?.commit, shown.found?.isProven], [head(), true]);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /Line 5 of provenance-\d+\/pay\.js is code that was accepted from Svc\./);
    for (const word of [shown.found?.request ?? '', model, head()]) assert.ok(text.includes(word), text);
    assert.match(text, /^Compliance settings: Svc-Security-Level: maximum$/m);
    assert.match(text, /^Service confirmation: confirmed, Request ID /m);
    assert.match(text, /^Proven: The line, its key, and the record in the audit log of this machine match\.$/m);
    (await show(editor.document)).selection = new vscode.Selection(0, 0, 0, 0);
    assert.equal((await run<{ found: unknown }>('svc.showProvenance')).found, null);
  });

  it('are not written while they are off, in a workspace that turns them off, or where Git AI runs', async () => {
    let asked = 0;
    const keeper = new NoteKeeper({
      ownEdits: async () => {
        asked += 1;
        return [];
      },
      forget: async () => undefined,
      onNoted: () => undefined,
      // The repositories of the tests before are gone.
      logger: { debug: () => undefined, warn: () => undefined },
    });
    const commitAndLook = async (message: string): Promise<void> => {
      git('commit', '--quiet', '--allow-empty', '--message', message);
      await repository.status();
      await keeper.settled();
    };
    try {
      await keeper.isWatching;
      await commitAndLook('off');
      await stage.set('svc.provenance.notes', true);
      await stage.set('svc.provenance.notes', false, vscode.ConfigurationTarget.Workspace);
      await commitAndLook('off here');
      await stage.set('svc.provenance.notes', undefined, vscode.ConfigurationTarget.Workspace);
      mkdirSync(join(folder, '.git', 'ai'));
      await commitAndLook('Git AI');
      rmSync(join(folder, '.git', 'ai'), { recursive: true });
      mkdirSync(join(folder, '.git', 'rebase-merge'));
      await commitAndLook('in the middle of a rebase');
      assert.equal(asked, 0);
      rmSync(join(folder, '.git', 'rebase-merge'), { recursive: true });
      await commitAndLook('on');
      assert.equal(asked, 1);
    } finally {
      keeper.dispose();
    }
  });

  it('are offered to be kept by git, and nothing is set unless the user chooses it', async () => {
    git('config', '--unset-all', 'notes.rewriteRef');
    await stage.set('svc.provenance.notes', true);
    await repository.status();
    await acceptInto('pay.js');
    await pressing('Set for This Repository', async () => {
      git('commit', '--quiet', '--all', '--message', 'two');
      await noted(head(), () => git('config', '--local', '--list').includes('notes.rewriteref=refs/notes/ai'));
    });
    assert.notEqual(noteOf(head()), '');
  });

  it('are offered in the commit box: the models of staged lines, and the signed state of the log', async () => {
    await acceptInto('pay.js');
    git('add', '--all');
    repository.inputBox.value = 'feat: totals';
    const { rootUri } = repository;
    const added = await run<{ ok: boolean; message: string }>('svc.addCommitTrailers', { rootUri });
    assert.match(
      added.message,
      /^feat: totals\n\nAssisted-by: svc-coder:svc\/enterprise-coder-v1\nSvc-Checkpoint: svc-coder\/[0-9a-f]{32} \d+ \S{44}$/,
    );
    assert.equal(repository.inputBox.value, added.message);
    // Again: the models stay, and the later state replaces the earlier one.
    const again = await run<{ ok: boolean; message: string }>('svc.addCommitTrailers', { rootUri });
    assert.equal(again.message.match(/^Assisted-by: /gm)?.length, 1);
    assert.equal(again.message.match(/^Svc-Checkpoint: /gm)?.length, 1);
    git('commit', '--quiet', '--message', 'other');
    writeFileSync(join(folder, 'own.js'), 'const mine = 1;\n');
    git('add', '--all');
    repository.inputBox.value = '';
    const { message } = await run<{ ok: boolean; message: string }>('svc.addCommitTrailers', { rootUri });
    assert.match(message, /^\n\nSvc-Checkpoint: /);
  });
});
