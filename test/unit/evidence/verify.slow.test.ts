import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCheckpoint } from '../../../src/evidence/checkpoint.ts';
import { leafOf } from '../../../src/evidence/line.ts';
import { cosignerOf, signerOf } from '../../../src/evidence/note.ts';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { rootOf as treeRoot } from '../../../src/evidence/tree.ts';
import type { VerifyOptions } from '../../../src/evidence/verify/part.ts';
import { parseSeen } from '../../../src/evidence/verify/seen.ts';
import { type Verdict, verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { EvidenceLog, sampleLog, seedOf } from '../../tools/evidenceLog.ts';
import { type FolderFiles, withFolder } from './folders.ts';
import { expected, vector, vectorsFolder } from './vectors.ts';

type Files = Map<string, readonly string[]>;

const verify = (files: FolderFiles, options: Omit<VerifyOptions, 'paths'> = {}): Promise<Verdict> =>
  withFolder(files, (folder) => verifyEvidence({ ...options, paths: [folder] }));

const named = ({ breaks }: Verdict) => breaks.map(({ reason, of }) => `${reason} ${of}`);
const noted = ({ notes }: Verdict) => notes.map(({ reason, of }) => `${reason} ${of}`);
const policyOf = (...logs: readonly EvidenceLog[]) =>
  parsePolicy(Buffer.from(`${logs.map(({ signer }) => `log ${signer.vkey}\n`).join('')}quorum none\n`));
const keptOf = (note: string) => ({ ...(parseCheckpoint(note) ?? assert.fail()), file: 'kept', line: 2 });

/** Changes one line of a file of the sample log. */
function changed(
  log: EvidenceLog,
  name: string,
  line: number,
  change: (text: string) => string | readonly string[],
): Files {
  const files = log.files();
  const lines = files.get(name) ?? assert.fail(name);
  return files.set(
    name,
    lines.flatMap((text, index) => (index === line - 1 ? change(text) : text)),
  );
}

const sessionFile = (log: EvidenceLog, index: number) => [...log.files().keys()][index] ?? assert.fail();

/** Links the lines of a session again from a changed one, as anyone can who has no key. */
function relinked(log: EvidenceLog, index: number, line: number, change: (text: string) => string): Files {
  const made = new EvidenceLog('unused');
  assert.ok(made);
  const name = sessionFile(log, index);
  const files = log.files();
  const lines = [...(files.get(name) ?? [])];
  lines[line - 1] = change(lines[line - 1] ?? '');
  for (let at = line; at < lines.length; at += 1)
    lines[at] = (lines[at] ?? '').replace(/"prev":"\w+"/, `"prev":"${leafHex(lines[at - 1] ?? '')}"`);
  return files.set(name, lines);
}

const leafHex = (line: string) => createHash('sha256').update(`\0${line}`).digest('hex');

describe('the verification of a log', () => {
  const changes: Readonly<Record<string, (folder: string) => void>> = {
    'as it is': () => undefined,
    'a digit of a record': (folder) => edit(folder, 'part 1', (text) => text.replace('"bytes":1001', '"bytes":1002')),
    'a line is taken out': (folder) => edit(folder, 'part 1', (text) => text.split('\n').toSpliced(2, 1).join('\n')),
    'the last part is gone': (folder) => rmSync(join(folder, nameOf(folder, 'part 2'))),
    'a session is gone': (folder) => {
      for (const part of ['part 1', 'part 2']) rmSync(join(folder, nameOf(folder, part)));
    },
    'a checkpoint of another size': (folder) =>
      edit(folder, 'ledger', (text) => text.replace(String.raw`\n2\n`, String.raw`\n3\n`)),
  };
  const nameOf = (folder: string, part: string) =>
    readdirSync(folder).find((name) =>
      part === 'ledger'
        ? name.startsWith('ledger-')
        : name.includes('-000000000000-') && name.endsWith(`-000${part.at(-1)}.jsonl`),
    ) ?? assert.fail(part);
  const edit = (folder: string, part: string, change: (text: string) => string) => {
    const path = join(folder, nameOf(folder, part));
    const text = readFileSync(path, 'latin1');
    assert.notEqual(change(text), text);
    writeFileSync(path, change(text), 'latin1');
  };

  for (const { what, verdict, breaks } of JSON.parse(vector('verdicts.json')) as readonly (Pick<
    Verdict,
    'verdict' | 'breaks'
  > & {
    what: string;
  })[]) {
    it(`names what the vectors name: ${what}`, async () => {
      const log = readdirSync(join(vectorsFolder, 'log')).map((name) => [name, vector(`log/${name}`)] as const);
      const found = await withFolder(log, async (folder) => {
        changes[what]?.(folder);
        return await verifyEvidence({ paths: [folder] });
      });
      assert.deepEqual({ verdict: found.verdict, breaks: found.breaks }, { verdict, breaks });
    });
  }

  it('finds the sample log and any made log intact, in parts too', async () => {
    const log = sampleLog('a', { sessions: 4, records: 30 });
    const policy = policyOf(log);
    for (const partLines of [1, 7, 1_000]) {
      const found = await verify(log.files({ partLines }), { policy });
      assert.deepEqual([found.verdict, found.breaks, found.notes, found.records], ['intact', [], [], 4 * 31]);
      assert.equal(found.isVouchedFor, true);
      assert.equal(`${log.origin} ${found.ledgers[0]?.size} ${found.ledgers[0]?.root}`, log.words());
    }
  });

  it('is vouched for only by a policy that names the key, and by its quorum', async () => {
    const log = join(vectorsFolder, 'log');
    const policy = parsePolicy(Buffer.from(vector('policy.txt')));
    const witnessed = [{ ...keptOf(vector('checkpoint-witnessed')) }];
    const none = parsePolicy(Buffer.from(`log ${expected.vkey}\nquorum none\n`));
    const other = policyOf(new EvidenceLog('other'));
    const is = async (options: Omit<VerifyOptions, 'paths'>) => {
      const found = await verifyEvidence({ ...options, paths: [log] });
      assert.deepEqual(found.breaks, []);
      return [found.isVouchedFor, ...noted(found)];
    };
    assert.deepEqual(await is({}), [false]);
    assert.deepEqual(await is({ policy: other }), [false]);
    assert.deepEqual(await is({ policy: none }), [true]);
    assert.deepEqual(await is({ policy }), [false, `not-cosigned ${expected.origin} 1-7`]);
    assert.deepEqual(await is({ policy, checkpoints: witnessed }), [true]);
    // A witness that signed an older state does not stand for the newer lines.
    const old = [
      ...vector('log/ledger-59141f437a54051dce253afae946b5b4-0001.jsonl').matchAll(/"note":("(?:[^"\\]|\\.)*")/g),
    ];
    const note = JSON.parse(old[2]?.[1] ?? '') as string;
    const cosigner = cosignerOf(
      'witness.example.com/w1',
      Buffer.from(expected.witnessSeed, 'hex'),
      () => 1_800_000_000,
    );
    const cosigned = note + cosigner.sign(note.slice(0, note.indexOf('\n\n') + 1));
    assert.deepEqual(await is({ policy, checkpoints: [keptOf(cosigned)] }), [
      false,
      `not-cosigned ${expected.origin} 5-7`,
    ]);
  });

  it('compares lines with what was signed before they are read, while a window writes', async () => {
    const log = sampleLog('live');
    const before = log.files();
    const sizes = new Map([...before].map(([name, lines]) => [name, lines.length]));
    const added = log.session();
    for (const session of [...log.sessions.slice(0, 2), added]) {
      session.record(3);
      session.head();
      log.sign();
    }
    const after = [...log.files()].map(([name, lines]) => [name, lines.slice(sizes.get(name) ?? 0)] as const);
    // What is written once the files are listed, before the first one is read; half a line of the ledger is left.
    const write = (folder: string) => {
      for (const [name, lines] of after) {
        const isLedger = name === log.ledgerFile;
        appendFileSync(join(folder, name), lines.map((line) => `${line}\n`).join('') + (isLedger ? '{"v":2,' : ''));
      }
    };
    const found = await withFolder(
      [...before].map(([name, lines]) => [name, lines.slice(0, sizes.get(name))] as const),
      async (folder) => {
        const once = [() => write(folder)];
        const { signal } = new AbortController();
        signal.throwIfAborted = () => once.pop()?.();
        return verifyEvidence({ paths: [folder], signal });
      },
    );
    const unsigned = log.sessions.slice(0, 2).map(({ id }) => `unsigned ${id} 22-24`);
    assert.deepEqual([named(found), noted(found), found.sessions], [[], unsigned, 3]);
  });

  it('names lines that were changed and linked again, by the first head that they do not fit', async () => {
    const log = sampleLog('root', { sessions: 2, records: 24, every: 8 });
    const id = log.sessions[1]?.id;
    const found = await verify(
      relinked(log, 1, 12, (line) => line.replace('"files":3', '"files":4').replace('"status":200', '"status":500')),
    );
    assert.deepEqual(named(found), [`root ${id} 10-17`]);
    const first = await verify(relinked(log, 1, 1, (line) => line.replace('4000', '4001')));
    assert.deepEqual(named(first), [`root ${id} 1-1`]);
    const last = await verify(
      relinked(log, 1, 25, (line) => line.replace('900', '901').replace('"files":3', '"files":4')),
    );
    assert.deepEqual(named(last), [`root ${id} 18-25`]);
  });

  it('names a line that is not a record, occurs twice, was moved, or belongs to another session', async () => {
    const log = sampleLog('lines');
    const name = sessionFile(log, 0);
    const id = log.sessions[0]?.id ?? '';
    const other = log.sessions[1]?.lines[3] ?? '';
    const at = async (change: (line: string) => string | readonly string[], line = 5) => {
      const { breaks } = await verify(changed(log, name, line, change));
      return breaks.map((found) => `${found.reason} ${found.line} ${found.of}`);
    };
    assert.deepEqual(await at((line) => [line, '']), [`not-a-record 6 ${id}`]);
    assert.deepEqual(await at((line) => [line, line]), [`out-of-order 6 ${id}`]);
    assert.deepEqual(await at((line) => [line, other]), [`out-of-order 6 ${log.sessions[1]?.id}`]);
    assert.deepEqual(await at((line) => [line, log.lines[0] ?? '']), [`out-of-order 6 ${log.origin}`]);
    assert.deepEqual(await at((line) => [line, log.lines[2] ?? '']), [`out-of-order 6 ${log.origin}`]);
    assert.deepEqual(await at((line) => [line, log.sessions[0]?.lines[1] ?? '']), [`out-of-order 6 ${id}`]);
    assert.deepEqual(await at((line) => [log.sessions[0]?.lines[5] ?? '', line]), [
      `out-of-order 6 ${id}`,
      `out-of-order 7 ${id}`,
    ]);
    assert.deepEqual(await at((line) => `${line}\r`), [`not-a-record 5 ${id}`, `gap 4 ${id} 5-5`]);
    assert.deepEqual(await at((line) => [line, 'x'.repeat(70_000)]), [`not-a-record 6 ${id}`]);
    assert.deepEqual(await at((line) => [line, `${'x'.repeat(300_000)}`]), [`not-a-record 6 ${id}`]);
    const far = (seq: number) => (line: string) => [line, line.replace(/"seq":\d+/, `"seq":${seq}`)];
    assert.deepEqual(await at(far(1_000_001)), [`not-a-record 6 ${id}`]);
    assert.deepEqual(await at(far(100_006)), [`not-a-record 6 ${id}`]);
  });

  it('names a session as missing if the number of its only line is too far ahead', async () => {
    const log = sampleLog('ahead');
    const name = sessionFile(log, 0);
    const id = log.sessions[0]?.id ?? '';
    const [line = ''] = log.files().get(name) ?? [];
    const files = log.files().set(name, [line.replace(/"seq":\d+/, '"seq":100001')]);
    assert.deepEqual(named(await verify(files)), [`not-a-record ${id}`, `missing ${id}`]);
    // One that no ledger has, too.
    const other = '00000000-0000-4000-8000-000000000000';
    const far = line.replace(id, other).replace(/"seq":\d+/, '"seq":100001');
    const added = log.files().set(name.replace(id, other), [far]);
    assert.deepEqual(named(await verify(added)), [`not-a-record ${other}`]);
  });

  it('names a file that was renamed to another session, part or ledger', async () => {
    const log = sampleLog('renamed');
    const [first = '', second = ''] = log.files().keys();
    const found = await withFolder(log.files({ partLines: 10 }), async (folder) => {
      const [one = '', two = ''] = readdirSync(folder).filter((name) => name.startsWith(first.slice(0, 20)));
      renameSync(join(folder, one), join(folder, 'x'));
      renameSync(join(folder, two), join(folder, one));
      renameSync(join(folder, 'x'), join(folder, two));
      return await verifyEvidence({ paths: [folder] });
    });
    assert.ok(
      found.breaks.every(({ reason, file }) => reason === 'out-of-order' && file.startsWith(first.slice(0, 20))),
    );
    assert.equal(found.verdict, 'broken');
    const swapped = log.files();
    swapped.set(first, log.sessions[1]?.lines ?? []).set(second, log.sessions[0]?.lines ?? []);
    assert.ok(named(await verify(swapped)).some((name) => name.startsWith('out-of-order')));
    const ledger = log.files();
    ledger.delete(log.ledgerFile);
    ledger.set(`ledger-${'0'.repeat(32)}-0001.jsonl`, log.lines);
    assert.ok(named(await verify(ledger)).some((name) => name.startsWith('out-of-order')));
  });

  it('names a session that was never signed, and one whose ledger is gone', async () => {
    const log = sampleLog('never');
    const other = new EvidenceLog('other').open();
    other.session().record(3);
    const files = log
      .files()
      .set([...other.files().keys()][0]?.replace('T080', 'T090') ?? '', other.sessions[0]?.lines ?? []);
    assert.deepEqual(named(await verify(files)), [`not-in-ledger ${other.sessions[0]?.id}`]);
    // A key of another machine does not stand for the session: its first line names its ledger.
    const forged = log.files();
    const theirs = new EvidenceLog('theirs').open();
    const stolen = log.sessions[0] ?? assert.fail();
    theirs.add({ kind: 'head', session: stolen.id, size: 1, root: rootOf(stolen.lines.slice(0, 1)), why: 'start' });
    theirs.sign();
    forged.delete(log.ledgerFile);
    forged.set(theirs.ledgerFile, theirs.lines);
    assert.deepEqual(
      named(await verify(forged)),
      log.sessions.map(({ id }) => `not-in-ledger ${id}`),
    );
  });

  it('names the ends that were signed and are gone, of sessions and of the ledger', async () => {
    const log = sampleLog('cut');
    const [session] = log.sessions;
    const files = log.files().set(sessionFile(log, 0), session?.lines.slice(0, 10) ?? []);
    assert.deepEqual(named(await verify(files)), [`cut ${session?.id} 11-21`]);
    const ledger = log.lines.length;
    // The last checkpoint without the line before it.
    const cut = await verify(changed(log, log.ledgerFile, ledger - 1, () => []));
    assert.deepEqual(named(cut)[0], `cut ${log.origin} 13-13`);
  });

  it('finds a ledger that was set back, or rewritten by the owner of its key, by what was kept', async () => {
    const log = sampleLog('owner');
    const kept = [keptOf(log.note)];
    const seen = parseSeen(`fix: a commit\n\nSvc-Checkpoint: ${log.words()}\n`, 'git.txt');
    assert.equal(seen.length, 1);
    const short = sampleLog('owner', { records: 8 });
    const other = sampleLog('owner', { records: 20, every: 7 });
    const policy = policyOf(log);
    for (const options of [{ checkpoints: kept }, { seen }]) {
      assert.deepEqual(named(await verify(log.files(), options)), []);
      assert.deepEqual(named(await verify(short.files(), { ...options, policy })), [`rollback ${log.origin} 8-13`]);
      const { breaks } = await verify(other.files(), { ...options, policy });
      assert.deepEqual(
        breaks.map(({ reason, of, other }) => [reason, of, other?.file]),
        [['fork', breaks[0]?.of, 'checkpoints' in options ? 'kept' : 'git.txt']],
      );
    }
    // Without it, nobody can know.
    assert.deepEqual(named(await verify(other.files(), { policy })), []);
    const gone = await verify(sampleLog('another').files(), { checkpoints: kept });
    assert.deepEqual(named(gone), [`missing ${log.origin}`]);
  });

  it('takes no checkpoint by another key, and no ledger whose name is not that of its key', async () => {
    const log = sampleLog('keys');
    const other = new EvidenceLog('other').open();
    const [size, root] = log.words().split(' ').slice(1);
    const text = `${log.origin}\n${size}\n${root}\n`;
    const signer = signerOf(log.origin, seedOf('other'));
    const line = (note: string) =>
      JSON.stringify({ v: 2, ledger: log.origin, kind: 'checkpoint', note }).replaceAll('\u2014', '\\u2014');
    const last = log.lines.length;
    const by = async (note: string) =>
      named(await verify(changed(log, log.ledgerFile, last, (own) => [own, line(note)])));
    assert.deepEqual(await by(`${text}\n${signer.sign(text)}`), [`unknown-key ${log.origin}`]);
    assert.deepEqual(await by('text'), [`signature ${log.origin}`]);
    assert.deepEqual(await by(`${text}extension\n\n${signer.sign(text)}`), [`signature ${log.origin}`]);
    assert.deepEqual(await by(log.note.replaceAll(log.origin, other.origin)), [`unknown-key ${log.origin}`]);
    const renamed = log.files();
    const fake = log.origin.replace(/.$/, (char) => (char === '0' ? '1' : '0'));
    renamed.delete(log.ledgerFile);
    renamed.set(
      log.ledgerFile.replace(log.origin.slice(-32), fake.slice(-32)),
      log.lines.map((one) => one.replaceAll(log.origin, fake)),
    );
    assert.ok(named(await verify(renamed)).includes(`unknown-key ${fake}`));
  });

  it('finds two signed histories of one size in the files of one ledger', async () => {
    const log = sampleLog('twice');
    const other = sampleLog('twice', { records: 20, every: 7 });
    const found = await verify(changed(log, log.ledgerFile, log.lines.length, (line) => [line, other.lines[20] ?? '']));
    assert.deepEqual(
      found.breaks.map(({ reason }) => reason),
      ['fork'],
    );
  });

  it('names a session that was changed between a crash and the next start', async () => {
    const log = new EvidenceLog('crash').open();
    const session = log.session();
    session.record(3);
    session.head('unanchored');
    log.sign();
    assert.deepEqual(named(await verify(log.files())), [`unanchored ${session.id}`]);
  });

  it('lets a session go that a signed line removed, and counts it', async () => {
    const log = sampleLog('removed');
    for (const session of log.sessions.slice(0, 2)) session.removed('retention');
    log.sessions[2]?.removed('purge');
    const unsigned = log.files();
    for (const name of [...unsigned.keys()].slice(0, 3)) unsigned.delete(name);
    assert.equal(named(await verify(unsigned)).filter((name) => name.startsWith('missing')).length, 3);
    log.sign();
    const found = await verify([[log.ledgerFile, log.lines]]);
    assert.deepEqual([found.breaks, found.removed], [[], { retention: 2, purge: 1 }]);
    // A change of what is still there is named anyway.
    const name = sessionFile(log, 0);
    const half = changed(log, name, 3, (line) => line.replace('"status":200', '"status":500').replace('900', '901'));
    assert.deepEqual(named(await verify(half)), [`altered ${log.sessions[0]?.id}`]);
  });

  it('notes what is not signed yet, half a line at the end, and a clock that went back', async () => {
    const log = sampleLog('notes');
    const [session] = log.sessions;
    session?.record(2);
    const found = await verify(log.files());
    assert.deepEqual([named(found), noted(found)], [[], [`unsigned ${session?.id} 22-23`]]);
    session?.head();
    assert.deepEqual(noted(await verify(log.files())), [
      `unsigned ${log.origin} 14-14`,
      `unsigned ${session?.id} 22-23`,
    ]);
    const newOne = log.session();
    newOne.head('start');
    assert.ok(noted(await verify(log.files())).includes(`unsigned ${newOne.id} 1-1`));
    const files: [string, string | readonly string[]][] = [...log.files()];
    const [name = '', lines] = files[0] ?? [];
    files[0] = [name, `${(lines as readonly string[]).join('\n')}\n{"v":2,"sess`];
    const half = await verify(files);
    assert.deepEqual([named(half), half.notes.find(({ reason }) => reason === 'half-line')?.line], [[], 24]);
    const back = new EvidenceLog('clock').open();
    const one = back.session();
    one.record(2);
    const lines2 = one.lines as string[];
    assert.equal(lines2.length, 3);
    const moved = relinked(back, 0, 2, (line) => line.replace('T08:00:03', 'T09:00:03'));
    assert.ok(noted(await verify(moved)).includes(`clock-back ${one.id}`));
  });

  it('takes half a line for a break where lines follow', async () => {
    const log = sampleLog('half');
    const files: [string, string | readonly string[]][] = [...log.files({ partLines: 10 })];
    const [name = '', lines] = files[0] ?? [];
    files[0] = [name, `${(lines as readonly string[]).join('\n')}\n{"v":2,`];
    const { breaks } = await verify(files);
    assert.deepEqual(breaks, [{ reason: 'not-a-record', file: name, line: 11, of: log.sessions[0]?.id }]);
  });

  it('continues from one ledger to the next, and trusts what the trusted key named', async () => {
    const first = sampleLog('old');
    const second = new EvidenceLog('new', { time: Date.parse('2026-11-03T08:00:00.000Z') });
    const policy = policyOf(first);
    first.add({ kind: 'closed', next: second.signer.vkey });
    first.sign();
    const [origin = '', size = '', root = ''] = first.words().split(' ');
    second.open({ origin, size: Number(size), root });
    // The session goes on in the new ledger.
    const session = first.sessions[0] ?? assert.fail();
    session.record(3);
    second.add({
      kind: 'head',
      session: session.id,
      size: session.lines.length,
      root: rootOf(session.lines),
      why: 'lines',
    });
    second.sign();
    const files = first.files().set(second.ledgerFile, second.lines);
    const found = await verify(files, { policy });
    assert.deepEqual([named(found), noted(found), found.isVouchedFor], [[], [], true]);
    // A ledger that only says so itself is not trusted.
    const self = new EvidenceLog('self', { time: Date.parse('2026-11-03T08:00:00.000Z') }).open({
      origin,
      size: Number(size),
      root,
    });
    self.sign();
    const claimed = await verify(first.files().set(second.ledgerFile, second.lines).set(self.ledgerFile, self.lines), {
      policy,
    });
    assert.deepEqual([named(claimed), claimed.isVouchedFor], [[], false]);
    assert.deepEqual(claimed.ledgers.map(({ isVouchedFor }) => isVouchedFor).sort(), [false, true, true]);
  });

  it('follows no link in a folder, and reads nothing but files of the log', async () => {
    const log = sampleLog('links');
    const found = await withFolder(log.files(), async (folder) => {
      const name = sessionFile(log, 0);
      renameSync(join(folder, name), join(folder, 'elsewhere'));
      symlinkSync(join(folder, 'elsewhere'), join(folder, name));
      writeFileSync(join(folder, 'ledger.lock'), '{');
      writeFileSync(join(folder, 'other.jsonl'), '{}\n');
      return await verifyEvidence({ paths: [folder] });
    });
    assert.deepEqual(named(found), [`missing ${log.sessions[0]?.id}`]);
    assert.deepEqual(noted(found), [`skipped ${sessionFile(log, 0)}`, 'skipped other.jsonl']);
  });

  it('finds the log of a bundle, and nothing in an empty folder', async () => {
    const log = sampleLog('bundle');
    const files = [...log.files()].map(([name, lines]) => [`audit/${name}`, lines] as const);
    assert.equal((await verify([...files, ['policy.txt', 'x']])).verdict, 'intact');
    assert.equal((await verify([])).verdict, 'unusable');
    await assert.rejects(verifyEvidence({ paths: ['/nowhere'] }), { code: 'ENOENT' });
  });

  it('reads short lines at the end of each piece of a file', async () => {
    // A piece of 256 KiB that follows the rest of a line of nearly 64 KiB fills the buffer.
    const text = `${'a\n'.repeat(98_307)}${'y'.repeat(65_530)}\n${'z\n'.repeat(200_000)}`;
    const { verdict, counts } = await verify([['ledger-00000000000000000000000000000000-0001.jsonl', text]]);
    assert.deepEqual([verdict, counts], ['broken', { 'not-a-record': 298_308 }]);
  });

  it('stops when it is asked to', async () => {
    const log = sampleLog('abort');
    const reason = new Error('stop');
    await assert.rejects(verify(log.files(), { signal: AbortSignal.abort(reason) }), reason);
  });
});

const rootOf = (lines: readonly string[]) => treeRoot(lines.map(leafOf)).toString('base64');
