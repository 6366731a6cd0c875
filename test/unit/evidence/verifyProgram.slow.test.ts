import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNote, parseNote, parseVkey } from '../../../src/evidence/note.ts';
import { isCosigned, parsePolicy } from '../../../src/evidence/policy.ts';
import { EvidenceLog, sampleLog } from '../../tools/evidenceLog.ts';
import { buildVerifyProgram, type ProgramResult, runProgram } from '../../tools/verifyProgram.ts';
import { writeFiles } from './folders.ts';
import { expected, vector, vectorsFolder } from './vectors.ts';

const log = join(vectorsFolder, 'log');
const policy = join(vectorsFolder, 'policy.txt');
const witnessed = join(vectorsFolder, 'checkpoint-witnessed');
const record = '00000001-0000-4000-8000-000000000000:6';

describe('verify.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-verify-'));
  let program = '';
  before(async () => {
    program = await buildVerifyProgram(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const run = (...args: readonly string[]): ProgramResult => runProgram(program, args);
  const folderOf = (name: string, files: Parameters<typeof writeFiles>[1]): string => {
    writeFiles(join(folder, name), files);
    return join(folder, name);
  };

  it('is one file that an auditor can read, which imports nothing but modules of Node, and no network', () => {
    const text = readFileSync(program, 'utf8');
    const imports = [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
    assert.deepEqual([...new Set(imports)].sort(), [
      'node:child_process',
      'node:crypto',
      'node:fs',
      'node:fs/promises',
      'node:path',
      'node:timers/promises',
      'node:util',
      'node:v8',
    ]);
    assert.doesNotMatch(text, /\bfetch\(|import\(|require\(|eval\(|(?<!\.)\bexec\w*\(|shell: /);
    assert.deepEqual(text.match(/\bspawn\w*\([^,]*,/g), ['spawn(program,']);
    assert.deepEqual(text.match(/\bprogram: [^,}]*/g), ['program: "git"']);
    assert.ok(text.split('\n').every((line) => line.length < 400));
    assert.ok(statSync(program).size <= maximumBytes, `${statSync(program).size} bytes`);
  });

  it('ends with 0, 1, 2 or 3', () => {
    const broken = folderOf('broken', sampleLog('a').files().set('ledger-x', []));
    rmSync(join(broken, readdirSync(broken)[0] ?? ''));
    assert.equal(run('--trusted-keys', policy, '--checkpoint', witnessed, log).code, 0);
    assert.equal(run(broken).code, 1);
    assert.equal(run(folderOf('empty', [['x', 'y']])).code, 2);
    assert.equal(run(log).code, 3);
    assert.equal(run('--trusted-keys', policy, log).code, 3);
    for (const wrong of [
      [],
      ['/nowhere'],
      ['--unknown', log],
      ['--trusted-keys', '/nowhere', log],
      ['--policy', policy, log],
      ['--seen', policy, log],
      ['--checkpoint', policy, log],
      ['--grace', 'x', log],
      ['prove', log],
      ['check', log],
      ['cosign', log],
      ['--trusted-keys', witnessed, log],
    ]) {
      const { code, out, error } = run(...wrong);
      assert.deepEqual([code, out], [2, ''], wrong.join(' '));
      assert.match(error, /^[\x20-\x7e\n]+$/);
    }
    const help = run('--help');
    assert.deepEqual([help.code, help.error], [0, '']);
    for (const word of [
      'prove',
      'check',
      'cosign',
      '--trusted-keys',
      '--seen',
      '--checkpoint',
      '--collected',
      '--json',
    ])
      assert.ok(help.out.includes(word));
  });

  it('prints the same in words and as JSON', () => {
    const { out } = run(log);
    assert.match(out, /^INTACT, BUT NOT TRUSTED\./);
    assert.ok(out.includes(`keep   ${expected.origin} 7 Ycw5KrQY+Z7QfcR8qf2IM7GotYbgH7fRQjbI5+9Bbi4=\n`));
    const json = JSON.parse(run('--json', log).out) as { exitCode: number; verdict: string; records: number };
    assert.deepEqual([json.exitCode, json.verdict, json.records], [3, 'intact', 14]);
  });

  it('takes what it printed, or git log, as what was kept', () => {
    const kept = join(folder, 'kept.txt');
    writeFileSync(kept, run(log).out);
    assert.equal(run('--seen', kept, log).code, 3);
    writeFileSync(kept, `a\n    Svc-Checkpoint: ${expected.origin} 8 Ycw5KrQY+Z7QfcR8qf2IM7GotYbgH7fRQjbI5+9Bbi4=\n`);
    const { code, out } = run('--seen', kept, log);
    assert.equal(code, 1);
    assert.match(out, /Breaks: rollback\..*\n.*kept\.txt:2/);
  });

  it('says which of the kept states it could not compare, because their log is not there', () => {
    const kept = join(folder, 'kept of many.txt');
    const others = ['one', 'two'].map((name) => sampleLog(name).words());
    writeFileSync(kept, [`${expected.origin} 7 ${expected.ledgerRoots[6]}`, ...others, others[0], ''].join('\n'));
    const { code, out } = run('--seen', kept, log);
    assert.equal(code, 3);
    assert.match(out, /\n1 of 4 kept states compared\n/);
    assert.match(out, /Notes: not-compared\..*\n {2}.*kept of many\.txt:4 \(.*\n {2}.*:3 \(/s);
    const all = run('--seen', kept, folderOf('many', sampleLog('one').files()));
    assert.match(all.out, /\n2 of 4 kept states compared\n/);
    assert.doesNotMatch(run(log).out, /compared/);
  });

  it('prints nothing that a terminal obeys, whatever the files are called and hold', () => {
    const made = sampleLog('names');
    const [session] = made.sessions;
    const evil = `${session?.lines[0]}\n\x1b]0;x\x07\x1b[2J\u202e\u0000\n`;
    const files = folderOf('evil', [...made.files(), ['\x1b[31mred\u202e.jsonl', evil], ['x\ny.jsonl', evil]]);
    for (const args of [[files], ['--json', files], ['--collected', files], ['--collected', '--json', files]]) {
      const { out, error } = run(...args);
      assert.match(out, /^[\x20-\x7e\n]+$/);
      assert.equal(error, '');
    }
    const { error } = run(join(folder, '\x1b[31m'));
    assert.match(error, /^[\x20-\x7e\n]+$/);
  });

  it('ends with its exit code, and says nothing, if a program reads only the beginning of what it prints', async () => {
    for (const [path, args, expected] of [
      [log, ['--json'], 3],
      [join(folder, 'evil'), ['--collected'], 1],
      ['--help', [], 0],
    ] as const) {
      const child = spawn(process.execPath, [program, ...args, path], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      const [code] = await once(child, 'close');
      assert.deepEqual([code, String(child.stderr.read() ?? '')], [expected, '']);
    }
  });

  it('writes nothing beside what it reads', () => {
    const before = readdirSync(folder, { recursive: true }).sort();
    run(log);
    run('--collected', join(folder, 'evil'));
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
  });

  it('proves one record, as in the vectors, and checks the proof', () => {
    const { code, out } = run('prove', record, log);
    assert.deepEqual([code, Buffer.from(out, 'latin1').toString('utf8')], [0, vector('record.tlog-proof')]);
    const none = join(folder, 'none.txt');
    writeFileSync(none, `log ${expected.vkey}\nquorum none\n`);
    const proof = join(vectorsFolder, 'record.tlog-proof');
    const line = join(vectorsFolder, 'record.jsonl');
    const check = (policyPath: string, proofPath: string, linePath: string) => {
      const found = run('check', '--trusted-keys', policyPath, proofPath, linePath);
      return [found.code, found.out.replace(/:.*\n/s, '')];
    };
    assert.deepEqual(check(none, proof, line), [0, 'vouched']);
    assert.deepEqual(check(policy, proof, line), [3, 'not-cosigned']);
    const changed = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    assert.deepEqual(check(none, proof, changed('r1', vector('record.jsonl').replace('"pid":4000', '"pid":4001'))), [
      1,
      'not-in-session',
    ]);
    assert.deepEqual(check(none, proof, changed('r2', vector('record.jsonl').replace('"seq":6', '"seq":5'))), [
      1,
      'other-record',
    ]);
    assert.deepEqual(check(none, proof, changed('r3', '{}')), [1, 'not-a-record']);
    assert.deepEqual(check(none, changed('p1', 'x'), line), [1, 'not-a-proof']);
    assert.deepEqual(check(none, changed('p2', vector('record.tlog-proof').replace('index 3', 'index 2')), line), [
      1,
      'not-in-ledger',
    ]);
    assert.deepEqual(check(none, changed('p3', vector('record.tlog-proof').replace('Wcu', 'Wcv')), line), [
      1,
      'not-in-ledger',
    ]);
    assert.deepEqual(check(none, changed('p4', vector('record.tlog-proof').replace('3p/L5GV', '3p/L5GW')), line), [
      1,
      'signature',
    ]);
    const other = changed('other.txt', `log ${new EvidenceLog('other').signer.vkey}\nquorum none\n`);
    assert.deepEqual(check(other, proof, line), [3, 'unknown-key']);
    assert.equal(run('prove', record.replace(':6', ':8'), log).code, 2);
    assert.equal(run('prove', '../x:1', log).code, 2);
  });

  it('proves and cosigns what is in one of several parts of a collection', () => {
    const { out: secret } = run('cosign', '--new-key', 'witness.example.com/w3');
    const [key, state] = [join(folder, 'key of a collection'), join(folder, 'state of a collection')];
    writeFileSync(key, secret);
    const machines = [sampleLog('one machine'), sampleLog('other machine')];
    const collected = folderOf(
      'machines',
      machines.map((made, index) => [`${index}.log`, [...made.files().values()].flat()]),
    );
    const cosigned = run('cosign', '--key', key, '--state', state, '--collected', collected);
    assert.deepEqual([cosigned.code, cosigned.error], [0, '']);
    assert.equal(readFileSync(state, 'latin1'), machines.map((made) => `${made.words()}\n`).join(''));
    const none = join(folder, 'machines.txt');
    writeFileSync(none, `${machines.map(({ signer }) => `log ${signer.vkey}\n`).join('')}quorum none\n`);
    for (const { sessions } of machines) {
      const [session = assert.fail()] = sessions;
      const proved = run('prove', '--collected', `${session.id}:3`, collected);
      assert.deepEqual([proved.code, proved.error], [0, '']);
      const [proof, record] = [join(folder, 'proof of a part'), join(folder, 'record of a part')];
      writeFileSync(proof, proved.out, 'latin1');
      writeFileSync(record, `${session.lines[2]}\n`);
      assert.equal(run('check', '--trusted-keys', none, proof, record).code, 0);
    }
  });

  it('proves with the checkpoint that witnesses have signed, if there are several of one size', () => {
    const { out: secret, error: vkey } = run('cosign', '--new-key', 'witness.example.com/w4');
    const [key, state] = [join(folder, 'key of a proof'), join(folder, 'state of a proof')];
    writeFileSync(key, secret);
    const made = sampleLog('several');
    const [session = assert.fail()] = made.sessions;
    const cosigned = run('cosign', '--key', key, '--state', state, folderOf('several', made.files())).out;
    const quorum = join(folder, 'quorum.txt');
    writeFileSync(quorum, `log ${made.signer.vkey}\nwitness a ${vkey.trim()}\nquorum a\n`);
    const line = (note: string) =>
      JSON.stringify({ v: 2, ledger: made.origin, kind: 'checkpoint', note }).replaceAll('\u2014', '\\u2014');
    const [proof, record] = [join(folder, 'proof of several'), join(folder, 'record of several')];
    writeFileSync(record, `${session.lines[2]}\n`);
    const proved = (...args: readonly string[]) => {
      const { code, out, error } = run('prove', ...args);
      assert.deepEqual([code, error], [0, '']);
      writeFileSync(proof, out, 'latin1');
      return run('check', '--trusted-keys', quorum, proof, record).code;
    };
    const own = [`${session.id}:3`, join(folder, 'several')];
    assert.equal(proved(...own), 3);
    const kept = join(folder, 'kept cosigned');
    writeFileSync(kept, cosigned, 'latin1');
    assert.equal(proved('--checkpoint', kept, ...own), 0);
    // The collector has both, and one that only looks cosigned.
    const text = Buffer.from(cosigned, 'latin1').toString('utf8');
    const forged = `${made.note.replace(/.{8}\n$/, 'AAAAAAA=\n')}${'\u2014 witness.example.com/w4 AAAAAAAA\n'.repeat(9)}`;
    const collected = folderOf('several collected', [
      ['a', [...[...made.files().values()].flat(), line(forged), line(text)]],
    ]);
    assert.equal(proved('--collected', `${session.id}:3`, collected), 0);
  });

  it('takes what it cosigned of several ledgers, such as after a new key, as what was kept', () => {
    const { out: secret, error: vkey } = run('cosign', '--new-key', 'witness.example.com/w8');
    const [key, kept] = [join(folder, 'key of a chain'), join(folder, 'kept of a chain')];
    writeFileSync(key, secret);
    const logs = [sampleLog('before'), sampleLog('after')] as const;
    const chain = folderOf(
      'chain',
      logs.flatMap((made) => [...made.files()]),
    );
    const { out, code } = run('cosign', '--key', key, '--state', join(folder, 'state of a chain'), chain);
    assert.equal(code, 0);
    writeFileSync(kept, out, 'latin1');
    const quorum = join(folder, 'quorum of a chain');
    writeFileSync(quorum, `${logs.map(({ signer }) => `log ${signer.vkey}\n`).join('')}witness a ${vkey}quorum a\n`);
    const found = run('--trusted-keys', quorum, '--checkpoint', kept, chain);
    assert.deepEqual([found.code, found.error], [0, '']);
    assert.match(found.out, /\n2 of 2 kept states compared\n/);
    const gone = run('--checkpoint', kept, folderOf('chain without its end', logs[0].files()));
    assert.match(gone.out, /\nBreaks: missing\..*\n.*; see .*kept of a chain:9\n/);
  });

  it('reads what was edited on Windows, and names a folder in the place of a file', () => {
    const [keys, record] = [join(folder, 'keys.crlf'), join(folder, 'record.crlf')];
    writeFileSync(keys, `log ${expected.vkey}\r\nquorum none\r\n`);
    writeFileSync(record, vector('record.jsonl').replace('\n', '\r\n'));
    assert.equal(run('--trusted-keys', keys, log).code, 0);
    assert.equal(run('check', '--trusted-keys', keys, join(vectorsFolder, 'record.tlog-proof'), record).code, 0);
    for (const option of ['--trusted-keys', '--checkpoint', '--seen']) {
      const { code, error } = run(option, log, log);
      assert.deepEqual([code, error.includes(log)], [2, true], error);
    }
  });

  it('cosigns nothing if a ledger is gone that it cosigned before, and stops at a line of its state that it cannot read', () => {
    const { out: secret } = run('cosign', '--new-key', 'witness.example.com/w5');
    const [key, state] = [join(folder, 'key of two'), join(folder, 'state of two')];
    writeFileSync(key, secret);
    const [one, other] = [sampleLog('stays'), sampleLog('goes')];
    const cosign = (path: string) => run('cosign', '--key', key, '--state', state, path);
    const both = folderOf('both ledgers', [...one.files(), ...other.files()]);
    assert.equal(cosign(both).code, 0);
    const whole = readFileSync(state, 'latin1');
    const { code, out } = cosign(folderOf('one ledger', one.files()));
    assert.deepEqual([code, /Breaks: missing\..*\n {2}(\S+):0/.exec(out)?.[1]], [1, other.origin]);
    // A line that was cut short, or changed, may be of a signature.
    for (const bad of [
      `${whole}${one.words().slice(0, 50)}`,
      `x ${whole}`,
      whole.trimEnd(),
      whole.replace(' ', '  '),
      whole.replace('\n', '\r\n'),
    ]) {
      writeFileSync(state, bad);
      const stopped = cosign(both);
      assert.deepEqual([stopped.code, stopped.out], [2, ''], JSON.stringify(bad));
      assert.match(stopped.error, /state of two, line \d: not <origin> <size> <root>\. Nothing is signed\./);
      assert.equal(readFileSync(state, 'latin1'), bad);
    }
    writeFileSync(state, whole);
    assert.equal(cosign(both).code, 0);
    assert.equal(readFileSync(state, 'latin1'), whole + whole);
    assert.equal(statSync(key).mode & 0o777, 0o600);
  });

  it('cosigns one of two histories, if both are given to it at the same time', async () => {
    const { out: secret } = run('cosign', '--new-key', 'witness.example.com/w7');
    const histories = [sampleLog('both', { records: 20 }), sampleLog('both', { records: 20, every: 7 })];
    const folders = histories.map((made, index) => folderOf(`history ${index}`, made.files()));
    for (let round = 0; round < 4; round += 1) {
      const [key, state] = [join(folder, `key ${round}`), join(folder, `state ${round}`)];
      writeFileSync(key, secret);
      const start = async (path: string) => {
        const child = spawn(process.execPath, [program, 'cosign', '--key', key, '--state', state, path]);
        let out = '';
        child.stdout.on('data', (bytes: Buffer) => {
          out += bytes.toString();
        });
        const [code] = await once(child, 'close');
        return { code: Number(code), out };
      };
      const both = await Promise.all(folders.map(start));
      const signed = both.filter(({ out }) => out.includes('witness.example.com/w7'));
      assert.equal(signed.length, 1, JSON.stringify(both));
      assert.equal(readFileSync(state, 'latin1').split('\n').length, 2);
      assert.ok(!existsSync(`${state}.lock`));
    }
  });

  it('says so if it may not make the key of another user private', () => {
    const { out: secret } = run('cosign', '--new-key', 'second.example.com/w8');
    const [key, state] = [join(folder, 'key of another'), join(folder, 'state of another')];
    writeFileSync(key, secret, { mode: 0o644 });
    const refuses = `import fs from 'node:fs/promises'; import { syncBuiltinESMExports } from 'node:module';
      fs.chmod = () => Promise.reject(new Error('EPERM: operation not permitted, chmod')); syncBuiltinESMExports();`;
    const preload = ['--import', `data:text/javascript,${encodeURIComponent(refuses)}`] as const;
    const { code, out, error } = runProgram(preload[0], [
      preload[1],
      program,
      'cosign',
      '--key',
      key,
      '--state',
      state,
      log,
    ]);
    const words = 'others can read this key, and only its owner can change that (chmod 600).';
    assert.deepEqual([code, out, error], [2, '', `${key}: ${words}\n`]);
    assert.equal(existsSync(state), false);
  });

  it('cosigns no smaller size than before, whatever is collected', () => {
    const { out: secret } = run('cosign', '--new-key', 'witness.example.com/w6');
    const [key, state] = [join(folder, 'key of a size'), join(folder, 'state of a size')];
    writeFileSync(key, secret);
    const made = sampleLog('no smaller', { sessions: 1, records: 40 });
    const lines = [...made.files().values()].flat();
    const cosign = (name: string, own: readonly string[]) =>
      run('cosign', '--key', key, '--state', state, '--collected', folderOf(name, [['x', own]]));
    assert.equal(cosign('all of it', lines).code, 0);
    const before = readFileSync(state, 'latin1');
    const isCheckpoint = (line: string) => line.includes('"kind":"checkpoint"');
    const last = lines.filter(isCheckpoint).at(-1);
    // All lines are there and fit, but the last signature is gone.
    const smaller = cosign(
      'a signature less',
      lines.filter((line) => line !== last),
    );
    assert.deepEqual([smaller.code, /^BROKEN\. .* was cosigned\.\n$/.test(smaller.out)], [1, true]);
    const session = made.sessions[0]?.id;
    const root = Buffer.alloc(32).toString('base64');
    const place = { v: 2, ledger: made.origin, seq: 8, time: new Date().toISOString() };
    const forged = { ...place, kind: 'head', session, size: 1, root, why: 'time', prev: '0'.repeat(64) };
    const gutted = lines.filter((line) => !isCheckpoint(line) && !/^\{"v":2,"ledger":"[^"]*","seq":[3-9]/.test(line));
    const two = [...gutted, lines.find(isCheckpoint) ?? '', JSON.stringify(forged)];
    const rolledBack = cosign('two of seven', two);
    assert.deepEqual([rolledBack.code, /Breaks: rollback\./.test(rolledBack.out)], [1, true]);
    assert.equal(readFileSync(state, 'latin1'), before);
  });

  it('cosigns what is intact and continues from what it cosigned before', () => {
    const { out: secret, error: vkey } = run('cosign', '--new-key', 'witness.example.com/w2');
    const [key, state] = [join(folder, 'key'), join(folder, 'state')];
    writeFileSync(key, secret);
    const witness = parseVkey(vkey.trim()) ?? assert.fail(vkey);
    const short = sampleLog('witnessed', { records: 8 });
    const long = sampleLog('witnessed', { records: 20 });
    const other = sampleLog('witnessed', { records: 20, every: 7 });
    const cosign = (made: EvidenceLog, name: string) =>
      run('cosign', '--key', key, '--state', state, folderOf(name, made.files()));
    const first = cosign(short, 'short');
    const note = parseNote(Buffer.from(first.out, 'latin1').toString('utf8')) ?? assert.fail(first.out + first.error);
    assert.equal(checkNote(note, witness), 'valid');
    const time = Number(note.signatures.find(({ name }) => name === witness.name)?.bytes.readBigUInt64BE(0));
    assert.ok(Math.abs(time - Date.now() / 1000) < 600);
    assert.equal(checkNote(note, parseVkey(short.signer.vkey) ?? assert.fail()), 'valid');
    const quorum = parsePolicy(Buffer.from(`log ${short.signer.vkey}\nwitness a ${witness.vkey}\nquorum a\n`));
    assert.ok(isCosigned(note, quorum));
    assert.equal(cosign(long, 'long').code, 0);
    assert.equal(readFileSync(state, 'latin1'), `${short.words()}\n${long.words()}\n`);
    for (const [made, name] of [
      [short, 'short'],
      [other, 'other'],
    ] as const) {
      const { code, out } = cosign(made, name);
      assert.equal(code, 1);
      assert.match(out, /^BROKEN/);
    }
    assert.equal(readFileSync(state, 'latin1'), `${short.words()}\n${long.words()}\n`);
    writeFileSync(key, secret.replace(/.{8}$/s, ''));
    const bad = run('cosign', '--key', key, '--state', state, join(folder, 'long'));
    assert.equal(bad.code, 2);
    assert.ok(!bad.error.includes(secret.slice(50, 60)));
  });
});

/** An auditor has to read it: it is not minified. The package has to carry it. */
const maximumBytes = 115_000;
