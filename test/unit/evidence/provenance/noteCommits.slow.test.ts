import assert from 'node:assert/strict';
import { maxNoteBytes } from '../../../../src/evidence/provenance/aiNote.ts';
import { addedInCommit, commitsBetween } from '../../../../src/evidence/provenance/repository/commits.ts';
import { listNotes, putNote, readNotes } from '../../../../src/evidence/provenance/repository/notes.ts';
import { maxObjectBytes } from '../../../../src/evidence/provenance/repository/objects.ts';
import { Bench, edited, eleven, text } from './bench.ts';
import { accepted, thirteen, uuidOf } from './samples.ts';

/** Real processes on a busy machine. */
const patience = 60_000;

describe('provenance: the notes of commits', function () {
  this.timeout(patience);

  it('a note names the accepted lines that the user kept, and git shows the note', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.write('src/pay.ts', text(edited));
    const [noted, ...others] = await bench.note(from);
    assert.deepEqual([noted?.outcome, others.length], ['written', 0]);
    assert.deepEqual(await bench.named(), eleven);
    assert.match(
      bench.git('notes', '--ref=ai', 'show', 'HEAD'),
      /^src\/pay\.ts\n {2}s_\w{14}::t_\w{14} 1,3-10,12-13\n---\n/,
    );
    // A second run changes nothing.
    assert.equal((await bench.note(from))[0]?.outcome, 'unchanged');
  });

  it("a note is made again after an amend, without this machine's edits, from the keys in the old note", async () => {
    using bench = new Bench();
    const from = bench.head;
    const old = bench.write('src/pay.ts', text(edited));
    await bench.note(from);
    bench.put('src/pay.ts', text(['// more', ...edited.toSpliced(8, 2)]));
    bench.git('commit', '--quiet', '--all', '--amend', '--message', 'two');
    assert.deepEqual(await bench.edits(), []);
    await bench.note(old, []);
    assert.deepEqual(await bench.named(), eleven.toSpliced(7, 2));
  });

  it('each commit gets its own note again after a rebase onto other lines', async () => {
    using bench = new Bench(text(['one', 'two', 'three']));
    const from = bench.head;
    bench.git('switch', '--quiet', '--create', 'side');
    bench.write('a.ts', text(['one', 'two', 'three', ...thirteen]));
    const second = { ...accepted(uuidOf(2), ['export const cap = 500;', 'export const low = 5;']), time: 0 };
    bench.own = [second, ...bench.own];
    const old = bench.write(
      'a.ts',
      text(['one', 'two', 'three', ...thirteen, 'export const cap = 500;', 'const low = 7;']),
    );
    await bench.note(from);
    bench.git('switch', '--quiet', 'main');
    bench.write('a.ts', text(['zero', 'zero and a half', 'one', 'two', 'three']));
    bench.git('switch', '--quiet', 'side');
    bench.git('rebase', '--quiet', 'main');
    const noted = await bench.note(old, []);
    assert.deepEqual(
      noted.map(({ edits }) => edits.map(({ edit }) => edit)),
      [[], [uuidOf(1)], [uuidOf(2)]],
    );
    assert.deepEqual(await bench.named(bench.git('rev-parse', 'HEAD~1').trim()), thirteen);
    assert.deepEqual(await bench.named(), ['export const cap = 500;']);
    assert.deepEqual((await bench.edits(noted[1]?.commit))[0]?.lines[0]?.number, 6);
  });

  it('are made again after a squash of two edits into one commit', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.write('a.ts', text(['first', ...thirteen]));
    await bench.note(from);
    const between = bench.head;
    const second = {
      ...accepted(uuidOf(2), ['  const fee = Math.round(cents * 0.031) + 25;', '  report(fee);']),
      time: 0,
    };
    bench.own = [second, ...bench.own];
    const both = thirteen.toSpliced(9, 1, '  const fee = Math.round(cents * 0.031) + 25;', '  report(fee);');
    const old = bench.write('a.ts', text(['first', ...both]));
    await bench.note(between);
    bench.git('reset', '--quiet', '--soft', from);
    bench.git('commit', '--quiet', '--message', 'squashed');
    await bench.note(old, []);
    const edits = await bench.edits();
    assert.deepEqual(edits.map(({ edit, lines }) => [edit, lines.map(({ number }) => number)]).sort(), [
      [uuidOf(1), [2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15]],
      [uuidOf(2), [11, 12]],
    ]);
    await bench.named();
  });

  it('are the same after another indentation', async () => {
    using bench = new Bench();
    const from = bench.head;
    const old = bench.write('a.ts', text(['first', ...thirteen]));
    await bench.note(from);
    bench.put('a.ts', text(['first', 'class A {', ...thirteen.map((line) => `\t\t${line.trimStart()}`), '}']));
    bench.git('commit', '--quiet', '--all', '--amend', '--message', 'indented');
    await bench.note(old, []);
    assert.equal((await bench.named()).length, 13);
  });

  it('are corrected where git has copied the old one unchanged', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.git('config', 'notes.rewriteRef', 'refs/notes/ai');
    const old = bench.write('a.ts', text(['first', ...thirteen]));
    await bench.note(from);
    bench.put('a.ts', text(['before', 'before', 'first', ...thirteen]));
    bench.git('commit', '--quiet', '--all', '--amend', '--message', 'two');
    assert.deepEqual((await bench.edits())[0]?.lines[0]?.number, 2);
    await bench.note(old, []);
    assert.deepEqual(await bench.named(), thirteen);
    assert.deepEqual((await bench.edits())[0]?.lines[0]?.number, 4);
  });

  it('are read where git has joined those of squashed commits, and written as one', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.git('config', 'notes.rewriteRef', 'refs/notes/ai');
    bench.write('a.ts', text(['first', ...thirteen]));
    await bench.note(from);
    const between = bench.head;
    const second = { ...accepted(uuidOf(2), ['export const cap = 500;']), time: 0 };
    bench.own = [second, ...bench.own];
    const old = bench.write('a.ts', text(['first', ...thirteen, 'export const cap = 500;']));
    await bench.note(between);
    bench.git('-c', 'sequence.editor=sed -i 2s/pick/fixup/', 'rebase', '--quiet', '--interactive', from);
    assert.equal(bench.git('notes', '--ref=ai', 'show', 'HEAD').match(/^---$/gm)?.length, 2);
    await bench.note(old, []);
    assert.equal(bench.git('notes', '--ref=ai', 'show', 'HEAD').match(/^---$/gm)?.length, 1);
    assert.deepEqual((await bench.named()).toSorted(), ['export const cap = 500;', ...thirteen].toSorted());
  });

  it('are removed with the last line of ours, and what others wrote stays', async () => {
    using bench = new Bench();
    const from = bench.head;
    const old = bench.write('a.ts', text(['first', ...thirteen]));
    await bench.note(from);
    const [read] = await readNotes(bench.ask, [old]);
    assert.ok(read?.ok === true);
    bench.put('a.ts', text(['first', 'mine alone']));
    bench.git('commit', '--quiet', '--all', '--amend', '--message', 'two');
    await putNote(bench.ask, bench.head, bench.git('notes', '--ref=ai', 'show', old).trimEnd());
    await bench.note(old, []);
    assert.deepEqual(await listNotes(bench.ask).then((all) => all.map(({ commit }) => commit)), [old]);
    const foreign =
      'a.ts\n  c9883b05a2487d6d 1\n---\n{"schema_version":"authorship/3.0.0","base_commit_sha":"x","prompts":{"c9883b05a2487d6d":{}}}';
    const last = bench.write('b.ts', text(thirteen));
    await putNote(bench.ask, last, foreign);
    await bench.note(`${last}~1`);
    assert.match(
      bench.git('notes', '--ref=ai', 'show', last),
      /^a\.ts\n {2}c9883b05a2487d6d 1\nb\.ts\n {2}s_[^\n]+ 1-13\n---\n[\s\S]*"c9883b05a2487d6d": \{\}/,
    );
  });

  it('leave a note alone that is not in the format, or too large', async () => {
    using bench = new Bench();
    const from = bench.head;
    const oid = bench.write('a.ts', text(thirteen));
    for (const hostile of ['plain words', `a\n  h_1 1\n---\n{"x":"${'y'.repeat(maxNoteBytes)}"}`]) {
      await putNote(bench.ask, oid, hostile);
      const note = bench.git('notes', '--ref=ai', 'list', oid);
      assert.equal((await bench.note(from))[0]?.outcome, 'unreadable');
      assert.equal(bench.git('notes', '--ref=ai', 'list', oid), note);
    }
  });

  it('find their place whatever the files are called, and however many notes there are', async () => {
    using bench = new Bench();
    const names = [
      'mit Leerzeichen.ts',
      'größe/ä.ts',
      '[ab]*.ts',
      ':(top)x.ts',
      '-x.ts',
      '..name.ts',
      'a"b.ts',
      "it's.ts",
      '\u202e.ts',
    ];
    const from = bench.head;
    for (const [index, name] of names.entries()) bench.put(name, text([`export const unique${index} = ${index};`]));
    bench.put('two\nlines.ts', text(['export const unique99 = 99;']));
    bench.commit();
    const own = [...names, ''].map((_, index) => {
      const line = index === names.length ? 'export const unique99 = 99;' : `export const unique${index} = ${index};`;
      return { ...accepted(uuidOf(index + 1), [line]), time: 0 };
    });
    await bench.note(from, own);
    assert.deepEqual((await bench.edits()).map(({ path }) => path).sort(), names.toSorted());
    // Git moves notes into folders when they are many.
    const blob = bench.git('rev-parse', 'HEAD:a.ts').trim();
    const input = ['commit refs/notes/ai', 'committer a <a@b.c> 1 +0000', 'data 0', 'from refs/notes/ai^0'];
    for (let at = 1; at < 300; at += 1)
      input.push(`M 100644 ${blob} ${at.toString(16).padStart(2, '0').slice(-2)}/${at.toString(16).padStart(38, '0')}`);
    await bench.ask(['fast-import', '--quiet', '--force'], `${input.join('\n')}\n`);
    const next = bench.write('c.ts', text(thirteen));
    await bench.note(`${next}~1`);
    assert.deepEqual(await bench.named(next), thirteen);
    assert.match(
      bench.git('ls-tree', '-r', '--name-only', 'refs/notes/ai'),
      new RegExp(`^${next.slice(0, 2)}/${next.slice(2)}$`, 'm'),
    );
  });

  it('have no lines of a merge, a link, a submodule, binary content, or a file that is too large', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.put('binary.ts', `\0${text(thirteen)}`);
    bench.put('large.ts', text([...thirteen, 'x'.repeat(maxObjectBytes)]));
    bench.commit();
    assert.deepEqual(await addedInCommit(bench.ask, bench.head), []);
    bench.git('switch', '--quiet', '--create', 'side', from);
    bench.write('side.ts', 'side\n');
    bench.git('switch', '--quiet', 'main');
    bench.git('merge', '--quiet', '--no-edit', 'side');
    assert.equal((await commitsBetween(bench.ask, bench.head, from, 10)).length, 3);
    assert.deepEqual(
      (await bench.note(from)).map(({ edits }) => edits.length),
      [0, 0],
    );
  });

  it('a commit that was made before the code was accepted gets no lines', async () => {
    using bench = new Bench();
    const from = bench.head;
    bench.write('a.ts', text(thirteen));
    const own = bench.own.map((edit) => ({ ...edit, time: Date.now() / 1000 + 3600 }));
    assert.deepEqual(
      (await bench.note(from, own)).map(({ edits }) => edits.length),
      [0],
    );
  });
});
