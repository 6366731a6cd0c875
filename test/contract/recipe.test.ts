import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { codeOf } from '../../src/evidence/provenance/lineKeys.ts';
import { bundleName } from '../../src/store/audit/auditFiles.ts';
import { buildVerifyProgram } from '../tools/verifyProgram.ts';
import { Bench, text } from '../unit/evidence/provenance/bench.ts';
import { accepted, thirteen, uuidOf } from '../unit/evidence/provenance/samples.ts';
import { AuditBench, intent, outcome } from '../unit/store/auditSamples.ts';

const installed = join(import.meta.dirname, 'node_modules');
const nodes = {
  20: join(installed, `node20-linux-${process.arch}`, 'bin/node'),
  22: join(installed, `node-linux-${process.arch}`, 'bin/node'),
  24: process.execPath,
};

/** A section of docs/audit.md. */
function sectionOf(title: string): string {
  const page = readFileSync('docs/audit.md', 'utf8');
  return page.split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? assert.fail(title);
}

describe('the recipe at the beginning of docs/audit.md', () => {
  const request = uuidOf(1);
  let audit: AuditBench;
  let bench: Bench;
  let place = '';
  before(async () => {
    audit = new AuditBench();
    bench = new Bench();
    const log = audit.begin();
    const { accepted: edit, ...candidate } = accepted(uuidOf(2), thirteen, request);
    await log.record(intent(request, edit.model));
    await log.record(outcome(request));
    const added = { language: 'typescript', added: thirteen.length, removed: 0 };
    const at = await log.record({ kind: 'code-accepted', request, edit: edit.edit, ...added, code: codeOf(edit.tags) });
    bench.own = [{ ...candidate, accepted: { ...edit, ...at }, time: 0 }];
    const from = bench.head;
    bench.write('src/pay.ts', text(thirteen));
    await bench.note(from);
    // What the auditor is given: the exported file, a clone, and what is needed to enroll the key.
    const program = await buildVerifyProgram(join(audit.root, 'program'));
    const { content } = await log.bundle(async () => readFileSync(program));
    place = join(audit.root, 'auditor');
    mkdirSync(place);
    writeFileSync(join(place, bundleName(at.log, new Date())), content);
    execFileSync('git', ['clone', '--quiet', bench.folder, join(place, 'my-repository')]);
    assert.match(sectionOf('Enroll the key of a machine'), /`enrolled\.txt`.*`quorum none`/s);
    const readme = readFileSync(join(audit.unpack(content), 'README.txt'), 'utf8');
    const line = readme.split('\n').find((one) => one.trim().startsWith('log ')) ?? assert.fail(readme);
    writeFileSync(join(place, 'enrolled.txt'), `${line.trim()}\nquorum none\n`);
  });
  after(() => {
    bench[Symbol.dispose]();
    audit.clear();
  });

  for (const [version, node] of Object.entries(nodes)) {
    it(`answers the question to the letter in Node ${version}`, () => {
      const bin = join(audit.root, `node ${version}`);
      mkdirSync(bin);
      symlinkSync(node, join(bin, 'node'));
      const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
      const run = (command: string) =>
        spawnSync('bash', ['-c', command], { cwd: place, env, encoding: 'utf8', timeout: 60_000 });
      assert.match(run('node --version').stdout, new RegExp(`^v${version}\\.`));
      const commands = [...sectionOf("Answer an auditor's question").matchAll(/^ {7}(\S.*)$/gm)].map(
        ([, one = '']) => one,
      );
      assert.deepEqual(
        commands.map((command) => command.split(' ')[0]),
        ['tar', 'node', 'git', 'node'],
      );
      const results = commands.map(run);
      for (const { status, stdout, stderr } of results) assert.equal(status, 0, stdout + stderr);
      assert.match(results[1]?.stdout ?? '', /^INTACT\./);
      const answer = results[3]?.stdout ?? '';
      assert.match(answer, /^Line 3 of src\/pay\.ts in HEAD is code that was accepted from Svc\.\n/);
      for (const said of [
        `Request: ${request} (chat)`,
        /Sent: 20\S+Z, https:\/\/svc\.example\.com\n/,
        /Asked by: the account that owns the ledger svc-coder\/\w{32}\n/,
        'Model: svc/enterprise-coder-v1',
        'Zero retention: not requested',
        'Service confirmation: confirmed',
        'Compliance settings: Svc-Security-Level: high',
        /Proven: the line fits these records, which are signed with svc-coder\/\S+, which you trust\n/,
        /Not proven: who used the machine/,
      ])
        assert.ok(typeof said === 'string' ? answer.includes(`\n${said}\n`) : said.test(answer), `${said}\n${answer}`);
    });
  }
});
