import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readPrompts } from '../../../src/features/context/vscode/attachments/promptFiles.ts';
import { readInstructions } from '../../../src/features/context/vscode/instructions.ts';
import { confirmGuarded } from '../../../src/features/edits/vscode/confirm.ts';
import { findAnswerFile } from '../../../src/features/edits/vscode/placing/answerFile.ts';
import { readTargets } from '../../../src/features/review/vscode/targets.ts';
import { searchText } from '../../../src/features/tools/vscode/own/searchText.ts';
import { unchangedFiles } from '../../../src/features/tools/vscode/own/unchangedFiles.ts';
import { isCurrent } from '../../../src/platform/excludedContent/isCurrent.ts';
import { readExcluded } from '../../../src/platform/excludedContent/readExcluded.ts';
import { Disk } from '../../../src/platform/files/disk.ts';
import { readBytes } from '../../../src/platform/files/readBytes.ts';
import { VersionReader } from '../../../src/platform/git/versionText.ts';
import { attachFile } from '../../../src/platform/sources/attach.ts';
import { whyFileExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import { makeContent } from '../../../src/platform/sources/maker.ts';
import { openDocument, openText, readUtf8 } from '../../../src/platform/sources/open.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { noTasks } from '../../tools/noTasks.ts';
import { makePipe, removePipe } from '../../tools/pipe.ts';
import { answering } from './dialogs.ts';
import { until } from './stage.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
const outside = join(folder.fsPath, '..', 'odd-outside');
const at = (name: string): string => join(folder.fsPath, name);
const uriOf = (name: string): vscode.Uri => vscode.Uri.file(at(name));
const put = (name: string, text: string): string => {
  mkdirSync(dirname(at(name)), { recursive: true });
  writeFileSync(at(name), text);
  return at(name);
};
const { signal } = new AbortController();

describe('a pipe, a device or a socket in place of a file', function () {
  this.timeout(30_000);
  const socket = createServer();
  const pipes = ['odd/pipe.ts', '.svc/prompts/wait.md', 'AGENTS.md'];
  const names = [...pipes, 'odd/socket.ts', 'odd/linked.ts'];

  before(async () => {
    mkdirSync(at('odd'), { recursive: true });
    mkdirSync(at('.svc/prompts'), { recursive: true });
    for (const name of pipes) makePipe(at(name));
    execFileSync('ln', ['-s', '/dev/zero', at('odd/linked.ts')]);
    await new Promise<void>((resolve) => socket.listen(at('odd/socket.ts'), resolve));
  });
  after(async () => {
    await new Promise((resolve) => socket.close(resolve));
    for (const name of pipes) removePipe(at(name));
    rmSync(at('odd/linked.ts'));
    rmSync(at('odd'), { recursive: true });
    rmSync(at('.svc/prompts'), { recursive: true });
  });

  it('is refused everywhere, and nothing waits for it', async () => {
    for (const name of names) {
      const uri = uriOf(name);
      await assert.rejects(readBytes(uri, 1_000), name);
      await assert.rejects(readUtf8(uri), name);
      await assert.rejects(openDocument(uri), name);
      await assert.rejects(new Disk(folder).read(uri.path), name);
      assert.equal(await readExcluded(uri), 'unreadable', name);
      if (name === 'odd/linked.ts') continue;
      await assert.rejects(attachFile(uri), { code: 'not-text' }, name);
      const { gaps, targets } = await readTargets([uri], signal);
      assert.deepEqual([gaps.map(({ reason }) => reason), targets], [['unreadable'], []], name);
      const reader = await VersionReader.of({ program: 'git', folder: folder.fsPath }, []);
      assert.deepEqual(
        await reader.read({ path: name, mode: '100644', oid: null }, uri),
        { reason: 'unreadable' },
        name,
      );
    }
    const prompts = await readPrompts();
    assert.deepEqual(
      prompts.map(({ file, problem }) => [file, problem]),
      [['.svc/prompts/wait.md', 'it cannot be read as text']],
    );
    const [instructions] = await readInstructions(1_000);
    assert.deepEqual(instructions && 'problem' in instructions && instructions.problem, { kind: 'not-text' });
    await searchText.run({ query: 'nothing has this', files: '{odd,.svc}/**' }, signal, unchangedFiles, noTasks);
  });

  it('excludes everything that it could, where it is a list of rules', async () => {
    makePipe(at('odd/.svcignore'));
    put('odd/a.ts', '');
    assert.match((await whyFileExcluded(uriOf('odd/a.ts').toString())) ?? '', /\.svcignore, which cannot be read/);
    removePipe(at('odd/.svcignore'));
    assert.equal(await whyFileExcluded(uriOf('odd/a.ts').toString()), null);
  });

  it('is not read beyond the limit when a file grows in the meantime', async () => {
    put('odd/growing.txt', 'a'.repeat(10));
    assert.equal(await readBytes(uriOf('odd/growing.txt'), 9), null);
    assert.equal((await readBytes(uriOf('odd/growing.txt'), 10))?.length, 10);
    appendFileSync(at('odd/growing.txt'), 'b'.repeat(200_000));
    assert.equal((await readBytes(uriOf('odd/growing.txt'), 300_000))?.length, 200_010);
    await assert.rejects(readBytes(uriOf('odd/missing.txt'), 10), { code: 'FileNotFound' });
    await assert.rejects(readBytes(uriOf('odd'), 10));
  });
});

describe('a file with several names', () => {
  beforeEach(() => mkdirSync(outside, { recursive: true }));
  afterEach(() => {
    rmSync(at('twice'), { recursive: true, force: true });
    rmSync(outside, { recursive: true, force: true });
  });
  const rule = async (name: string): Promise<string | null> => {
    const made = await makeContent([uriOf(name)], () => 'text', { outside: 'refuse' });
    return made.ok ? null : made.rule;
  };

  it('is excluded if a rule is against any of them', async () => {
    put('twice/.svcignore', 'secret/\n*.plan\n');
    for (const name of ['twice/.env', 'twice/secret/deep/a.txt', 'twice/b.plan', 'twice/c.txt']) put(name, name);
    linkSync(at('twice/.env'), at('twice/notes.txt'));
    linkSync(at('twice/secret/deep/a.txt'), at('twice/deep.txt'));
    linkSync(at('twice/b.plan'), at('twice/plan.txt'));
    linkSync(at('twice/c.txt'), at('twice/d.txt'));
    assert.match((await rule('twice/notes.txt')) ?? '', /its other name twice\/\.env: a built-in rule \(\.env\)/);
    assert.match((await rule('twice/deep.txt')) ?? '', /secret\/deep\/a\.txt.*\.svcignore, line 1/);
    assert.match((await rule('twice/plan.txt')) ?? '', /b\.plan.*\.svcignore, line 2/);
    assert.deepEqual([await rule('twice/c.txt'), await rule('twice/d.txt')], [null, null]);
    // A name that it gets later is checked as well.
    linkSync(at('twice/c.txt'), at('twice/e.plan'));
    assert.match((await rule('twice/d.txt')) ?? '', /e\.plan/);
    rmSync(at('twice/e.plan'));
    assert.equal(await rule('twice/d.txt'), null);
  });

  it('is excluded as soon as a folder of one of its names is renamed to an excluded one', async () => {
    put('twice/.svcignore', 'secret/\n');
    put('twice/open/a.txt', 'a');
    linkSync(at('twice/open/a.txt'), at('twice/b.txt'));
    assert.equal(await rule('twice/b.txt'), null);
    rmSync(at('twice/secret'), { recursive: true, force: true });
    renameSync(at('twice/open'), at('twice/secret'));
    assert.match((await rule('twice/b.txt')) ?? '', /secret\/a\.txt.*\.svcignore, line 1/);
  });

  it('is written by an answer only if all of its names may be, with a question if one of them changes what runs', async () => {
    put('twice/.svcignore', 'secret/\n');
    put('twice/secret/f.txt', 'f');
    put('twice/package.json', '{}');
    put('twice/g.txt', 'g');
    linkSync(at('twice/secret/f.txt'), at('twice/open.txt'));
    linkSync(at('twice/package.json'), at('twice/data.txt'));
    linkSync(at('twice/g.txt'), at('twice/h.txt'));
    const found = await findAnswerFile('twice/open.txt');
    assert.match(found.ok ? '' : found.reason, /\.svcignore, line 1/);
    assert.ok((await findAnswerFile('twice/h.txt')).ok);
    const asked = (name: string) => answering(undefined, () => confirmGuarded(uriOf(name)));
    assert.match((await asked('twice/data.txt')).map(({ message }) => message).join(), /Propose a change to/);
    assert.deepEqual(await asked('twice/h.txt'), []);
  });

  it('is treated as outside the workspace if one of its names is there', async () => {
    put('twice/a.txt', 'a');
    linkSync(at('twice/a.txt'), join(outside, 'id_rsa'));
    assert.match((await rule('twice/a.txt')) ?? '', /also have a name outside the workspace/);
    const attached: Attachment[] = [];
    const asked = await answering('Attach Anyway', async () => attached.push(await attachFile(uriOf('twice/a.txt'))));
    assert.match(asked.map(({ message }) => message).join(), /also has a name outside the workspace/);
    assert.deepEqual(
      attached.map(({ text, outside }) => [text, outside]),
      [['a', undefined]],
    );
  });
});

describe('what was attached of a file', () => {
  it('is not current if something else has its name, while VS Code still has its text', async () => {
    const text = 'the ledgers of the western quarry\n'.repeat(5);
    for (const replace of [
      () => mkdirSync(at('stale/notes')),
      () => put('stale/notes', 'of another file\n'.repeat(9)),
    ]) {
      put('stale/notes', text);
      const document = await vscode.workspace.openTextDocument(uriOf('stale/notes'));
      const attachment = await attachFile(uriOf('stale/notes'));
      assert.ok(await isCurrent(attachment));
      renameSync(at('stale/notes'), at('stale/moved'));
      replace();
      assert.equal(await isCurrent(attachment), false);
      assert.ok(document.getText().length > 0);
      rmSync(at('stale'), { recursive: true });
    }
  });
});

describe('a document that was never saved', () => {
  const made = (uri: string) => makeContent([vscode.Uri.parse(uri)], () => 'text', { outside: 'refuse' });

  it('is the file that it will be saved as', async () => {
    put('unsaved/.svcignore', 'secret/\n');
    for (const [uri, rule] of [
      [`untitled:${at('unsaved/secret/new.txt')}`, /\.svcignore, line 1/],
      [`untitled:${join(outside, 'new.txt')}`, /outside the workspace/],
      [`untitled:${join(outside, '.env')}`, /built-in rule \(\.env\)/],
      ['untitled:.env', /built-in rule \(\.env\)/],
    ] as const) {
      const content = await made(uri);
      assert.ok(!content.ok && rule.test(content.rule), uri);
    }
    for (const uri of ['untitled:Untitled-1', `untitled:${at('unsaved/new.txt')}`])
      assert.ok((await made(uri)).ok, uri);
    rmSync(at('unsaved'), { recursive: true });
  });
});

describe('a file that has just changed on the disk', function () {
  this.timeout(30_000);
  // VS Code may keep the text of a closed file, so no name is used twice.
  before(async () => {
    // VS Code may miss the first changes in a new folder.
    put('changed/first.ts', '');
    const document = await vscode.workspace.openTextDocument(uriOf('changed/first.ts'));
    const writing = setInterval(() => put('changed/first.ts', `${Date.now()}`), 200);
    await until(vscode.workspace.onDidChangeTextDocument, () => document.getText() !== '');
    clearInterval(writing);
  });
  after(() => rmSync(at('changed'), { recursive: true }));
  const textIn = async (name: string): Promise<string> => (await openText(uriOf(name))).getText();

  it('is read as it is now, although VS Code has not reloaded its document', async () => {
    const texts = {
      utf8: 'Größe = 2;\n',
      crlf: 'size = 2;\r\n',
      mixed: 'a\r\nb\nc',
      shown: 'size = 2;\n',
      bom: '\ufeffsize = 2;\n',
    };
    for (const [name, text] of Object.entries(texts)) {
      put(`changed/${name}.ts`, 'size = 1;\n');
      const document = await vscode.workspace.openTextDocument(uriOf(`changed/${name}.ts`));
      if (name === 'shown') await vscode.window.showTextDocument(document);
      put(`changed/${name}.ts`, text);
      const lines = (read: string): readonly string[] => read.replace('\ufeff', '').split(/\r?\n/);
      assert.deepEqual(lines(await textIn(`changed/${name}.ts`)), lines(text), name);
    }
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is read with the unsaved changes of its editor, or as its editor shows it if it is gone', async () => {
    put('changed/unsaved.ts', 'size = 1;\n');
    const document = await vscode.workspace.openTextDocument(uriOf('changed/unsaved.ts'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// '));
    put('changed/unsaved.ts', 'size = 2;\n');
    assert.equal(await textIn('changed/unsaved.ts'), '// size = 1;\n');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    put('changed/gone.ts', 'size = 1;\n');
    await vscode.window.showTextDocument(uriOf('changed/gone.ts'));
    rmSync(at('changed/gone.ts'));
    assert.equal(await textIn('changed/gone.ts'), 'size = 1;\n');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
