import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isBinary } from '../../../src/features/edits/common/binaryFile.ts';
import { Dice } from '../../tools/dice.ts';
import { acceptAll, ChangedFolder } from './changedFiles.ts';
import { MemoryFiles } from './memoryFiles.ts';
import { show } from './show.ts';
import { undo } from './undo.ts';

const global = vscode.ConfigurationTarget.Global;
const bytes = (text: string): string => Buffer.from(text).toString('latin1');
/** A change of the second and of the last line. */
const edited = (lines: readonly string[]): readonly string[] => lines.with(1, '\tzwölf = "2"').toSpliced(-1, 0, 'new');

async function withSettings(settings: Readonly<Record<string, unknown>>, act: () => Promise<void>): Promise<void> {
  const set = (name: string, value: unknown) => vscode.workspace.getConfiguration().update(name, value, global);
  for (const [name, value] of Object.entries(settings)) await set(name, value);
  try {
    await act();
  } finally {
    for (const name of Object.keys(settings)) await set(name, undefined);
  }
}

describe('files of accepted changes', function () {
  this.timeout(60_000);
  let folder: ChangedFolder;
  let count = 0;

  // A new folder each time: VS Code keeps the text of a deleted file for a while.
  beforeEach(() => {
    count += 1;
    folder = new ChangedFolder(`changed${count}`);
  });
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await show(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder.path, { recursive: true });
  });

  /** Accepts everything, undoes it, and compares each byte with the state before. */
  async function acceptAndUndo(after: Readonly<Record<string, string>>): Promise<void> {
    const before = folder.now();
    const accepted = await acceptAll(folder);
    const written = folder.now();
    for (const [path, text] of Object.entries(after)) assert.equal(written[path], text, path);
    assert.deepEqual(await folder.undo(accepted), []);
    assert.deepEqual(folder.now(), before);
  }

  it('keep their line endings, tabs, byte order mark, umlauts, and a last line without an end', async () => {
    folder.put('crlf.ts', 'one\r\ntwo\r\nthree\r\n');
    folder.put('tabs.ts', 'if\n\ttwo\n\t\tthree\n');
    folder.put('open.ts', 'eins\nzwei\ndrei');
    folder.put('mark.ts', '\ufeffgrün\r\nblau\r\nüber');
    folder.put('executable.sh', 'a\nb\nc\n');
    chmodSync(join(folder.path, 'executable.sh'), 0o755);
    for (const path of ['crlf.ts', 'tabs.ts', 'open.ts', 'mark.ts', 'executable.sh'])
      await folder.propose(path, edited);
    await acceptAndUndo({
      'crlf.ts': bytes('one\r\n\tzwölf = "2"\r\nthree\r\nnew\r\n'),
      'tabs.ts': bytes('if\n\tzwölf = "2"\n\t\tthree\nnew\n'),
      'open.ts': bytes('eins\n\tzwölf = "2"\nnew\ndrei'),
      'mark.ts': bytes('\ufeffgrün\r\n\tzwölf = "2"\r\nnew\r\nüber'),
      'executable.sh': bytes('x a\n\tzwölf = "2"\nc\nnew\n'),
    });
  });

  it('are read and written in the encoding of the settings', async () => {
    folder.put('latin.ts', Buffer.from('größe\r\nzwei\r\nß', 'latin1'));
    await withSettings({ 'files.encoding': 'windows1252' }, async () => {
      assert.deepEqual(await folder.files.lines('latin.ts'), ['größe', 'zwei', 'ß']);
      await folder.propose('latin.ts', edited);
      await folder.propose('new.ts', () => ['Größe', '']);
      await acceptAndUndo({
        'latin.ts': 'größe\r\n\tzwölf = "2"\r\nnew\r\nß',
        'new.ts': 'Größe\n',
      });
      await folder.propose('latin.ts', (lines) => lines.with(1, 'zwei → drei'));
      await folder.propose('arrow.ts', () => ['→']);
      const was = folder.now();
      const { stopped } = await folder.accept();
      assert.match(String(stopped?.reason), /latin\.ts is saved as windows1252, which lacks some/);
      assert.deepEqual(folder.now(), was);
      // A new file becomes UTF-8 instead.
      await folder.propose('arrow.ts', () => ['→']);
      await acceptAndUndo({ 'arrow.ts': bytes('→') });
    });
  });

  it('are refused if saving them would change more than the accepted lines', async () => {
    folder.put('mixed.ts', 'one\r\ntwo\nthree\r\n');
    folder.put('latin.ts', Buffer.from('größe\nzwei\ndrei\n', 'latin1'));
    const before = folder.now();
    for (const [path, reason] of [
      ['mixed.ts', /mixed\.ts has mixed line endings/],
      ['latin.ts', /latin\.ts is not encoded as utf8/],
    ] as const) {
      await folder.propose(path, edited);
      const { stopped, steps } = await folder.accept();
      assert.match(String(stopped?.reason), reason);
      assert.deepEqual(steps, []);
    }
    assert.deepEqual(folder.now(), before);
  });

  it('are refused with a reason if they are too long or not a file, and known by their hash if they are not text', async () => {
    folder.put('image.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0, 0, 0, 255, 0, 0, 0]));
    folder.put('long.ts', 'a'.repeat(512 * 1024 + 1));
    mkdirSync(join(folder.path, 'dir'));
    assert.ok(isBinary((await folder.files.lines('image.png')) ?? []));
    await assert.rejects(folder.files.lines('long.ts'), /long\.ts is larger than 512 KiB/);
    await assert.rejects(folder.files.lines('dir'), /dir cannot be read or changed: it is not a file/);
    await assert.rejects(folder.files.delete('dir'), /dir cannot be read or changed: it is not a file/);
    assert.equal(await folder.files.lines('missing.ts'), null);
    assert.equal(await folder.files.lines('long.ts/missing.ts'), null);
  });

  it('stay unsaved if they were, with the text that was typed', async () => {
    folder.put('a.ts', 'one\ntwo\nthree\n');
    const document = await folder.type('a.ts', 'typed\n');
    const before = folder.now();
    assert.deepEqual(await folder.files.lines('a.ts'), ['typed', 'one', 'two', 'three', '']);
    await folder.propose('a.ts', edited);
    const accepted = await acceptAll(folder);
    assert.equal(document.getText(), 'typed\n\tzwölf = "2"\ntwo\nthree\nnew\n');
    assert.ok(document.isDirty);
    assert.deepEqual(folder.now(), before);
    assert.deepEqual(await folder.undo(accepted), []);
    assert.equal(document.getText(), 'typed\none\ntwo\nthree\n');
    assert.ok(document.isDirty);
    assert.deepEqual(folder.now(), before);
  });

  it('change in one undo step, without a new editor, and the editor that is there shows what is undone', async () => {
    folder.put('shown.ts', 'one\ntwo\nthree\n');
    folder.put('behind.ts', 'one\ntwo\nthree\n');
    const editor = await show(folder.uri('shown.ts'));
    for (const path of ['shown.ts', 'behind.ts', 'new.ts'])
      await folder.propose(path, (lines) => (lines.length > 1 ? edited(lines) : ['n']));
    const accepted = await acceptAll(folder);
    assert.equal(editor.document.getText(), 'one\n\tzwölf = "2"\nthree\nnew\n');
    assert.ok(!editor.document.isDirty);
    // VS Code itself opens a tab behind it for a file that is unsaved for long, as on a busy machine.
    assert.equal(vscode.window.activeTextEditor, editor);
    assert.deepEqual(await folder.undo(accepted), []);
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
    assert.ok(!editor.document.isDirty);
    assert.deepEqual(await folder.files.lines('behind.ts'), ['one', 'two', 'three', '']);
    assert.equal(vscode.window.activeTextEditor, editor);
    await folder.propose('shown.ts', edited);
    await acceptAll(folder);
    await undo(editor.document);
    assert.equal(editor.document.getText(), 'one\ntwo\nthree\n');
    await editor.document.save();
  });

  it('are formatted by the user’s own format on save, and undone to the bytes before', async () => {
    folder.put('a.svcfmt', 'one\r\ntwo\r\nthree\r\n');
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/*.svcfmt' },
      {
        provideDocumentFormattingEdits: (document) => {
          const all = new vscode.Range(0, 0, document.lineCount, 0);
          return [vscode.TextEdit.replace(all, document.getText().toUpperCase())];
        },
      },
    );
    try {
      await withSettings({ 'editor.formatOnSave': true }, async () => {
        const { document } = await show(folder.uri('a.svcfmt'));
        await folder.propose('a.svcfmt', (lines) => lines.with(1, 'new'));
        await acceptAndUndo({ 'a.svcfmt': 'ONE\r\nNEW\r\nTHREE\r\n' });
        assert.equal(document.getText(), 'one\r\ntwo\r\nthree\r\n');
        assert.ok(!document.isDirty);
      });
    } finally {
      formatter.dispose();
    }
  });

  it('are made with their folders, which go with them if nothing else is in them', async () => {
    folder.put('there/a.ts', 'a');
    await folder.propose('there/deep/er/b.ts', () => ['b']);
    await folder.propose('there/deep/c.ts', () => ['c', '']);
    await folder.propose('other/d.ts', () => ['d']);
    await folder.rename('there/a.ts', 'moved/far/a.ts');
    await acceptAndUndo({ 'there/deep/er/b.ts': 'b', 'there/deep/c.ts': 'c\n', 'moved/far/a.ts': 'a' });
    await folder.propose('there/deep/er/b.ts', () => ['b']);
    const accepted = await acceptAll(folder);
    folder.put('there/deep/own.ts', 'of the user');
    assert.deepEqual(await folder.undo(accepted), []);
    assert.deepEqual(Object.keys(folder.now()), ['there', 'there/a.ts', 'there/deep', 'there/deep/own.ts']);
  });

  it('are renamed and deleted, and get back their permissions', async () => {
    folder.put('tool.sh', '#!/bin/sh\r\n\tüber');
    folder.put('old.sh', Buffer.from([0x61, 0x0d, 0x0a, 0x62]));
    for (const path of ['tool.sh', 'old.sh']) chmodSync(join(folder.path, path), 0o755);
    const opened = await folder.open('old.sh');
    await folder.rename('tool.sh', 'bin/run.sh');
    await folder.propose('bin/run.sh', (lines) => [...lines, 'more']);
    await folder.delete('old.sh');
    const before = folder.now();
    const accepted = await acceptAll(folder);
    assert.deepEqual(folder.now(), { bin: 'folder', 'bin/run.sh': bytes('x #!/bin/sh\r\n\tüber\r\nmore') });
    assert.deepEqual(await folder.undo(accepted), []);
    assert.deepEqual(folder.now(), before);
    assert.equal(opened.getText(), 'a\r\nb');
    assert.deepEqual(await folder.files.lines('tool.sh'), ['#!/bin/sh', '\tüber']);
  });

  it('do not replace a file, also one that appears after the check', async () => {
    for (const path of ['a.ts', 'b.ts']) folder.put(path, path);
    await assert.rejects(folder.files.write('b.ts', ['new'], null), { name: 'StaleChange' });
    await assert.rejects(folder.files.rename('a.ts', 'b.ts'), /b\.ts cannot be read or changed: a file or folder/);
    await assert.rejects(folder.files.write('b.ts', ['new'], ['typed meanwhile']), { name: 'StaleChange' });
    await assert.rejects(folder.files.write('missing.ts', ['new'], ['old']), { name: 'StaleChange' });
    await assert.rejects(folder.files.write('a.ts/deep/c.ts', ['new'], null), /a\.ts\/deep\/c\.ts cannot be read/);
    await assert.rejects(folder.files.rename('b.ts', 'a.ts/b.ts'), /a\.ts\/b\.ts cannot be read or changed/);
    assert.deepEqual(folder.now(), { 'a.ts': 'a.ts', 'b.ts': 'b.ts' });
  });

  it('a file with unsaved changes is neither renamed nor deleted, and no new file replaces its text', async () => {
    for (const path of ['a.ts', 'gone.ts']) folder.put(path, 'saved\n');
    const documents = [await folder.type('a.ts', 'typed\n'), await folder.type('gone.ts', 'typed\n')];
    rmSync(join(folder.path, 'gone.ts'));
    folder.put('b.ts', 'b');
    for (const act of [
      () => folder.files.delete('a.ts'),
      () => folder.files.rename('a.ts', 'c.ts'),
      () => folder.files.rename('b.ts', 'gone.ts'),
      () => folder.files.write('gone.ts', ['new'], null),
      () => folder.files.restore('a.ts', null),
    ]) {
      await assert.rejects(act(), /(a|gone)\.ts has unsaved changes\. Save the file first\./);
    }
    assert.deepEqual(folder.now(), { 'a.ts': 'saved\n', 'b.ts': 'b' });
    assert.ok(documents.every((document) => document.getText() === 'typed\nsaved\n'));
  });

  it('are left alone by an undo if they changed since, on the disk or in the editor', async () => {
    for (const path of ['disk.ts', 'editor.ts', 'same.ts', 'deleted.ts', 'moved.ts']) folder.put(path, 'one\ntwo\n');
    for (const path of ['disk.ts', 'editor.ts', 'same.ts']) await folder.propose(path, edited);
    await folder.delete('deleted.ts');
    await folder.rename('moved.ts', 'to.ts');
    await folder.propose('new.ts', () => ['new']);
    await folder.open('deleted.ts');
    const accepted = await acceptAll(folder);
    folder.put('disk.ts', 'of the user');
    folder.put('to.ts', 'of the user');
    folder.put('new.ts', 'of the user');
    const typed = await folder.type('editor.ts', 'typed\n');
    // Its editor still has the text of the deleted file.
    const orphan = await folder.type('deleted.ts', 'typed\n');
    const left = await folder.undo(accepted);
    assert.deepEqual(
      left.map(({ paths, reason }) => [...paths, reason]),
      [
        ['deleted.ts', undefined],
        ['moved.ts', 'to.ts', undefined],
        ['new.ts', undefined],
        ['editor.ts', undefined],
        ['disk.ts', undefined],
      ],
    );
    assert.equal(folder.read('same.ts'), 'one\ntwo\n');
    for (const path of ['disk.ts', 'to.ts', 'new.ts']) assert.equal(folder.read(path), 'of the user');
    assert.ok(typed.getText().startsWith('typed\none\n\tzwölf'));
    assert.equal(orphan.getText(), 'typed\none\ntwo\n');
    assert.ok(!folder.has('deleted.ts') && !folder.has('moved.ts'));
  });

  it('are those of the moment: a file that another one replaced is read again', async () => {
    folder.put('a.ts', 'one\n');
    await folder.open('a.ts');
    rmSync(join(folder.path, 'a.ts'));
    assert.equal(await folder.files.lines('a.ts'), null);
    await folder.files.write('a.ts', ['created', ''], null);
    assert.deepEqual(await folder.files.lines('a.ts'), ['created', '']);
    folder.put('a.ts', 'of git\n');
    assert.deepEqual(await folder.files.lines('a.ts'), ['of git', '']);
    await folder.files.write('a.ts', ['of git', 'more', ''], ['of git', '']);
    assert.equal(folder.read('a.ts'), 'of git\nmore\n');
  });

  it('are found again for each step, so that a link in place of one is caught', async () => {
    const outside = join(folder.path, '..', '..', 'changed-outside.ts');
    writeFileSync(outside, 'outside');
    folder.put('a.ts', 'one\ntwo\n');
    let isRefused = false;
    const guarded = new ChangedFolder(`changed${count}`, () => {
      if (isRefused) throw new Error('leads outside');
      return undefined;
    });
    await guarded.propose('a.ts', edited);
    rmSync(join(folder.path, 'a.ts'));
    symlinkSync(outside, join(folder.path, 'a.ts'));
    isRefused = true;
    assert.match(String((await guarded.accept()).stopped?.reason), /leads outside/);
    for (const act of ['lines', 'keep', 'digest', 'delete'] as const)
      await assert.rejects(guarded.files[act]('a.ts'), /leads outside/, act);
    await assert.rejects(guarded.files.write('a.ts', [''], null), /leads outside/);
    await assert.rejects(guarded.files.rename('a.ts', 'b.ts'), /leads outside/);
    await assert.rejects(guarded.files.restore('a.ts', null), /leads outside/);
    assert.equal(await vscode.workspace.fs.readFile(vscode.Uri.file(outside)).then(String), 'outside');
    rmSync(outside);
  });

  it('stop at the one that cannot be written, and those before are undone', async () => {
    const locked = new MemoryFiles();
    locked.put('/c.ts', 'one\ntwo\n');
    const provider = vscode.workspace.registerFileSystemProvider('svc-test-locked', locked, { isReadonly: true });
    const names = ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts'];
    for (const path of names) if (path !== 'c.ts') folder.put(path, 'one\ntwo\n');
    folder = new ChangedFolder(`changed${count}`, (path) =>
      path === 'c.ts' ? vscode.Uri.parse('svc-test-locked:/c.ts') : undefined,
    );
    try {
      const before = folder.now();
      for (const path of names) await folder.propose(path, edited);
      const accepted = await folder.accept();
      assert.equal(accepted.stopped?.path, 'c.ts');
      assert.match(String(accepted.stopped?.reason), /c\.ts cannot be read or changed: its file system is read-only/);
      assert.equal(accepted.steps.length, 2);
      assert.ok(folder.read('b.ts').includes('zwölf') && !folder.read('d.ts').includes('zwölf'));
      assert.deepEqual(await folder.undo(accepted), []);
      assert.deepEqual(folder.now(), before);
      assert.equal(locked.text('/c.ts'), 'one\ntwo\n');
      await assert.rejects(folder.files.delete('c.ts'), /c\.ts cannot be read or changed/);
      await assert.rejects(folder.files.rename('c.ts', 'f.ts'), /cannot be read or changed/);
    } finally {
      provider.dispose();
    }
  });

  it('are created, renamed and deleted without the edits that other extensions add', async () => {
    const heard: string[] = [];
    const listening = [
      vscode.workspace.onWillCreateFiles(() => heard.push('create')),
      vscode.workspace.onWillRenameFiles(() => heard.push('rename')),
      vscode.workspace.onWillDeleteFiles(() => heard.push('delete')),
    ];
    for (const path of ['a.ts', 'b.ts']) folder.put(path, path);
    await folder.rename('a.ts', 'c.ts');
    await folder.delete('b.ts');
    await folder.propose('new.ts', () => ['new']);
    await acceptAndUndo({ 'c.ts': 'a.ts', 'new.ts': 'new' });
    for (const listener of listening) listener.dispose();
    assert.deepEqual(heard, []);
  });

  it('are twenty, accepted and undone', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `twenty/f${at}.ts`);
    const text = `${Array.from({ length: 300 }, (_, line) => `const line${line} = ${line};`).join('\r\n')}\r\n`;
    for (const name of names) folder.put(name, text);
    for (const name of names) await folder.propose(name, edited);
    const written = bytes(`${text.replace('const line1 = 1;', '\tzwölf = "2"')}new\r\n`);
    const accepted = await acceptAll(folder);
    assert.deepEqual(
      names.map((name) => folder.now()[name]).filter((each) => each !== written),
      [],
    );
    assert.deepEqual(await folder.undo(accepted), []);
    assert.ok(names.every((name) => folder.read(name) === text));
  });

  it('are the same bytes after random changes and their undo', async function () {
    this.timeout(180_000);
    for (let seed = 1; seed <= 25; seed += 1) {
      const dice = new Dice(seed);
      const random = new ChangedFolder(`changed${count}/random${seed}`);
      random.put('a.ts', 'one\ntwo\nthree\nfour\n');
      random.put('b.ts', '\ufeffone\r\nzwölf\r\n\r\nfour');
      random.put('dir/c.ts', '\n\n\na\n\nb');
      random.put('dir/empty.ts', '');
      const before = random.now();
      const accepts: Awaited<ReturnType<typeof acceptAll>>[] = [];
      const states = [before];
      for (let round = dice.below(2); round >= 0; round -= 1) {
        for (let step = dice.below(4); step >= 0; step -= 1) await randomChange(random, dice);
        accepts.push(await acceptAll(random));
        states.push(random.now());
      }
      while (accepts.length > 0) {
        assert.deepEqual(random.now(), states.pop(), `seed ${seed}`);
        const last = accepts.pop();
        assert.deepEqual(last && (await random.undo(last)), [], `seed ${seed}`);
      }
      assert.deepEqual(random.now(), before, `seed ${seed}`);
    }
  });

  async function randomChange({ set, files }: ChangedFolder, dice: Dice): Promise<void> {
    const paths = ['a.ts', 'b.ts', 'dir/c.ts', 'dir/empty.ts', 'new.ts', 'dir/new/d.ts', 'far/away/e.ts'];
    const path = dice.pick(paths);
    const current = await files.lines(set.openAt(path)?.from ?? path);
    const lines = set.linesAt(path) ?? current ?? ['new', ''];
    const at = dice.below(lines.length);
    switch (dice.below(6)) {
      case 0:
        return void set.delete(path, current);
      case 1: {
        const to = dice.pick(paths);
        return void set.rename(path, to, current, (await files.lines(to)) !== null);
      }
      case 2:
        return void set.write(path, lines.length > 1 ? lines.toSpliced(at, 1) : ['x'], current);
      default:
        set.write(path, lines.toSpliced(at, dice.below(2), dice.pick(['', 'ü', 'one']), `n${dice.below(9)}`), current);
    }
  }
});
