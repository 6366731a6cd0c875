import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ChatBody } from '../../service/chatBody.ts';
import { errorsShown, told } from './dialogs.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
// Each test has its own folder: VS Code keeps the text of a file for a while after it was deleted.
let count = 0;
const dir = (): string => `all${count}`;
const at = (name: string): string => join(folder.fsPath, dir(), name);
const put = (name: string, content: string): void => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
};
const read = (name: string): string => readFileSync(at(name), 'utf8');
const run = <T = { readonly ok: boolean }>(command: string): Thenable<T> => vscode.commands.executeCommand<T>(command);
const block = (name: string, code: string, language = 'ts'): string =>
  `\`\`\`${language} title="${dir()}/${name}"\n${code}\n\`\`\`\n`;
const replace = (old: string, now: string): string => `<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE`;
const openDiffs = (): number =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputTextDiff).length;

/** The whole extension: the answer of a model without tools becomes a set of changes, which the user decides with commands. */
describe('all code of an answer as one set of changes', () => {
  let stage: Stage;

  beforeEach(async () => {
    count += 1;
    stage = await openStageWithKey();
    await stage.set('svc.changes.enabled', true);
    await run('svc.newChat');
    put('pay.ts', 'export function pay() {\n  return 1;\n}\n\nexport const rate = 1;\n');
    put('tax.ts', "import { pay } from './pay.ts';\r\n\r\nexport const tax = pay();\r\n");
  });
  afterEach(async () => {
    await run('svc.newChat');
    await stage.close();
    rmSync(at(''), { recursive: true, force: true });
  });

  /** Asks a question that is answered with this text, and proposes all of its code. */
  const propose = async (...blocks: readonly string[]): Promise<string> => {
    stage.service.play(() => ({ text: blocks.join('\n') }));
    await vscode.commands.executeCommand('svc.openChat', { prompt: 'Please change it.' });
    const [error, ...more] = await errorsShown(() => run('svc.applyAll'));
    assert.deepEqual(more, []);
    return error?.message ?? '';
  };

  /** Returns the mark of the secret in the first line of a file, which the refusal of an edit quotes. */
  const markIn = async (name: string): Promise<string> => {
    let quoted = '';
    let isAsked = false;
    stage.service.play(({ messages }: ChatBody) => {
      quoted = messages.findLast(({ role }) => role === 'tool')?.content ?? '';
      const input = { path: `${dir()}/${name}`, oldString: "const id = 'x';\nexport const limit = 1;", newString: 'x' };
      const answer = isAsked ? { text: 'It is not there.' } : { calls: [{ name: 'edit_file', input }] };
      isAsked = true;
      return answer;
    });
    await stage.set('svc.tools.enabled', true);
    await vscode.commands.executeCommand('svc.chooseMode', { mode: 'change' });
    await vscode.commands.executeCommand('svc.openChat', { prompt: 'Please change it.' });
    await stage.set('svc.tools.enabled', undefined);
    return /const id = '([^']*)'/.exec(quoted)?.[1] ?? assert.fail(quoted);
  };

  it('is written when the user accepts, and not before; undo restores each byte', async () => {
    const before = ['pay.ts', 'tax.ts'].map((name) => readFileSync(at(name)));
    const words = await propose(
      'Four files change:',
      block('pay.ts', replace('  return 1;', '  return 2;')),
      block('tax.ts', "import { pay } from './pay.ts';\n\nexport const tax = pay() + 1;"),
      block('new/fee.ts', 'export const fee = 3;'),
      block('pay.ts', replace('export const rate = 1;', 'export const rate = 2;')),
      `\`\`\`diff\n--- a/${dir()}/new/sum.ts\n+++ b/${dir()}/new/sum.ts\n@@ -0,0 +1 @@\n+export const sum = 4;\n\`\`\`\n`,
      'Run it:\n```sh\nnpm test\n```\n',
    );
    assert.equal(words, '');
    assert.equal(openDiffs(), 0);
    assert.deepEqual(
      ['pay.ts', 'tax.ts'].map((name) => readFileSync(at(name))),
      before,
    );
    assert.equal(existsSync(at('new')), false);

    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('pay.ts'), 'export function pay() {\n  return 2;\n}\n\nexport const rate = 2;\n');
    assert.equal(read('tax.ts'), "import { pay } from './pay.ts';\r\n\r\nexport const tax = pay() + 1;\r\n");
    assert.equal(read('new/fee.ts'), 'export const fee = 3;\n');
    assert.equal(read('new/sum.ts'), 'export const sum = 4;\n');

    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.deepEqual(
      ['pay.ts', 'tax.ts'].map((name) => readFileSync(at(name))),
      before,
    );
    assert.equal(existsSync(at('new')), false);
  });

  it('applies to what an earlier answer has proposed, also in a file that does not exist yet', async () => {
    await propose(
      block('pay.ts', replace('  return 1;', '  return 2;')),
      block('fee.ts', 'export const fee = 3;\n\nexport const more = 5;'),
    );
    const words = await propose(
      block('pay.ts', replace('  return 2;', '  return 7;')),
      block('fee.ts', replace('export const fee = 3;', 'export const fee = 4;')),
    );
    assert.equal(words, '');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.match(read('pay.ts'), /return 7/);
    assert.equal(read('fee.ts'), 'export const fee = 4;\n\nexport const more = 5;\n');
  });

  it('may replace a file that is longer than what a tool may write, and that the model has not read', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => `export const rate${index} = ${index};`);
    put('long.ts', `${lines.join('\n')}\n`);
    const changed = lines.with(225, 'export const rate225 = 1;');
    const words = await propose(block('long.ts', changed.join('\n')), block('fee.ts', 'export const fee = 3;'));
    assert.equal(words, '');
    assert.equal(read('long.ts'), `${lines.join('\n')}\n`);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('long.ts'), `${changed.join('\n')}\n`);
  });

  it('may have a new file and a change of it', async () => {
    const fee = 'export function fee() {\n  return 3;\n}\n\nexport function other() {\n  return 1;\n}';
    const words = await propose(block('fee.ts', fee), block('fee.ts', replace('  return 3;', '  return 4;')));
    assert.equal(words, '');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('fee.ts'), `${fee.replace('return 3', 'return 4')}\n`);
  });

  it('names what is not proposed with the reason, and proposes the rest', async () => {
    put('.env', 'A=1\n');
    put('notes.ipynb', '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}');
    put('large.ts', `// ${'x'.repeat(520 * 1024)}\n`);
    symlinkSync('/etc', at('out'));
    symlinkSync('pay.ts', at('link.ts'));
    const words = await propose(
      block('tax.ts', replace('export const tax = pay();', 'export const tax = 2;')),
      block('pay.ts', replace('lost();', 'found();')),
      block('.vscode/tasks.json', '{ "tasks": [] }', 'json'),
      block('.github/workflows/x.yml', 'on: push', 'yaml'),
      block('.env', 'A=2', ''),
      block('out/passwd.ts', 'a();'),
      block('notes.ipynb', 'x = 1', 'python'),
      block('large.ts', '// y'),
      '```ts title="../outside.ts"\na();\n```\n',
      '```ts\nnameless();\n```\n',
    );
    const reasons = {
      'pay.ts': 'Its place is unclear',
      '.vscode/tasks.json':
        'This file can run programs on this machine or control what is sent. Use Apply to File for it',
      '.github/workflows/x.yml':
        'This file can run programs on this machine or control what is sent. Use Apply to File',
      '.env': `The code cannot be applied: ${dir()}/.env is excluded by `,
      'out/passwd.ts': `The code cannot be applied: ${dir()}/out/passwd.ts is outside the workspace.`,
      'notes.ipynb': 'It is a notebook. Use Apply to File for it',
      'large.ts': 'It is larger than 512 KiB',
    };
    for (const [name, why] of Object.entries(reasons))
      assert.ok(words.includes(`${dir()}/${name} was not changed: ${why}`), `${name}: ${words}`);
    assert.ok(words.includes('../outside.ts was not changed: The code does not name a file in the workspace.'), words);
    assert.match(words, /Blocks that name no file: 1\./);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.match(read('tax.ts'), /tax = 2/);
    assert.match(read('pay.ts'), /return 1/);
    assert.equal(read('.env'), 'A=1\n');
    assert.deepEqual([existsSync(at('.vscode')), existsSync(at('.github'))], [false, false]);
  });

  it('through a link changes the file behind it, and not one that became another since', async () => {
    symlinkSync('pay.ts', at('link.ts'));
    assert.equal(await propose(block('link.ts', replace('  return 1;', '  return 2;')), block('a.ts', 'a();')), '');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.match(read('pay.ts'), /return 2/);
    await propose(block('pay.ts', replace('  return 2;', '  return 3;')), block('b.ts', 'b();'));
    put('other.ts', read('pay.ts'));
    rmSync(at('pay.ts'));
    symlinkSync('other.ts', at('pay.ts'));
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.match(read('other.ts'), /return 2/);
  });

  it('is not placed over a proposal that is outdated', async () => {
    await propose(block('pay.ts', replace('  return 1;', '  return 2;')), block('fee.ts', 'export const fee = 3;'));
    put('pay.ts', 'export function pay() {\n  return 7;\n}\n');
    const words = await propose(
      block('pay.ts', replace('  return 7;', '  return 8;')),
      block('fee.ts', 'export const fee = 4;'),
    );
    assert.equal(
      words,
      `${dir()}/pay.ts was not changed: Accept or reject the proposed change to it first, or ask again.`,
    );
    assert.deepEqual(await run('svc.rejectChanges'), { ok: true });
    assert.match(read('pay.ts'), /return 7/);
  });

  it('is not proposed if it changes nothing', async () => {
    const hints = await told('Information', async () => {
      await propose(block('pay.ts', read('pay.ts').trimEnd()), block('tax.ts', read('tax.ts').trimEnd()));
    });
    assert.ok(
      hints.some((hint) => hint.includes(`The answer changes nothing in ${dir()}/pay.ts, ${dir()}/tax.ts.`)),
      hints.join('|'),
    );
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'none' });
  });

  it('keeps the secrets of its files, which the model saw masked', async () => {
    const secret = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');
    put('key.ts', `const id = '${secret}';\nexport const limit = 1;\n`);
    // The user would be asked about the secret in the whole file.
    stage.service.play(() => ({ text: 'It is a limit.' }));
    await vscode.window.showTextDocument(vscode.Uri.file(at('key.ts')), { selection: new vscode.Range(1, 0, 2, 0) });
    await run('svc.explainCode');
    const mark = await markIn('key.ts');
    assert.notEqual(mark, secret);
    const words = await propose(
      block('key.ts', `const id = '${mark}';\nexport const limit = 2;`),
      block('fee.ts', 'export const fee = 3;'),
    );
    assert.equal(words, '');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('key.ts'), `const id = '${secret}';\nexport const limit = 2;\n`);
    assert.ok(!stage.service.chats.some(({ body }) => body.includes(secret)));
  });

  for (const off of ['setting', 'policy'] as const) {
    it(`is shown as a diff for each file if changes are off by the ${off}`, async () => {
      const file = process.env.SVC_TEST_POLICY_FILE ?? assert.fail('SVC_TEST_POLICY_FILE is not set');
      if (off === 'setting') await stage.set('svc.changes.enabled', false, vscode.ConfigurationTarget.Workspace);
      else writeFileSync(file, '{ "version": 1, "disabledFeatures": ["changes"] }');
      await run('svc.showPolicy');
      try {
        await propose(
          block('pay.ts', replace('  return 1;', '  return 2;')),
          block('tax.ts', replace('export const tax = pay();', 'export const tax = 2;')),
        );
        assert.equal(openDiffs(), 2);
        assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'none' });
        await run('svc.rejectAll');
        await run('svc.rejectAll');
      } finally {
        rmSync(file, { force: true });
        await run('svc.showPolicy');
      }
      assert.match(read('pay.ts'), /return 1/);
    });
  }
});
