import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { forgetWords } from '../../../src/platform/commands/askWords.ts';
import { errorsShown, hidePanel, told, withProperty } from './dialogs.ts';
import { effectsOf } from './effects.ts';
import { show } from './show.ts';
import { openStage, openStageWithKey, type Stage } from './stage.ts';
import { stagedIn } from './staged.ts';

const run = <T = { ok: boolean }>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

/** Replaces a question of VS Code while `work` runs. */
function answeringWith(name: 'showInputBox' | 'showQuickPick', fake: unknown, work: () => PromiseLike<unknown>) {
  const property = { configurable: true, writable: true, value: fake };
  return withProperty(({ window }) => window, name, property, work);
}

describe('a command that asks for words', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'words');
  let stage: Stage;
  beforeEach(() => mkdirSync(folder, { recursive: true }));
  afterEach(async () => {
    forgetWords();
    await run('svc.rejectProposal');
    await stage.close();
    rmSync(folder, { recursive: true });
  });

  before(() => hidePanel());
  const open = async (name: string, text: string): Promise<vscode.TextEditor> => {
    writeFileSync(join(folder, name), text);
    return show(vscode.Uri.file(join(folder, name)));
  };
  /** Runs a command, enters this text, and returns the text that the input box began with. */
  const enter = async (command: string, text: string | undefined): Promise<readonly (string | undefined)[]> => {
    const begins: (string | undefined)[] = [];
    const box = async ({ value }: vscode.InputBoxOptions): Promise<string | undefined> => {
      begins.push(value);
      return text;
    };
    await answeringWith('showInputBox', box, () => errorsShown(() => run(command)));
    return begins;
  };

  for (const command of ['svc.generateCode', 'svc.editCode']) {
    it(`refuses an excluded file before the question: ${command}`, async () => {
      stage = await openStageWithKey();
      await open('.env', 'LEVEL=1\n');
      const effects = await effectsOf(() => run(command));
      assert.equal(effects.length, 1, JSON.stringify(effects));
      assert.match(effects[0]?.text ?? '', /^Nothing was sent: words\/\.env(:1-2)? is excluded/);
      assert.equal(stage.service.chats.length, 0);
    });

    it(`refuses before the question if no key is stored: ${command}`, async () => {
      stage = await openStage();
      await open(`${command}.js`, 'a();\n');
      const effects = await effectsOf(() => run(command));
      assert.deepEqual(
        effects.map(({ kind }) => kind),
        ['message'],
      );
      assert.match(effects[0]?.text ?? '', /No API key/);
    });

    it(`begins with the words of the last attempt if that failed, until one succeeds: ${command}`, async () => {
      stage = await openStageWithKey();
      const { document } = await open(`again-${command}.js`, 'a();\n');
      stage.service.enqueue('forbidden');
      assert.deepEqual(await enter(command, 'rename a to total'), ['']);
      await show(document);
      assert.deepEqual(await enter(command, 'rename a to total'), ['rename a to total']);
      assert.equal(stage.service.chats.length, 2);
      await run('svc.rejectProposal');
      await show(document);
      assert.deepEqual(await enter(command, undefined), ['']);
    });
  }

  it('says in the title what is edited, and sends only that', async () => {
    stage = await openStageWithKey();
    const rows = Array.from({ length: 100 }, (_, index) => `row ${index}\n`).join('');
    const titles: (string | undefined)[] = [];
    const edit = async (editor: vscode.TextEditor, ...selections: readonly vscode.Selection[]): Promise<string> => {
      editor.selections = selections;
      stage?.service.clear();
      const box = async ({ title }: vscode.InputBoxOptions): Promise<string> => {
        titles.push(title);
        return 'rename it';
      };
      await answeringWith('showInputBox', box, () => errorsShown(() => run('svc.editCode')));
      await run('svc.rejectProposal');
      return stage?.service.chats[0]?.body ?? '';
    };
    const cursor = (line: number) => new vscode.Selection(line, 0, line, 0);
    const long = await open('blocks.txt', `${rows}\nunit one {\n  first\n  second\n}\n\n${rows}`);
    const block = await edit(long, cursor(103));
    assert.match(block, /unit one \{\\n {2}first\\n {2}second\\n\}/);
    assert.match(block, /lines 102 to 105 of /);
    await edit(await show(long.document), new vscode.Selection(0, 0, 2, 0));
    await edit(await show(long.document), new vscode.Selection(0, 0, 1, 0), new vscode.Selection(5, 0, 6, 0));
    await edit(await open('short.txt', 'one\ntwo'), cursor(1));
    assert.deepEqual(titles, [
      'Edit code: the block at the cursor (lines 102 to 105)',
      'Edit code: the selection (lines 1 to 2)',
      'Edit code: 2 selections',
      'Edit code: the whole file (lines 1 to 2)',
    ]);
  });

  it('forgets these words when the user deletes the local data', async () => {
    stage = await openStageWithKey();
    const { document } = await open('purged.js', 'a();\n');
    stage.service.enqueue('forbidden');
    await enter('svc.editCode', 'rename a to total');
    await run('svc.purgeLocalData', {});
    await show(document);
    assert.deepEqual(await enter('svc.editCode', undefined), ['']);
  });

  it('refuses a review of the workspace before the question for files if no key is stored', async () => {
    stage = await openStage();
    const effects = await effectsOf(() => run('svc.reviewWorkspace'));
    assert.deepEqual(
      effects.map(({ kind }) => kind),
      ['message'],
    );
  });

  it('asks which repository a commit message is for, and says where it is', async () => {
    stage = await openStageWithKey();
    for (const name of ['one', 'two']) mkdirSync(join(folder, name));
    const [one, two] = [await stagedIn(join(folder, 'one')), await stagedIn(join(folder, 'two'))];
    interface Item extends vscode.QuickPickItem {
      readonly repository: { readonly rootUri: vscode.Uri };
    }
    const offered: string[] = [];
    const pick = (wanted: vscode.Uri | undefined) => async (items: readonly Item[]) => {
      offered.push(...items.map(({ label, description }) => `${label} ${description}`));
      return items.find(({ repository }) => repository.rootUri.toString() === wanted?.toString());
    };
    const words = await told('Information', () =>
      answeringWith('showQuickPick', pick(two.rootUri), () => run('svc.generateCommitMessage')),
    );
    assert.ok(offered.includes(`two ${two.rootUri.path}`));
    assert.deepEqual(words, ['two: The message for the staged changes is in the input box of Source Control.']);
    assert.match(two.inputBox.value, /^chore: change committed\.ts/);
    assert.equal(one.inputBox.value, '');
    // Closing the list is no error.
    const none = await told('Information', () =>
      answeringWith('showQuickPick', pick(undefined), () => run('svc.generateCommitMessage')),
    );
    assert.deepEqual(none, []);
    // The button of a repository names it, and the user sees the box.
    assert.deepEqual(await told('Information', () => run('svc.generateCommitMessage', { rootUri: one.rootUri })), []);
    assert.match(one.inputBox.value, /^chore: change committed\.ts/);
  });

  it('says whether inline suggestions are on, and for which language', async () => {
    stage = await openStageWithKey();
    await open('toggled.js', 'a();\n');
    const toggle = (): Promise<readonly string[]> => told('Information', () => run('svc.toggleInlineCompletions'));
    assert.deepEqual(await toggle(), ['Svc inline suggestions: on for javascript (user settings).']);
    assert.deepEqual(await toggle(), ['Svc inline suggestions: off for javascript (user settings).']);
    const settings = vscode.workspace.getConfiguration('svc.inlineCompletions', { languageId: 'javascript' });
    await settings.update('enabled', undefined, vscode.ConfigurationTarget.Global, true);
  });
});
