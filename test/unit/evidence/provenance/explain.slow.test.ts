import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EvidenceLog } from '../../../tools/evidenceLog.ts';
import { buildVerifyProgram, type ProgramResult, runProgram } from '../../../tools/verifyProgram.ts';
import { writeFiles } from '../folders.ts';
import { NotedLog, request } from './notedLog.ts';

describe('provenance: verify.mjs explain', function () {
  // Real processes on a busy machine.
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'svc-explain-'));
  let program = '';
  before(async () => {
    program = await buildVerifyProgram(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Asks with the trusted keys, in the repository, with the log. */
  const ask = (noted: NotedLog, target: string, ...options: readonly string[]): ProgramResult =>
    runProgram(program, [
      ...['explain', '--trusted-keys', noted.policy, '--repository', noted.folder, ...options],
      ...[target, join(noted.log, 'audit')],
    ]);

  it('says in ten lines of a line: the request, who asked, the model, zero retention, the confirmation, the proof', async () => {
    using noted = new NotedLog();
    await noted.fill();
    const { code, out, error } = ask(noted, 'src/pay.ts:1');
    const session = noted.made.sessions[0]?.id;
    assert.deepEqual(
      [code, error, out.replace(/\d{4}-\d\d-\d\dT[\d:.]{12}Z/g, 'TIME').split('\n')],
      [
        0,
        '',
        [
          'Line 1 of src/pay.ts in HEAD is code that was accepted from Svc.',
          '',
          `Request: ${request} (generate)`,
          'Sent: TIME, https://svc.example.com',
          `Asked by: the account that owns the ledger ${noted.made.origin}`,
          'Model: svc/enterprise-coder-v1',
          'Zero retention: on (managed)',
          'Service confirmation: confirmed, Request ID req_7',
          'Compliance settings: Svc-Zero-Retention: true',
          `Accepted: TIME, ${session}:7`,
          `Commit: ${noted.commit1}, ${noted.git('log', '-1', '--format=%an <%ae>').trim()}`,
          `Proven: the line fits these records, which are signed with ${noted.made.signer.vkey}, which you trust`,
          'Not proven: who used the machine, what the service did with the data, and the exact times',
          '',
          '',
        ],
      ],
    );
  });

  it('finds a line after later commits and a rename, and reports this of lines that are not from Svc', async () => {
    using noted = new NotedLog();
    await noted.fill();
    const all = noted.git('show', 'HEAD:src/pay.ts');
    noted.write('src/pay.ts', `// later\n${all.replaceAll('\n', '\n  ')}`);
    noted.git('mv', 'src/pay.ts', 'ä [x] *.ts');
    noted.commit();
    const { code, out } = ask(noted, 'ä [x] *.ts:2');
    assert.equal(code, 0, out);
    assert.ok(out.includes(`Request: ${request} `) && out.includes(`Commit: ${noted.commit1}`), out);
    for (const line of ['1', '3']) {
      const other = ask(noted, `ä [x] *.ts:${line}`);
      assert.deepEqual([other.code, /^No note names lines of .* from Svc\.\n$/.test(other.out)], [2, true], line);
    }
    for (const wrong of ['a.ts:99', 'none.ts:1', '../a.ts:1', ':(top)a.ts:1', 'no-such-commit', '--all', 'a..b', '']) {
      const { code, out, error } = ask(noted, wrong);
      assert.deepEqual([code, out], [2, ''], wrong + error);
    }
  });

  it('finds a line of a file that is named from a folder in the repository, or from the folder beside it', async () => {
    using noted = new NotedLog();
    await noted.fill();
    noted.write('lib/b.ts', 'b\n');
    for (const [place, file] of [
      ['src', 'pay.ts'],
      ['lib', '../src/pay.ts'],
      ['src', noted.at('src/pay.ts')],
    ] as const) {
      const repository = ['--repository', noted.at(place)];
      const { code, out, error } = ask(noted, `${file}:3`, ...repository);
      assert.deepEqual([code, error], [0, ''], file);
      assert.ok(out.startsWith(`Line 3 of ${file} in HEAD is code that was accepted from Svc.\n`), out);
    }
  });

  it('says of a commit and of a range which lines are from which request', async () => {
    using noted = new NotedLog();
    await noted.fill();
    for (const target of ['HEAD', noted.commit1, `${noted.commit1}~1..HEAD`]) {
      const { code, out } = ask(noted, target);
      assert.equal(code, 0, out);
      const places = `  ${noted.commit1} src/pay.ts: 1, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13\n`;
      assert.ok(out.startsWith(`Lines that were accepted from one request of Svc:\n${places}\nRequest: `), out);
    }
    assert.equal(ask(noted, `${noted.commit1}..HEAD`).code, 2);
    const { code, out } = ask(noted, 'HEAD', '--json');
    const { target, exitCode, verdict, origins } = JSON.parse(out) as Record<string, unknown>;
    const [origin] = origins as readonly { intent: { model: string }; isAllProven: boolean; key: string }[];
    assert.deepEqual([code, target, exitCode, verdict], [0, 'HEAD', 0, 'intact']);
    assert.deepEqual(
      [origin?.intent.model, origin?.isAllProven, origin?.key],
      ['svc/enterprise-coder-v1', true, noted.made.signer.vkey],
    );
  });

  it('proves nothing by another log, an unknown key, or a note that does not fit', async () => {
    using noted = new NotedLog();
    await noted.fill();
    const log = join(noted.log, 'audit');
    const untrusted = runProgram(program, ['explain', '--repository', noted.folder, 'src/pay.ts:1', log]);
    assert.equal(untrusted.code, 3);
    assert.match(untrusted.out, /\nProven: .*, which you did not name as trusted\n/);
    using other = new NotedLog();
    await other.fill({}, 'other');
    const elsewhere = runProgram(program, [
      ...['explain', '--trusted-keys', other.policy, '--repository', noted.folder],
      ...['src/pay.ts:1', join(other.log, 'audit')],
    ]);
    assert.equal(elsewhere.code, 3, elsewhere.out + elsewhere.error);
    assert.match(elsewhere.out, /\nSent: not in the audit log\n/);
    assert.match(elsewhere.out, /\nProven: nothing: a record is not signed yet, or its log was not given\n/);
    const empty = runProgram(program, ['explain', '--repository', noted.folder, 'src/pay.ts:1', folder]);
    assert.equal(empty.code, 2, empty.out + empty.error);
    assert.match(empty.out, /\nProven: nothing: a record is not signed yet, or its log was not given\n/);
    const moved = noted.note1.replace('svc/enterprise-coder-v1', 'svc/other');
    noted.git('notes', '--ref=ai', 'add', '--force', '--message', moved, noted.commit1);
    const broken = ask(noted, 'src/pay.ts:1');
    assert.equal(broken.code, 1);
    assert.match(broken.out, /\nProven: nothing: the log or a note is broken: see below\n/);
    assert.match(broken.out, /\nBreaks: other-code\./);
  });

  it('takes the key of the ledger that signs the record, whatever ledger the note names', async () => {
    using noted = new NotedLog();
    await noted.fill();
    using forger = new NotedLog();
    await forger.fill({}, 'forger');
    // The note and the record are of the forger, whose ledger lies beside the trusted one, which the note names.
    writeFiles(join(noted.log, 'audit'), forger.made.files());
    const forged = forger.note1.replaceAll(forger.made.origin, noted.made.origin);
    writeFileSync(join(folder, 'note'), forged.replaceAll(forger.commit1, noted.commit1));
    noted.git('notes', '--ref=ai', 'add', '--force', '--file', join(folder, 'note'), noted.commit1);
    const { code, out } = ask(noted, 'src/pay.ts:1');
    assert.equal(code, 3, out);
    assert.ok(out.includes(`signed with ${forger.made.signer.vkey}, which you did not name as trusted`), out);
  });

  it('takes no record of another log about the same request', async () => {
    using noted = new NotedLog();
    await noted.fill();
    const model = 'svc/enterprise-coder-v1';
    const headers = [{ name: 'Svc-Zero-Retention', value: 'false', setBy: [] }];
    const forgers = ['one', 'two', 'three', 'four'].map((seed) => new EvidenceLog(seed).open());
    for (const forger of forgers) {
      const session = forger.session();
      session.put({ kind: 'request-intent', request, action: 'chat', origin: 'https://other', model, headers });
      session.put({ kind: 'request-outcome', request, outcome: 'completed', confirmation: 'none' });
      session.head();
      forger.sign();
      writeFiles(join(noted.log, 'audit'), forger.files());
    }
    // All are enrolled: the user of another machine could still write about the request of this one.
    const keys = [noted.made, ...forgers].map(({ signer }) => `log ${signer.vkey}\n`);
    writeFileSync(noted.policy, `${keys.join('')}quorum none\n`);
    const { code, out } = ask(noted, 'src/pay.ts:1');
    assert.equal(code, 0, out);
    assert.match(out, /\nZero retention: on \(managed\)\nService confirmation: confirmed, /);
  });

  it('takes lines of a collector', async () => {
    using noted = new NotedLog();
    await noted.fill();
    const lines = [...noted.made.files().values()].flat().toReversed();
    rmSync(join(noted.log, 'audit'), { recursive: true });
    writeFiles(join(noted.log, 'audit'), [['machine/any name', lines]]);
    const { code, out } = ask(noted, 'src/pay.ts:1', '--collected');
    assert.equal(code, 0, out);
    assert.ok(out.includes(`Request: ${request} (generate)`));
  });
});
