import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { applyAll } from '../../../src/features/edits/vscode/applyAll.ts';
import type { Target } from '../../../src/features/edits/vscode/target.ts';
import { Refusal } from '../../../src/platform/pages/callError.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';
import { answering } from './dialogs.ts';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const folder = join(root, 'all');
const queue =
  'export function add(job) {\n  jobs.push(job);\n}\n\nexport function next() {\n  return jobs.shift();\n}\n';

describe('all code of an answer', () => {
  beforeEach(() => {
    mkdirSync(join(folder, 'src'), { recursive: true });
    writeFileSync(join(folder, 'src/queue.js'), queue);
    writeFileSync(join(folder, 'src/pay.js'), 'export const rate = 1;\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const block = (name: string, code: string): string =>
    `\`\`\`js${name === '' ? '' : ` title="${name}"`}\n${code}\n\`\`\`\n`;
  const add = 'export function add(job) {\n  jobs.unshift(job);\n}';
  const next = 'export function next() {\n  return jobs.pop();\n}';

  interface Applied {
    /** The text of each proposal, by its path below the folder. */
    readonly proposed: Readonly<Record<string, string>>;
    /** In the order in which the diffs were opened. */
    readonly order: readonly string[];
    readonly refusal: Refusal | undefined;
    readonly asked: readonly string[];
  }

  const apply = async (answer: string, about: TurnFields = {}): Promise<Applied> => {
    const turn = turnOf({
      ...{ id: 'a', prompt: 'Both', model: 'm' },
      ...{ answer, ...about },
    });
    const proposed: Record<string, string> = {};
    const order: string[] = [];
    const asked: string[] = [];
    const proposals = {
      canChange: async () => true,
      withSecrets: async (_: unknown, codes: readonly string[]) => codes,
      begin: async (target: Target) => target,
      complete: async (target: Target, lines: readonly string[]) => {
        const uri = target.kind === 'document' ? target.document.uri : target.kind === 'file' ? target.uri : undefined;
        const path = uri?.fsPath.slice(folder.length + 1) ?? '';
        proposed[path] = lines.join('\n');
        order.push(path);
        return true;
      },
    };
    let refusal: Refusal | undefined;
    await applyAll({ proposals: proposals as never }, [turn], 'a', (question) => asked.push(question)).catch(
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        refusal = error;
      },
    );
    for (const { run } of refusal?.offers ?? []) await run();
    return { proposed, order, refusal, asked };
  };

  it('becomes one proposal a file, with each block at its place, and the first file in front', async () => {
    const answer = [
      block('all/src/queue.js', add),
      `**all/src/pay.js**\n\n${block('', 'export const rate = 2;')}`,
      block('all/src/new.js', 'export const fresh = 1;'),
      block('all/src/queue.js', next),
      'Run it:\n```sh\nnpm test\n```\n',
    ].join('\n');
    const { proposed, order, refusal } = await apply(answer);
    assert.equal(refusal, undefined);
    assert.deepEqual(proposed, {
      'src/new.js': 'export const fresh = 1;\n',
      'src/pay.js': 'export const rate = 2;\n',
      'src/queue.js': `${add}\n\n${next}\n`,
    });
    assert.equal(order.at(-1), 'src/queue.js');
  });

  it('changes a file by all of its blocks or not at all, and names what it leaves', async () => {
    const answer = [
      block('all/src/queue.js', add),
      block('all/src/queue.js', '<<<<<<< SEARCH\nlost();\n=======\nfound();\n>>>>>>> REPLACE'),
      block('all/src/pay.js', 'export const rate = 2;'),
      block('', 'nameless();'),
    ].join('\n');
    const { proposed, refusal, asked } = await apply(answer);
    assert.deepEqual(proposed, { 'src/pay.js': 'export const rate = 2;\n' });
    assert.equal(
      refusal?.message,
      'all/src/queue.js was not changed: Its place is unclear. Blocks that name no file: 1. Apply them one by one.',
    );
    assert.deepEqual(asked, [
      'Give the whole text of all/src/queue.js with this change, without leaving anything out.',
    ]);
  });

  it('goes to the cells of a notebook, and not into the JSON of its file', async () => {
    const cell = (source: string) => ({ cell_type: 'code', metadata: {}, execution_count: null, outputs: [], source });
    const cells = [cell('def rate():\n    return 1'), cell('print(rate())')];
    const json = JSON.stringify({
      cells,
      metadata: { language_info: { name: 'python' } },
      nbformat: 4,
      nbformat_minor: 5,
    });
    const path = join(folder, 'src/tax.ipynb');
    writeFileSync(path, json);
    const inCells = (code: string): string => `\`\`\`python title="all/src/tax.ipynb"\n${code}\n\`\`\`\n`;
    const both = inCells('def rate():\n    return 2') + inCells('[cell 2, python]\nprint(rate() * 2)');
    try {
      const { proposed, order, refusal } = await apply(both + block('all/src/pay.js', 'export const rate = 2;'));
      assert.equal(refusal, undefined);
      assert.deepEqual(order.length, 3);
      assert.deepEqual(proposed['src/pay.js'], 'export const rate = 2;\n');
      const twice = inCells('def rate():\n    return 2') + inCells('def rate():\n    return 3');
      const unclear = await apply(
        twice + block('all/src/queue.js', '<<<<<<< SEARCH\nlost();\n=======\n>>>>>>> REPLACE'),
      );
      assert.match(unclear.refusal?.message ?? '', /tax\.ipynb was not changed: Its place is unclear/);
      // The whole text of a notebook would be refused.
      assert.deepEqual(unclear.asked, [
        'Give the whole text of all/src/queue.js with this change, without leaving anything out.',
        'Give only the code of each changed cell of all/src/tax.ipynb, with the line before it that numbers the cell.',
      ]);
      assert.equal(new Set(unclear.refusal?.offers.map(({ id }) => id)).size, 2);
      const whole = await apply(`\`\`\`json title="all/src/tax.ipynb"\n${json}\n\`\`\`\n`);
      assert.match(whole.refusal?.message ?? '', /whole file of a notebook/);
      assert.match(
        (await apply(block('all/src/new.ipynb', 'x = 1'))).refusal?.message ?? '',
        /would not be a notebook/,
      );
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    }
  });

  it('goes to no file outside of the workspace, nor to an excluded one', async () => {
    writeFileSync(join(folder, '.env'), 'A=1\n');
    symlinkSync('/etc', join(folder, 'out'));
    for (const name of [
      '../pay.js',
      '/etc/pay.js',
      'all/out/pay.js',
      'all/.env',
      'C:\\a\\pay.js',
      'vscode://a/pay.js',
    ]) {
      const { proposed, refusal, asked } = await apply(
        `${block('all/src/pay.js', 'export const rate = 2;')}${block(name, 'a();')}`,
      );
      assert.deepEqual([Object.keys(proposed), asked], [['src/pay.js'], []], name);
      assert.match(refusal?.message ?? '', /^\S+ was not changed: The code /, name);
    }
  });

  it('is placed in one file that two names mean, also over a link', async () => {
    symlinkSync('src', join(folder, 'linked'));
    const { proposed } = await apply(`${block('all/src/queue.js', add)}${block('all/linked/queue.js', next)}`);
    assert.deepEqual(proposed, { 'src/queue.js': `${add}\n\n${next}\n` });
  });

  it('is left for a file that the user does not mean', async () => {
    mkdirSync(join(folder, 'deep'));
    // No other test opens it: an open file would be meant.
    writeFileSync(join(folder, 'deep/closed.js'), queue);
    const answer = `${block('all/src/pay.js', 'export const rate = 2;')}${block('deep/closed.js', add)}`;
    const questions = await answering(undefined, async () => {
      assert.deepEqual(Object.keys((await apply(answer)).proposed), ['src/pay.js']);
    });
    assert.match(questions[0]?.message ?? '', /^Did you mean all\/deep\/closed\.js\?/);
    await answering('Change This File', async () => {
      assert.deepEqual(Object.keys((await apply(answer)).proposed).sort(), ['deep/closed.js', 'src/pay.js']);
    });
  });

  it('is not used if the answer is incomplete', async () => {
    const answer = `${block('all/src/pay.js', 'export const rate = 2;')}${block('all/src/queue.js', add)}`;
    for (const about of [{ status: 'stopped' }, { finishReason: 'length' }] as const) {
      const { proposed, refusal } = await apply(answer, about);
      assert.deepEqual(proposed, {});
      assert.match(refusal?.message ?? '', /^The answer is incomplete/);
    }
    assert.match((await apply(answer.slice(0, -6))).refusal?.message ?? '', /^The answer is incomplete/);
  });
});
