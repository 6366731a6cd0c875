import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { auditAsCsv, auditAsJsonl, readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { bundleName } from '../../../src/store/audit/auditFiles.ts';
import { bundleEntries } from '../../../src/store/audit/bundle/bundle.ts';
import { tarGz } from '../../../src/store/audit/bundle/tar.ts';
import { buildVerifyProgram } from '../../tools/verifyProgram.ts';
import { withFolder } from '../evidence/folders.ts';
import { AuditBench, intent } from './auditSamples.ts';

describe('store: the bundle of the audit log', () => {
  let audit: AuditBench;
  beforeEach(() => {
    audit = new AuditBench();
  });
  afterEach(() => audit.clear());

  const verifier = async (): Promise<Uint8Array> => Buffer.from('// verify');

  it('has the files byte for byte, the checkpoint, the keys and the program, and verifies', async () => {
    const log = audit.begin({ maxFileBytes: 500 });
    for (const request of ['a', 'b', 'c']) await log.record(intent(request));
    await log.startLedger();
    await log.record(intent('d'));
    const place = audit.unpack((await log.bundle(verifier)).content);
    assert.deepEqual(readdirSync(place).sort(), [
      'README.txt',
      'audit',
      'checkpoint',
      'trusted-keys.txt',
      'verify.mjs',
    ]);
    const names = readdirSync(join(place, 'audit')).sort();
    assert.deepEqual(names, [...audit.files(), ...audit.ledgers()].sort());
    for (const name of names) {
      assert.deepEqual(readFileSync(join(place, 'audit', name)), readFileSync(join(audit.folder, name)), name);
    }
    const policy = parsePolicy(readFileSync(join(place, 'trusted-keys.txt')));
    assert.equal(policy.logs.size, 2);
    const { verdict, isVouchedFor, breaks } = await verifyEvidence({ paths: [place], policy });
    assert.deepEqual([verdict, isVouchedFor, breaks], ['intact', true, []]);
    const checkpoint = readFileSync(join(place, 'checkpoint'), 'utf8');
    assert.ok(checkpoint.startsWith(`${await log.origin()}\n`));
    const readme = readFileSync(join(place, 'README.txt'), 'utf8');
    assert.ok(
      readme.includes(await log.origin()) && readme.indexOf('trust') < readme.indexOf('verify.mjs --trusted-keys'),
    );
    assert.equal(readFileSync(join(place, 'verify.mjs'), 'utf8'), '// verify');
  });

  it('is verified by who follows its README.txt to the letter, before and after the key was replaced', async () => {
    const program = await buildVerifyProgram(audit.root);
    const log = audit.begin();
    /** Does what the README says, with a file that was kept where it asks for one. Returns the exit codes. */
    const follow = async (kept: string | null): Promise<{ codes: (number | null)[]; place: string }> => {
      await log.record(intent('a'));
      const place = audit.unpack((await log.bundle(async () => readFileSync(program))).content);
      const readme = readFileSync(join(place, 'README.txt'), 'utf8');
      const [, keys = ''] = /\n( +log \S+\n +quorum none\n)/.exec(readme) ?? [];
      writeFileSync(join(place, 'YOUR-FILE'), keys.replace(/^ +/gm, ''));
      if (kept !== null) writeFileSync(join(place, 'EARLIER-FILE'), readFileSync(join(kept, 'checkpoint')));
      const commands = [...readme.matchAll(/^ +node (verify\.mjs .*)$/gm)].map(([, command = '']) =>
        command.split(' '),
      );
      assert.equal(commands.length, 2);
      const codes = commands
        .filter((args) => kept !== null || !args.includes('EARLIER-FILE'))
        .map((args) => spawnSync(process.execPath, args, { cwd: place }).status);
      return { codes, place };
    };
    const first = await follow(null);
    const second = await follow(first.place);
    assert.deepEqual([first.codes, second.codes], [[0], [0, 0]]);
    for (let rotations = 0; rotations < 2; rotations += 1) {
      await log.startLedger();
      assert.deepEqual((await follow(first.place)).codes, [0, 0]);
    }
  });

  it('counts its records as verification does: the lines of all sessions', async () => {
    const log = await audit.writeFive();
    // Another window, whose first record comes after the one that begins its session.
    const other = audit.begin({ maxFileBytes: 500 });
    for (const request of ['c', 'd', 'e']) await other.record(intent(request));
    await log.startLedger();
    await log.record({ kind: 'log-exported', format: 'evidence', records: 1 });
    const { content, records } = await log.bundle(verifier);
    const place = audit.unpack(content);
    const found = await verifyEvidence({ paths: [place] });
    const [jsonl, csv] = [
      await auditAsJsonl(audit.folder),
      await auditAsCsv((await readAuditLog(audit.folder)).records),
    ];
    const lines = audit
      .files()
      .flatMap((name) => readFileSync(join(audit.folder, name), 'utf8').split('\n').slice(0, -1));
    assert.ok(lines.length > 10);
    for (const count of [found.records, records, jsonl.records, csv.records, (await log.verify()).records]) {
      assert.equal(count, lines.length);
    }
    assert.equal(jsonl.content.split('\n').length - 1, lines.length);
    // What is not a whole line of a session is no record.
    appendFileSync(audit.path(), 'not a record\n{"half');
    const again = await log.bundle(verifier);
    const broken = await verifyEvidence({ paths: [audit.unpack(again.content)] });
    assert.deepEqual([broken.records, again.records], [lines.length, lines.length]);
  });

  it('verifies even if another window writes while it is made', async () => {
    const [log, other] = [audit.begin(), audit.begin()];
    for (const each of [log, other]) await each.record(intent('a'));
    await other.sign();
    const end = (await log.sign('export')) ?? assert.fail();
    const entries = new Map<string, Uint8Array>();
    const parts = { folder: audit.folder, end, present: null, verifier, now: new Date() };
    for await (const { name, bytes } of bundleEntries(parts)) {
      entries.set(name, bytes);
      if (!name.startsWith('audit/')) continue;
      for (const each of [log, other]) {
        await each.record(intent(name));
        await each.sign();
      }
      await audit.begin().record(intent(name));
    }
    const { verdict, breaks, sessions } = await withFolder(entries, (place) => verifyEvidence({ paths: [place] }));
    assert.deepEqual([verdict, breaks, sessions], ['intact', [], 2]);
  });

  it('is named after the key and the day', () => {
    assert.equal(
      bundleName('svc-coder/59141f437a54051dce253afae946b5b4', new Date('2026-11-02T08:00:00Z')),
      'svc-evidence-59141f43-2026-11-02.tar.gz',
    );
  });

  it('has entries of any size that tar reads, and none with a name that is too long', async () => {
    const sizes = [0, 1, 511, 512, 513, 100_000];
    const entries = async function* () {
      for (const size of sizes) yield { name: `in/${size}`, bytes: Buffer.alloc(size, 'x') };
    };
    const place = audit.unpack(await tarGz(entries(), new Date('2026-11-02T08:00:00Z')));
    for (const size of sizes) {
      assert.ok(readFileSync(join(place, 'in', `${size}`)).equals(Buffer.alloc(size, 'x')), `${size}`);
    }
    const long = async function* () {
      yield { name: 'x'.repeat(101), bytes: Buffer.alloc(1) };
    };
    await assert.rejects(tarGz(long(), new Date()), RangeError);
  });
});
