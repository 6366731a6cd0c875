import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn } from '../../../../src/evidence/cli/git.ts';
import { parsePolicy } from '../../../../src/evidence/policy.ts';
import { maxNoteBytes } from '../../../../src/evidence/provenance/aiNote.ts';
import { codeOf } from '../../../../src/evidence/provenance/lineKeys.ts';
import { putNote } from '../../../../src/evidence/provenance/repository/notes.ts';
import { verifyEvidence } from '../../../../src/evidence/verify/verify.ts';
import { buildVerifyProgram, runProgram } from '../../../tools/verifyProgram.ts';
import { writeFiles } from '../folders.ts';
import { edited, eleven, text } from './bench.ts';
import { NotedLog, request } from './notedLog.ts';
import { uuidOf } from './samples.ts';

describe('provenance: verify.mjs --repository', function () {
  // Real processes on a busy machine.
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
  let program = '';
  before(async () => {
    program = await buildVerifyProgram(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('proves each line: its key, the tags, the code and the record in the signed log', async () => {
    using evidence = new NotedLog();
    await evidence.fill();
    const { code, out, error } = runProgram(program, evidence.args);
    assert.equal(code, 0, out + error);
    assert.match(out, /11 lines of accepted code proven, in 1 edit of 1 commit/);
    const found = await evidence.verify();
    assert.deepEqual(found.provenance, { commits: 1, edits: 1, lines: eleven.length });
    assert.deepEqual(found.notes, []);
    // Without the repository, nothing is said of it.
    assert.doesNotMatch(runProgram(program, [join(evidence.log, 'audit')]).out, /accepted code/);
  });

  it('starts few processes for many commits', async () => {
    using noted = new NotedLog();
    await noted.fill();
    noted.addCommits(700);
    const git = await gitIn(noted.folder);
    let calls = 0;
    const counting: typeof git = (...call) => {
      calls += 1;
      return git(...call);
    };
    const policy = parsePolicy(readFileSync(noted.policy));
    const found = await verifyEvidence({ paths: [join(noted.log, 'audit')], policy, git: counting });
    assert.deepEqual([found.breaks, found.provenance?.commits, found.provenance?.lines], [[], 701, 701 * 11]);
    assert.ok(calls < 20, `${calls} calls`);
  });

  it('gives up where a repository makes git wait, or takes too long', async () => {
    for (const name of ['config', 'HEAD', 'packed-refs']) {
      using noted = new NotedLog();
      await noted.fill();
      rmSync(join(noted.folder, '.git', name), { force: true });
      execFileSync('mkfifo', [join(noted.folder, '.git', name)]);
      const startedAt = Date.now();
      const policy = parsePolicy(readFileSync(noted.policy));
      await assert.rejects(async () => {
        const git = await gitIn(noted.folder, { callMs: 1_000, totalMs: 4_000 });
        await verifyEvidence({ paths: [join(noted.log, 'audit')], policy, git });
      }, name);
      assert.ok(Date.now() - startedAt < 30_000, name);
    }
    using noted = new NotedLog();
    await noted.fill();
    const git = await gitIn(noted.folder, { totalMs: 5_000 });
    const end = Date.now() + 5_000;
    await assert.rejects(async () => {
      while (Date.now() < end + 60_000) await git(['rev-parse', 'HEAD']);
    }, /takes (more than|too long)/);
  });

  it('names what does not fit', async () => {
    using evidence = new NotedLog();
    await evidence.fill();
    const { commit1, note1 } = evidence;
    const session = evidence.made.sessions[0]?.id ?? '';
    const changes: readonly (readonly [what: string, note: string, reasons: readonly string[]])[] = [
      ['one line further', note1.replace(' 1,3-10,12-13', ' 2,3-10,12-13'), ['other-line']],
      ['a line past the end', note1.replace(' 1,3-10,12-13', ' 1,3-10,12,999'), ['other-line']],
      ['another file', note1.replace('src/pay.ts', 'a.ts'), ['other-line']],
      ['a file that is not there', note1.replace('src/pay.ts', 'b[*]ä\u202e.ts'), ['other-line']],
      ['a folder', note1.replace('src/pay.ts', 'src'), ['other-line']],
      ['the folder above', note1.replace('src/pay.ts', './../a.ts'), ['other-line']],
      ['the folder itself', note1.replace('src/pay.ts', './src/pay.ts'), ['other-line']],
      ['a NUL', note1.replace('src/pay.ts', 'src/pay.ts\0x'), ['other-line']],
      ['a revision', note1.replace('src/pay.ts', '^{/x}'), ['other-line']],
      ['another model', note1.replace('svc/enterprise-coder-v1', 'svc/other'), ['other-code']],
      ['a model with a line break', note1.replace('svc/enterprise-coder-v1', 'x\\nConfirmation: yes'), ['not-a-note']],
      ['another record', note1.replace(`${session}:7`, `${session}:6`), ['no-record']],
      ['no such record', note1.replace(`${session}:7`, `${session}:999999`), ['no-record']],
      ['no such session', note1.replace(`${session}:7`, `${uuidOf(8)}:7`), ['no-record']],
      [
        'other tags',
        note1.replace(/(:7 )(.)/, (_, before, char) => before + (char === 'A' ? 'B' : 'A')),
        ['other-code', 'other-line'],
      ],
      ['no key', note1.replace(/0:[^,]+,/, ''), ['not-a-note']],
      ['a claim without proof', note1.replace(/"svc\.edit[^\n]*\n/, '"x": "y"\n'), ['not-a-note']],
      ['more lines', note1.replace('---', 'other.ts\n  s_0000000000000f::t_1 1\n---'), []],
      [
        'more lines in our name',
        note1.replace('\n---', `\nother.ts\n  ${/s_\w{14}/.exec(note1)?.[0]}::t_1 1-5\n---`),
        ['not-a-note'],
      ],
      ['no note', 'words', ['not-a-note']],
      ['two notes', `${note1}\nx\n${note1}`, ['not-a-note']],
      ['too large', `${note1}${' '.repeat(maxNoteBytes)}`, ['not-a-note']],
      ['deep', `---\n${'['.repeat(100_000)}`, ['not-a-note']],
    ];
    for (const [what, note, reasons] of changes) {
      if (reasons.length > 0) assert.notEqual(note, note1, what);
      await putNote(evidence.ask, commit1, note);
      const found = await evidence.verify();
      assert.deepEqual([...new Set(found.breaks.map(({ reason }) => reason))].sort(), reasons, what);
      assert.equal(found.code, reasons.length === 0 ? 0 : 1, what);
    }
    await putNote(evidence.ask, commit1, note1);
    assert.equal((await evidence.verify()).code, 0);
  });

  it('takes no record for a proof that no signature covers: anybody can add one', async () => {
    using evidence = new NotedLog();
    await evidence.fill();
    const [session = assert.fail()] = evidence.made.sessions;
    // The same record again, linked as it has to be.
    const { kind, edit, code } = JSON.parse(session.lines[6] ?? '') as Record<string, string>;
    session.put({ kind, request, edit, language: 'typescript', added: 13, removed: 0, code });
    writeFiles(join(evidence.log, 'audit'), evidence.made.files());
    await putNote(evidence.ask, evidence.commit1, evidence.note1.replace(`${session.id}:7`, `${session.id}:8`));
    const { code: exit, out } = runProgram(program, evidence.args);
    assert.equal(exit, 0, out);
    assert.match(out, /\n0 lines of accepted code proven, in 1 edit of 1 commit\n/);
    const found = await evidence.verify();
    assert.deepEqual(
      [found.breaks, found.notes.map(({ reason, of }) => `${reason} ${of}`)],
      [[], [`unsigned ${session.id} 8-8`, `unsigned ${session.id}:8`]],
    );
    // Once it is signed, it proves the same.
    session.head();
    evidence.made.sign();
    writeFiles(join(evidence.log, 'audit'), evidence.made.files());
    assert.deepEqual((await evidence.verify()).provenance, { commits: 1, edits: 1, lines: eleven.length });
  });

  it('reads each file of a note once, however many edits it names', async () => {
    using evidence = new NotedLog();
    await evidence.fill();
    const { commit1, note1, made } = evidence;
    const [id = ''] = /s_\w{14}/.exec(note1) ?? [];
    const session = made.sessions[0]?.id ?? '';
    const large = '\n'.repeat(1_000_000);
    const edits = Array.from({ length: 1_000 }, (_, index) => uuidOf(index + 1_000));
    const keys = edits.map((edit) => `${id}::t_${edit.replaceAll('-', '').slice(0, 14)}`);
    assert.ok(note1.includes(id) && commit1 !== '');
    const proof = `${session}:7 ${Buffer.alloc(16).toString('base64')} 0:${Buffer.alloc(16).toString('base64')}`;
    const attributes = Object.fromEntries(edits.map((edit) => [`svc.edit.${edit}`, proof]));
    for (let commit = 0; commit < 10; commit += 1) {
      const head = evidence.write('src/large.txt', `${commit}${large}`);
      const agent = { tool: 'svc-coder', id: request, model: 'svc/enterprise-coder-v1' };
      const sessions = { [id]: { agent_id: agent, custom_attributes: { 'svc.log': made.origin, ...attributes } } };
      const metadata = { schema_version: 'authorship/3.0.0', base_commit_sha: head, prompts: {}, sessions };
      const lines = ['src/large.txt', ...keys.map((key) => `  ${key} 5`)];
      await putNote(evidence.ask, head, [...lines, '---', JSON.stringify(metadata)].join('\n'));
    }
    const { counts, provenance } = await evidence.verify();
    assert.deepEqual([provenance?.edits, counts['other-line']], [10_001, 10_000]);
  });

  it('names a record of other code, another edit, or another request', async () => {
    for (const change of [{ code: codeOf(Buffer.alloc(8)) }, { edit: uuidOf(2) }, { request: uuidOf(3) }]) {
      using evidence = new NotedLog();
      await evidence.fill(change);
      const found = await evidence.verify();
      assert.deepEqual(
        found.breaks.map(({ reason, file }) => [reason, file]),
        [['other-code', `refs/notes/ai:${evidence.commit1}`]],
      );
      assert.equal(found.provenance?.lines, 0);
    }
  });

  it('reports what it could not check, which is not a break', async () => {
    using evidence = new NotedLog();
    await evidence.fill();
    // The log of another machine.
    const other = evidence.note1
      .replaceAll(evidence.made.origin, `svc-coder/${'0'.repeat(32)}`)
      .replace(/[0-9a-f-]{36}:7/, `${uuidOf(8)}:7`);
    await putNote(evidence.ask, evidence.commit1, other);
    const found = await evidence.verify();
    assert.deepEqual([found.code, found.breaks, found.notes.map(({ reason }) => reason)], [0, [], ['other-log']]);
    // A note that git copied when the commit was amended in a terminal.
    await putNote(evidence.ask, evidence.commit1, evidence.note1);
    evidence.put('src/pay.ts', text(['// first', ...edited]));
    evidence.git('-c', 'notes.rewriteRef=refs/notes/ai', 'commit', '--quiet', '--all', '--amend', '--message', 'two');
    const copied = await evidence.verify();
    assert.deepEqual([copied.breaks, [...new Set(copied.notes.map(({ reason }) => reason))]], [[], ['copied']]);
    // A commit that was rewritten, and removed.
    evidence.git('notes', '--ref=ai', 'remove', 'HEAD');
    await putNote(evidence.ask, evidence.commit1, evidence.note1);
    evidence.git('reset', '--quiet', '--hard', 'HEAD~1');
    evidence.git('reflog', 'expire', '--expire=now', '--all');
    evidence.git('prune', '--expire=now');
    const after = await evidence.verify();
    assert.deepEqual([after.breaks, after.notes.map(({ reason }) => reason)], [[], ['no-commit']]);
  });

  it('runs nothing that the repository asks for, and takes no object that stands in for another', async () => {
    using evidence = new NotedLog();
    await evidence.fill();
    const { commit1 } = evidence;
    const mark = join(evidence.log, 'was-run');
    evidence.put('.git/hooks/reference-transaction', `#!/bin/sh\ntouch '${mark}'\n`);
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'core.sshCommand',
      'diff.external',
      'alias.notes',
      'core.editor',
    ]) {
      evidence.git('config', key, `!touch '${mark}'`);
    }
    evidence.put('src/pay.ts', 'other\n');
    evidence.commit();
    evidence.git('replace', commit1, 'HEAD');
    assert.equal(runProgram(program, evidence.args).code, 0);
    assert.throws(() => evidence.git('stat', mark));
    const { code, error } = runProgram(program, ['--repository', evidence.log, join(evidence.log, 'audit')]);
    assert.equal(code, 2);
    assert.match(error, /not a git repository/);
  });
});
