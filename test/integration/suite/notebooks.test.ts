import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { withSecretsBack } from '../../../src/features/edits/vscode/secretKeeper.ts';
import type { DocumentTarget } from '../../../src/features/edits/vscode/target.ts';
import { useCode } from '../../../src/features/edits/vscode/useCode.ts';
import { openUntitled } from '../../../src/features/edits/vscode/writing/openUntitled.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import type { AnswerRequest } from '../../service/answer.ts';
import { turnOf } from '../../tools/turns.ts';
import { errorsShown, hidePanel, pressing, savingAs, withProperty } from './dialogs.ts';
import { OwnParts } from './ownParts.ts';
import { show } from './show.ts';
import { openStageWithKey, type Stage, until } from './stage.ts';

const run = <T>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

const image = { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo=' }, metadata: {} };
const code = (source: string, outputs: readonly unknown[] = []) => ({
  ...{ cell_type: 'code', metadata: {}, execution_count: null, outputs },
  source: source.split(/(?<=\n)/),
});
const first = 'import csv\n\ndef rate(country):\n    return 0.19\n';
const second = 'def total(rows):\n    return sum(rows)\n\nprint(total([1, 2]))';

/** The JSON that a notebook of Jupyter has. */
function notebookJson(...cells: readonly unknown[]): string {
  const metadata = { language_info: { name: 'python' } };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}

const json = notebookJson(
  { cell_type: 'markdown', metadata: {}, source: ['# Taxes'] },
  code(first),
  code(second, [image]),
);

describe('code for a notebook', () => {
  let stage: Stage;
  let answer: (request: AnswerRequest) => string = () => '';
  const name = 'taxes.ipynb';
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? vscode.Uri.file('/'), name);
  const put = (text: string, at = uri): Thenable<void> => vscode.workspace.fs.writeFile(at, Buffer.from(text));
  const stored = async (at = uri): Promise<string> => Buffer.from(await vscode.workspace.fs.readFile(at)).toString();

  beforeEach(async () => {
    stage = await openStageWithKey({ answer: (request) => answer(request) });
    await put(json);
  });
  afterEach(async () => {
    await run('svc.rejectProposal');
    await run('workbench.action.revertAndCloseActiveEditor');
    for (const notebook of vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty)) await notebook.save();
    await run('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(uri, { useTrash: false });
    await stage.close();
  });

  interface Proposed {
    readonly cell: number;
    readonly text: string;
  }

  /** Applies a block of an answer as the panel does, and returns what is proposed for which cell. */
  async function apply(
    text: string,
    info = `python title="${name}"`,
    asked: unknown[] = [],
  ): Promise<readonly Proposed[]> {
    const proposed: Proposed[] = [];
    const proposals = {
      canChange: async () => true,
      withSecrets: async (target: DocumentTarget, codes: readonly string[]) =>
        (await withSecretsBack(target, codes)).whole,
      begin: async (target: DocumentTarget) => target,
      complete: async ({ document }: DocumentTarget, lines: readonly string[]) => {
        const notebook = vscode.workspace.notebookDocuments.find((each) => each.uri.toString() === uri.toString());
        const cell = notebook?.getCells().findIndex((each) => each.document === document) ?? -1;
        proposed.push({ cell: cell + 1, text: lines.join('\n') });
      },
    };
    const answer = `\`\`\`${info}\n${text}\`\`\`\n`;
    const turn = turnOf({ id: 'a', answer, model: 'svc/auto', finishReason: 'stop' });
    const { contextReader } = new OwnParts();
    const parts = { proposals: proposals as never, contextReader };
    await useCode(parts, [turn], { turnId: 'a', way: 'apply', info, text }, (question) => asked.push(question));
    return proposed;
  }

  const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
    const error = await work.then(
      () => assert.fail('not refused'),
      (refusal: unknown) => refusal,
    );
    assert.ok(error instanceof Refusal, String(error));
    return error;
  };

  it('goes to the cell where it fits, and not into the JSON of the file', async () => {
    const changed = second.replace('sum(rows)', 'sum(rows) * rate("de")');
    assert.deepEqual(await apply(`${changed}\n`), [{ cell: 3, text: changed }]);
    const part = 'def rate(country):\n    return {"de": 0.19}[country]\n';
    assert.deepEqual(await apply(part), [{ cell: 2, text: first.replace('0.19', '{"de": 0.19}[country]') }]);
    assert.equal(await stored(), json);
  });

  it('goes to the cells that it names, without the outputs that it repeats', async () => {
    const both = `[cell 1, markdown]\n# All taxes\n\n[cell 2, python]\n${first}\n[output of cell 2]\n5\n\n[cell 3, python]\nprint(3)\n`;
    // The first is opened last: its diff is in front.
    assert.deepEqual(await apply(both), [
      { cell: 3, text: 'print(3)' },
      { cell: 1, text: '# All taxes' },
    ]);
  });

  it('goes to the cell that the user chooses, or to a new one, where it fits none or several', async () => {
    const picks: (readonly string[])[] = [];
    const { showQuickPick } = vscode.window;
    const choosing = async (label: string | undefined, text: string): Promise<readonly Proposed[]> => {
      const pick = async (items: readonly { readonly label: string }[]) => {
        picks.push(items.map((item) => item.label));
        return items.find((item) => item.label === label);
      };
      Object.assign(vscode.window, { showQuickPick: pick });
      try {
        return await apply(text);
      } finally {
        Object.assign(vscode.window, { showQuickPick });
      }
    };
    const other = 'plot(x)\nplot(y)\n';
    assert.deepEqual(await choosing('Cell 3', other), [{ cell: 3, text: 'plot(x)\nplot(y)' }]);
    assert.deepEqual(await choosing(undefined, other), []);
    assert.deepEqual(await choosing('New Cell at the End', other), [{ cell: 4, text: 'plot(x)\nplot(y)' }]);
    assert.deepEqual(picks[0], ['Cell 1', 'Cell 2', 'Cell 3', 'New Cell at the End']);
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    assert.deepEqual([notebook.cellCount, notebook.cellAt(3).document.languageId], [4, 'python']);
    assert.equal(await stored(), json);
  });

  it('code that leaves lines out replaces no cell', async () => {
    const { message } = await refusalOf(apply('[cell 3, python]\nplot(x)\n# ... existing code ...\nplot(z)\n'));
    assert.match(message, /leaves out other lines/);
  });

  it('code that is the file of a notebook is refused, and the model is asked for its cells', async () => {
    const refusal = await refusalOf(apply(notebookJson(code('a = 1')), `json title="${name}"`));
    assert.match(refusal.message, /whole file of a notebook/);
    assert.deepEqual(
      refusal.offers.map(({ label }) => label),
      ['Ask for the Cells'],
    );
    assert.equal(await stored(), json);
  });

  it('code that has no place in a cell is refused, and the model is asked for the cells', async () => {
    const lost = (about = ''): string => `${about}<<<<<<< SEARCH\nlost()\n=======\nfound()\n>>>>>>> REPLACE\n`;
    const { showQuickPick } = vscode.window;
    Object.assign(vscode.window, { showQuickPick: async (items: readonly unknown[]) => items[1] });
    const asked: unknown[] = [];
    try {
      for (const text of [lost(), lost('[cell 2, python]\n')]) {
        const { offers, message } = await refusalOf(apply(text, undefined, asked));
        assert.match(message, /its place is unclear/);
        assert.deepEqual(
          offers.map(({ label }) => label),
          ['Ask for the Cells'],
        );
        for (const { run: press } of offers) await press();
      }
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    const question = `Give only the code of each changed cell of ${name}, with the line before it that numbers the cell.`;
    assert.deepEqual(asked, [question, question]);
    assert.equal(await stored(), json);
  });

  it('is not saved as a new file that would be no notebook, but as any other file', async () => {
    const text = await openUntitled('const a = 1;\n', 'javascript');
    await show(text);
    answer = () => '```js\nconst a = 2;\n```\n';
    assert.equal((await run<{ ok: boolean }>('svc.editCode', { instruction: 'two' })).ok, true);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(text.uri, new vscode.Position(0, 0), '// changed\n');
    await vscode.workspace.applyEdit(edit);
    const [fresh, other] = ['Fresh.IPYNB', 'fresh.js'].map((each) => vscode.Uri.joinPath(uri, '..', each));
    assert.ok(fresh !== undefined && other !== undefined);
    await hidePanel();
    /** The messages, of which the first one's button is pressed, up to the last that is expected. */
    const savingIn = async (file: vscode.Uri, isDone: (messages: readonly string[]) => boolean): Promise<string> => {
      const messages: string[] = [];
      const told = new vscode.EventEmitter<void>();
      const tell = async (message: string, ...buttons: readonly string[]): Promise<string | undefined> => {
        messages.push(message);
        told.fire();
        return buttons[0];
      };
      const accept = async (): Promise<void> => {
        assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'changed' });
        await until(
          (listener) =>
            vscode.Disposable.from(told.event(listener), vscode.window.onDidChangeActiveTextEditor(listener)),
          () => isDone(messages),
        );
      };
      const fake = { configurable: true, writable: true, value: tell };
      await withProperty(
        ({ window }) => window,
        'showErrorMessage',
        fake,
        () => savingAs(file, accept),
      );
      told.dispose();
      return messages.at(-1) ?? '';
    };
    for (const file of [uri, fresh]) {
      const last = await savingIn(file, (messages) => messages.length === 2);
      assert.equal(
        last,
        `${file.fsPath} would not be a notebook, because the text is not the file of one. Nothing was written.`,
      );
    }
    assert.equal(await stored(), json);
    await assert.rejects(async () => vscode.workspace.fs.stat(fresh));
    await savingIn(other, () => vscode.window.activeTextEditor?.document.uri.toString() === other.toString());
    assert.equal(await stored(other), 'const a = 2;\n');
    await vscode.workspace.fs.delete(other);
  });

  it('is refused where the file is not the JSON of a notebook', async () => {
    await put('{"cells": [');
    const { message } = await refusalOf(apply('a = 1\n'));
    assert.match(message, /cannot be opened as a notebook/);
    assert.equal(await stored(), '{"cells": [');
  });

  it('creates no new file that is not a notebook', async () => {
    const { message } = await refusalOf(apply('a = 1\n', 'python title="new.ipynb"'));
    assert.match(message, /would not be a notebook/);
  });

  it('is written into the cell when it is accepted: outputs and other cells stay', async () => {
    const changed = second.replace('sum(rows)', 'sum(rows) * 2');
    const editor = await openUntitled('const a = 1;\n', 'javascript');
    await show(editor);
    answer = () => `\`\`\`js\nconst a = 2;\n\`\`\`\n\n\`\`\`python title="${name}"\n${changed}\n\`\`\`\n`;
    await hidePanel();
    const proposal = (): vscode.TextDocument | undefined =>
      vscode.workspace.textDocuments.find(
        (each) => each.uri.scheme === 'svc-proposal' && each.getText() === changed && each.uri.authority === '',
      );
    await pressing('Show Changes', async () => {
      assert.equal((await run<{ ok: boolean }>('svc.editCode', { instruction: 'double it' })).ok, true);
      await until(vscode.workspace.onDidChangeTextDocument, () => proposal() !== undefined);
    });
    // The diff is complete when the command of its buttons takes it.
    await until(vscode.window.onDidChangeVisibleTextEditors, () => proposal() !== undefined);
    assert.deepEqual(await run('svc.acceptProposal', proposal()?.uri), { ok: true, left: 0 });
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    assert.equal(notebook.cellAt(2).document.getText(), changed);
    await notebook.save();
    const { cells } = JSON.parse(await stored()) as { cells: { source: string[] | string; outputs?: unknown[] }[] };
    assert.equal([cells[2]?.source].flat().join(''), changed);
    assert.equal([cells[1]?.source].flat().join(''), first);
    assert.match(JSON.stringify(cells[2]?.outputs), /image\/png/);
  });

  it('never makes a file no notebook, where it is edited as text', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    await show(document);
    answer = () => `\`\`\`json\n${json.replace('"nbformat": 4', '"nbformat": ')}\`\`\`\n`;
    const shown = await errorsShown(async () => {
      assert.equal((await run<{ ok: boolean }>('svc.editCode', { instruction: 'break it' })).ok, true);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: false, reason: 'cancelled' });
    });
    assert.deepEqual(
      shown.map(({ message }) => message),
      [`With these changes, ${name} is no longer a notebook. Nothing was written.`],
    );
    assert.equal(document.getText(), json);
    await run('svc.rejectProposal');
    // The diff is closed; which editor is in front then is VS Code's decision.
    await show(document);
    answer = () => `\`\`\`json\n${json.replace('# Taxes', '# Rates')}\`\`\`\n`;
    assert.equal((await run<{ ok: boolean }>('svc.editCode', { instruction: 'rename it' })).ok, true);
    assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    assert.match(document.getText(), /# Rates/);
    await document.save();
  });
});
