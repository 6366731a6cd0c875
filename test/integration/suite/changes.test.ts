import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ChatBody } from '../../service/chatBody.ts';
import type { PlayedAnswer } from '../../service/played.ts';
import { answering } from './dialogs.ts';
import { openStageWithKey, type Stage } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
// Each test has its own folder: VS Code keeps the text of a file for a while after it was deleted.
let count = 0;
const dir = (): string => `changes${count}`;
const at = (name: string): string => join(folder.fsPath, dir(), name);
const put = (name: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
};
const read = (name: string): string => readFileSync(at(name), 'utf8');
const secret = ['AKIA', 'IOSFODNN7ABCDEFG'].join('');

const run = <T = { readonly ok: boolean }>(command: string, options?: unknown): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, options);

type Call = NonNullable<PlayedAnswer['calls']>[number];
const edit = (path: string, oldString: string, newString: string): Call => ({
  name: 'edit_file',
  input: { path: `${dir()}/${path}`, oldString, newString },
});
const write = (path: string, content: string): Call => ({
  name: 'write_file',
  input: { path: `${dir()}/${path}`, content },
});

/** The whole extension: a played model proposes, and the user decides with commands. */
describe('proposed changes of files', () => {
  let stage: Stage;
  let mayRead = true;

  beforeEach(async () => {
    count += 1;
    mayRead = true;
    stage = await openStageWithKey();
    await stage.set('svc.tools.enabled', true);
    await stage.set('svc.changes.enabled', true);
    // A test before may have had a service that takes little, which is remembered.
    await stage.set('svc.context.windows', ['*=100000']);
    await run('svc.newChat');
    assert.deepEqual(await run('svc.chooseMode', { mode: 'change' }), { ok: true, mode: 'change' });
    put('pay.ts', 'export function pay() {\n  return 1;\n}\n');
    put('tax.ts', "import { pay } from './pay.ts';\r\n\r\nexport const tax = pay();\r\n");
    put('old.ts', 'export const old = 1;');
    put('list.ts', 'export const list = [];\n');
  });
  afterEach(async () => {
    await run('svc.chooseMode', { mode: 'ask' });
    await run('svc.newChat');
    await stage.close();
    rmSync(at(''), { recursive: true, force: true });
  });

  /** Sends a file, or one line of it, with a question about it. */
  const explain = async (file: string, line?: number): Promise<void> => {
    stage.service.play(() => ({ text: 'It pays.' }));
    const selection = line === undefined ? {} : { selection: new vscode.Range(line, 0, line + 1, 0) };
    await vscode.window.showTextDocument(vscode.Uri.file(file), selection);
    await run('svc.explainCode');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  };

  /** Asks a question; the model makes the calls of each round, and then answers. Returns the results of its calls. */
  const propose = async (...rounds: readonly (readonly Call[])[]): Promise<readonly string[]> => {
    // The model may edit only what the user lets it read.
    const edited = rounds
      .flat()
      .flatMap(({ name, input }) => (name === 'edit_file' ? (input as { path: string }).path : []));
    for (const path of new Set(edited.filter((one) => one.startsWith(`${dir()}/`)))) {
      const file = join(folder.fsPath, path);
      if (mayRead && existsSync(file)) await explain(file);
    }
    const left = [...rounds];
    let results: readonly string[] = [];
    stage.service.play(({ messages }: ChatBody) => {
      results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
      const calls = left.shift();
      return calls === undefined ? { text: 'Please check it.' } : { calls };
    });
    await run('svc.openChat', { prompt: 'Please change it.' });
    assert.deepEqual(left, [], 'each round was asked for');
    return results.slice(-rounds.flat().length);
  };
  const offered = (): readonly string[] => {
    const { json } = stage.service.chats.at(-1) ?? assert.fail('nothing was sent');
    const { tools = [] } = json as { readonly tools?: readonly { readonly function: { readonly name: string } }[] };
    return tools.map((tool) => tool.function.name);
  };

  it('are written when the user accepts, and not before; undo restores each byte', async () => {
    const before = ['pay.ts', 'tax.ts', 'old.ts', 'list.ts'].map((name) => readFileSync(at(name)));
    const results = await propose([
      edit('pay.ts', 'return 1;', 'return 2;'),
      edit(
        'tax.ts',
        "import { pay } from './pay.ts';\n",
        "import { pay } from './pay.ts';\nimport { list } from './lib/list.ts';\n",
      ),
      write('new/fee.ts', 'export const fee = 3;\n'),
      { name: 'delete_file', input: { path: `${dir()}/old.ts` } },
      { name: 'rename_file', input: { from: `${dir()}/list.ts`, to: `${dir()}/lib/list.ts` } },
    ]);
    for (const result of results) assert.match(result, /^Proposed, not (written|done)/);
    assert.match(results.at(-1) ?? '', /Files with proposed changes: 5\./);
    assert.deepEqual(
      ['pay.ts', 'tax.ts', 'old.ts', 'list.ts'].map((name) => readFileSync(at(name))),
      before,
    );
    assert.equal(existsSync(at('new')), false);

    let accepted: unknown;
    const asked = await answering('Delete', async () => {
      accepted = await run('svc.acceptChanges');
    });
    assert.deepEqual(accepted, { ok: true });
    assert.deepEqual(
      asked.map(({ message }) => message),
      [`Delete ${dir()}/old.ts?`],
    );
    assert.equal(read('pay.ts'), 'export function pay() {\n  return 2;\n}\n');
    assert.equal(
      read('tax.ts'),
      "import { pay } from './pay.ts';\r\nimport { list } from './lib/list.ts';\r\n\r\nexport const tax = pay();\r\n",
    );
    assert.equal(read('new/fee.ts'), 'export const fee = 3;\n');
    assert.equal(read('lib/list.ts'), 'export const list = [];\n');
    assert.deepEqual([existsSync(at('old.ts')), existsSync(at('list.ts'))], [false, false]);

    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.deepEqual(
      ['pay.ts', 'tax.ts', 'old.ts', 'list.ts'].map((name) => readFileSync(at(name))),
      before,
    );
    assert.deepEqual([existsSync(at('new')), existsSync(at('lib'))], [false, false]);
    assert.deepEqual(await run('svc.undoChanges'), { ok: false, reason: 'none' });
  });

  it('are decided once', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2;')]);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.match(read('pay.ts'), /return 2/);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'none' });
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.match(read('pay.ts'), /return 1/);
  });

  it('are dropped when the user rejects them', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2;'), write('fee.ts', 'x\n')]);
    assert.deepEqual(await run('svc.rejectChanges'), { ok: true });
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'none' });
    assert.match(read('pay.ts'), /return 1/);
    assert.equal(existsSync(at('fee.ts')), false);
  });

  it('are not written over a change of the user', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2;')]);
    put('pay.ts', 'export function pay() {\n  return 7;\n}\n');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.match(read('pay.ts'), /return 7/);
    const [refused] = await propose([edit('pay.ts', 'return 7;', 'return 8;')]);
    assert.match(refused ?? '', /^Refused: the file changed after a change was proposed/);
  });

  it('the changes of other files are written although one file has changed', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2;'), write('fee.ts', 'export const fee = 3;\n')]);
    put('pay.ts', 'export function pay() {\n  return 7;\n}\n');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.match(read('pay.ts'), /return 7/);
    assert.equal(read('fee.ts'), 'export const fee = 3;\n');
  });

  it('wait while an answer comes, which may propose more', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2;')]);
    const held = stage.service.holdChunks();
    const sent = stage.service.chats.length;
    const asked = run('svc.openChat', { prompt: 'And now?' });
    await stage.service.waitFor((request) => stage.service.chats.indexOf(request) === sent);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.match(read('pay.ts'), /return 1/);
    held.release();
    await asked;
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.match(read('pay.ts'), /return 2/);
  });

  it('are what the model reads then, and what its next edits apply to', async () => {
    const [first, shown, next] = await propose(
      [edit('pay.ts', 'return 1;', 'return 2;')],
      [{ name: 'delete_file', input: { path: `${dir()}/tax.ts` } }],
      [edit('pay.ts', 'return 2;', 'return 3;')],
    );
    assert.match(first ?? '', /^Proposed, not written/);
    assert.match(shown ?? '', /^Proposed, not done/);
    assert.match(next ?? '', /^Proposed, not written/);
    await answering('Delete', () => run('svc.acceptChanges'));
    assert.match(read('pay.ts'), /return 3/);
  });

  it('proposed files are named where the model lists files, and where it searches them', async () => {
    await stage.set('svc.tools.approval', 'reads');
    const list = (path: string): Call => ({ name: 'list_files', input: { path } });
    const search = (query: string, files?: string): Call => ({ name: 'search_text', input: { query, files } });
    const [all = '', inNew = '', texts = '', markdown = '', old = '', none = ''] = (
      await propose(
        [
          edit('pay.ts', 'return 1;', 'return 2;'),
          write('new/fee.ts', 'export const charge = 3;\n'),
          { name: 'delete_file', input: { path: `${dir()}/old.ts` } },
          { name: 'rename_file', input: { from: `${dir()}/list.ts`, to: `${dir()}/lib/list.ts` } },
        ],
        [list(dir()), list(`${dir()}/new`), search('Export Const', '**/*.ts'), search('charge', '**/*.md')],
        [search('const old'), search('nothing has this')],
      )
    ).slice(4);
    const names = (result: string): readonly string[] =>
      result.split('\n').filter((line) => /: (new|changed|renamed|deleted)$/.test(line));
    const fee = `${dir()}/new/fee.ts: new`;
    const others = [`${dir()}/old.ts: deleted`, `${dir()}/list.ts -> ${dir()}/lib/list.ts: renamed`];
    assert.deepEqual(names(all), [`${dir()}/pay.ts: changed`, fee, ...others], all);
    assert.match(all, /proposed changes, which are not written/);
    assert.deepEqual(names(inNew), [fee], inNew);
    assert.deepEqual(names(texts), [fee, ...others], texts);
    assert.deepEqual(names(old), others.slice(0, 1));
    for (const result of [markdown, none]) assert.deepEqual([names(result), /proposed/.test(result)], [[], false]);
    // What may no longer be sent is no longer named.
    put('.svcignore', 'new/\n');
    const [later = ''] = await propose([list(dir())]);
    assert.deepEqual(names(later).includes(fee), false);
    assert.equal(names(later).length, 3);
  });

  const refused = async (pathsOf: (dir: string, outside: string) => readonly string[]): Promise<void> => {
    put('.svcignore', 'plan.md\n');
    put('plan.md', 'We pay nobody.\n');
    put('.env', 'TOKEN=hidden\n');
    put('notes.ipynb', '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');
    put('long.ts', 'let a;\n'.repeat(500));
    const outside = join(folder.fsPath, '..', 'outside-changes.txt');
    writeFileSync(outside, 'outside\n');
    symlinkSync(outside, at('link.txt'));
    symlinkSync(at('.env'), at('innocent.txt'));
    const paths = pathsOf(dir(), outside);
    try {
      for (const path of paths) {
        await run('svc.newChat');
        mayRead = false;
        const results = await propose([
          { name: 'edit_file', input: { path, oldString: '', newString: 'stolen\n' } },
          { name: 'write_file', input: { path, content: 'stolen\n' } },
          { name: 'delete_file', input: { path } },
          { name: 'rename_file', input: { from: `${dir()}/pay.ts`, to: path } },
          { name: 'rename_file', input: { from: path, to: `${dir()}/taken.ts` } },
        ]);
        for (const [call, result] of results.entries())
          assert.match(result, /^(Refused|\[left out)/, `${path} ${call}: ${result}`);
      }
      assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'none' });
      assert.equal(readFileSync(outside, 'utf8'), 'outside\n');
      assert.ok(!stage.service.chats.some(({ body }) => /hidden|pay nobody/.test(body)));
    } finally {
      rmSync(outside);
    }
  };

  it('changes of excluded files and of files outside are refused, and no part of these files is sent', () =>
    refused((dir, outside) => [
      `${dir}/plan.md`,
      `${dir}/.env`,
      `${dir}/.ENV`,
      `${dir}/innocent.txt`,
      `${dir}/link.txt`,
      '../outside-changes.txt',
      `${dir}/../../outside-changes.txt`,
      outside,
      'C:\\x.txt',
      `${dir}//x.ts`,
    ]));

  it('changes of files that decide what runs, and of files with impossible names, are refused', () =>
    refused((dir) => [
      `${dir}/x.ts `,
      `${dir}/${'x'.repeat(5_000)}`,
      '.vscode/tasks.json',
      '.git/hooks/post-commit',
      '.Git/hooks/post-commit',
      '.github/workflows/x.yml',
      'AGENTS.md',
      `${dir}/agents.md`,
      `${dir}/notes.ipynb`,
      dir,
    ]));

  it('changes of files that a setting of VS Code makes read-only are refused', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const set = (key: string, globs: Readonly<Record<string, boolean>> | undefined) =>
      files.update(key, globs, vscode.ConfigurationTarget.Workspace);
    const [path, other, tax] = ['fixed/pay.ts', 'fixed/made.ts', 'tax.ts'].map((name) => `${dir()}/${name}`);
    put('fixed/pay.ts', 'return 1;\n');
    put('fixed/open.ts', 'return 1;\n');
    await set('readonlyInclude', { '**/fixed/**': true });
    await set('readonlyExclude', { '**/open.ts': true });
    try {
      const results = await propose([
        edit('fixed/pay.ts', 'return 1;', 'return 2;'),
        write('fixed/made.ts', 'new\n'),
        { name: 'delete_file', input: { path } },
        { name: 'rename_file', input: { from: path, to: other } },
        { name: 'rename_file', input: { from: tax, to: other } },
        edit('fixed/open.ts', 'return 1;', 'return 2;'),
      ]);
      const refused = /^Refused: the user's setting files\.readonlyInclude makes this file read-only\.$/;
      for (const result of results.slice(0, -1)) assert.match(result, refused);
      assert.match(results.at(-1) ?? '', /^Proposed/);
    } finally {
      await set('readonlyInclude', undefined);
      await set('readonlyExclude', undefined);
    }
  });

  it('changes that cannot be made are refused with a message that helps the model', async () => {
    put('long.ts', 'let a;\n'.repeat(500));
    const cases: readonly (readonly [Call, RegExp])[] = [
      [edit('pay.ts', 'export function pay() {\n  return 5;', 'x'), /oldString is not in the file.*\n[\s\S]*return 1/],
      [edit('pay.ts', '', 'x'), /oldString is blank/],
      [edit('pay.ts', 'return 1;', 'return 1;'), /changes nothing/],
      [edit('pay.ts', 'return 1;', 'return \0;'), /a character that no text file has/],
      [edit('pay.ts', 'return 1;', 'return \ud800;'), /a character that no text file has/],
      [edit('gone.ts', 'x', 'y'), /there is no file of this name/],
      [write('pay.ts', 'x\n'), /read the whole file first/],
      [write('long.ts', 'x\n'), /more than 400 lines/],
      [{ name: 'delete_file', input: { path: `${dir()}/gone.ts` } }, /there is no file of this name/],
      [{ name: 'rename_file', input: { from: `${dir()}/pay.ts`, to: `${dir()}/tax.ts` } }, /has this name/],
      [{ name: 'edit_file', input: { path: `${dir()}/pay.ts`, oldString: 1 } }, /does not fit.*oldString/],
    ];
    for (const [call, words] of cases) {
      const [result = ''] = await propose([call]);
      assert.match(result, /^Refused/, `${JSON.stringify(call)}: ${result}`);
      assert.match(result, words, `${JSON.stringify(call)}: ${result}`);
    }
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'none' });
  });

  it('a file that is not text can be deleted, but not edited, and undo restores each byte', async () => {
    const bytes = Uint8Array.from({ length: 3_000 }, (_, at) => (at * 7) % 256);
    put('logo.png', bytes);
    put('large.bin', new Uint8Array(600 * 1024));
    mayRead = false;
    const remove = (name: string): Call => ({ name: 'delete_file', input: { path: `${dir()}/${name}` } });
    const [edited, written, large, removed, again] = await propose([
      edit('logo.png', 'a', 'b'),
      write('logo.png', 'text\n'),
      remove('large.bin'),
      remove('logo.png'),
      edit('logo.png', '', 'b'),
    ]);
    for (const result of [edited, written]) assert.match(result ?? '', /^Refused: the file cannot be read as text/);
    assert.match(large ?? '', /^Refused: the file is larger than 512 KiB/);
    assert.match(removed ?? '', /^Proposed, not done/);
    assert.match(again ?? '', /^Refused/);
    put('logo.png', bytes.toReversed());
    await answering('Delete', async () => {
      assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    });
    assert.deepEqual(readFileSync(at('logo.png')), Buffer.from(bytes.toReversed()));
    put('logo.png', bytes);
    await answering('Delete', async () => {
      assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    });
    assert.equal(existsSync(at('logo.png')), false);
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.deepEqual(readFileSync(at('logo.png')), Buffer.from(bytes));
  });

  it('changes of a file that the model was not allowed to read are refused, whatever the file contains', async () => {
    mayRead = false;
    const results = await propose([
      edit('pay.ts', 'return 1;', 'return 2;'),
      edit('pay.ts', 'return 1;', 'return 1;'),
      edit('pay.ts', 'export function pay() {\n  return 5;', 'x'),
      edit('pay.ts', 'nothing like it', 'x'),
    ]);
    assert.deepEqual([...new Set(results)], ['Refused: read the file first.']);
  });

  it('a new file is written as a whole, after each question about it', async () => {
    await propose([write('new.ts', 'ok();\n\nevil(); // \u202e')]);
    await run('svc.acceptChanges');
    const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail('no diff');
    const asked = await answering(undefined, () => vscode.commands.executeCommand('svc.acceptHunk', uri.toString(), 0));
    assert.equal(asked.length, 1);
    assert.equal(existsSync(at('new.ts')), false);
  });

  it('changes that make a file longer than the limit when they are written are undone', async () => {
    await stage.set('files.eol', '\r\n');
    await propose([write('long.txt', 'x\n'.repeat(200_000))]);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('long.txt').length, 600_000);
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.equal(existsSync(at('long.txt')), false);
  });

  it('a rename with a new text is written although saving changes the text', async () => {
    await stage.set('files.trimTrailingWhitespace', true);
    await propose([
      edit('pay.ts', 'return 1;', 'return 2; '),
      { name: 'rename_file', input: { from: `${dir()}/pay.ts`, to: `${dir()}/fee.ts` } },
    ]);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('fee.ts'), 'export function pay() {\n  return 2;\n}\n');
    assert.equal(existsSync(at('pay.ts')), false);
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.equal(read('pay.ts'), 'export function pay() {\n  return 1;\n}\n');
  });

  it('the changes of other files are written although one file may no longer be read', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2;'), write('fee.ts', 'export const fee = 3;\n')]);
    put('.svcignore', 'pay.ts\n');
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.equal(read('fee.ts'), 'export const fee = 3;\n');
    assert.match(read('pay.ts'), /return 1/);
  });

  it('keep the secrets of the file, which never leave', async () => {
    put('key.ts', `const id = '${secret}';\nexport const limit = 1;\n`);
    // The user would be asked about the secret in the whole file.
    await explain(at('key.ts'), 1);
    mayRead = false;
    const [quoted = ''] = await propose([edit('key.ts', "const id = 'x';\nexport const limit = 1;", 'x')]);
    const mark = /const id = '([^']*)'/.exec(quoted)?.[1] ?? assert.fail(quoted);
    assert.notEqual(mark, secret);
    await propose([
      edit(
        'key.ts',
        `const id = '${mark}';\nexport const limit = 1;`,
        `const id = '${mark}';\nexport const limit = 2;`,
      ),
    ]);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: true });
    assert.equal(read('key.ts'), `const id = '${secret}';\nexport const limit = 2;\n`);
    assert.ok(!stage.service.chats.some(({ body }) => body.includes(secret)));
  });

  it('changes with hidden characters are decided in their diff', async () => {
    await propose([edit('pay.ts', 'return 1;', 'return 2; // \u202e'), write('fee.ts', 'export const fee = 3;\n')]);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.match(read('pay.ts'), /return 1/);
    assert.equal(read('fee.ts'), 'export const fee = 3;\n');
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.match(activeTab?.label ?? '', /pay\.ts/);
    await answering('Accept Anyway', () => run('svc.acceptProposal'));
    assert.match(read('pay.ts'), /return 2/);
  });

  it('are undone hunk by hunk, and the hunk can be decided again', async () => {
    await propose([
      edit('pay.ts', '  return 1;', '  return 2; // \u202e'),
      edit('pay.ts', '}\n', '}\n\nexport const rate = 1;\n'),
    ]);
    // It is opened, because of the hidden character.
    await run('svc.acceptChanges');
    const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail('no diff');
    const [before] = [read('pay.ts')];
    assert.deepEqual(await vscode.commands.executeCommand('svc.acceptHunk', uri.toString(), 4), { ok: true, left: 1 });
    assert.match(read('pay.ts'), /return 1[\s\S]*rate = 1/);
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.equal(read('pay.ts'), before);
    await answering('Accept Anyway', () => run('svc.acceptProposal'));
    assert.match(read('pay.ts'), /return 2[\s\S]*rate = 1/);
  });

  it('the rest of a file can be decided although the file was formatted when a hunk was written', async () => {
    await stage.set('files.trimTrailingWhitespace', true);
    put('rate.ts', 'export const one = 1;\n\nexport function rate() {\n  return one;\n}\n\nexport const last = 3;\n');
    await propose([
      edit('rate.ts', 'export const one = 1;', 'export const one = 2; // \u202e '),
      edit('rate.ts', 'export const last = 3;', 'export const last = 4; // \u202e'),
    ]);
    // It is opened, because of the hidden characters.
    await run('svc.acceptChanges');
    const { uri } = vscode.window.activeTextEditor?.document ?? assert.fail('no diff');
    await answering('Accept Anyway', async () => {
      const first = await vscode.commands.executeCommand('svc.acceptHunk', uri.toString(), 0);
      assert.deepEqual(first, { ok: true, left: 1 });
      assert.match(read('rate.ts'), /one = 2; \/\/ \u202e\n/);
      assert.deepEqual(await run('svc.acceptProposal'), { ok: true, left: 0 });
    });
    assert.match(read('rate.ts'), /last = 4; \/\/ \u202e\n/);
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.deepEqual(await run('svc.undoChanges'), { ok: true });
    assert.match(read('rate.ts'), /one = 1;\n[\s\S]*last = 3;\n$/);
  });

  it('a new file with a schema from another host is decided in its diff', async () => {
    await propose([write('new.json', '{ "$schema": "https://example.com/x.json" }\n')]);
    assert.deepEqual(await run('svc.acceptChanges'), { ok: false, reason: 'refused' });
    assert.equal(existsSync(at('new.json')), false);
  });

  it('are offered only if the user allows it and nobody forbids it', async () => {
    const { Workspace } = vscode.ConfigurationTarget;
    const names = ['edit_file', 'write_file', 'delete_file', 'rename_file'];
    const isOffered = async (): Promise<boolean> => {
      await propose();
      const now = offered();
      const some = names.filter((name) => now.includes(name));
      assert.ok(some.length === 0 || some.length === 4);
      return some.length === 4;
    };
    assert.equal(await isOffered(), true);
    await stage.set('svc.changes.enabled', false, Workspace);
    assert.equal(await isOffered(), false);
    await stage.set('svc.changes.enabled', true, Workspace);
    await stage.set('svc.changes.enabled', undefined);
    assert.equal(await isOffered(), false);
    const [refused = ''] = await propose([edit('pay.ts', 'return 1;', 'return 2;')]);
    assert.match(refused, /^Refused: no tool of this name was offered/);
  });
});
