import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { readAuditLog } from '../../../src/store/audit/auditExport.ts';
import { auditFileName, stampOf } from '../../../src/store/audit/auditFiles.ts';
import { SessionChain } from '../../../src/store/audit/auditLine.ts';
import { isRunning } from '../../../src/store/audit/auditRecovery.ts';
import type { EvidenceLog } from '../../../src/store/audit/evidenceLog.ts';
import { AuditBench, FileSecrets, intent } from './auditSamples.ts';
import { judge } from './evidenceJudge.ts';

type Mode = 'send' | 'hang' | 'busy' | 'rotate' | 'purge' | 'signed' | 'unsigned';

describe('store: the audit log of several windows', () => {
  let audit: AuditBench<FileSecrets>;
  beforeEach(() => {
    audit = new AuditBench((root) => new FileSecrets(join(root, 'secrets')));
  });
  afterEach(() => audit.clear());

  /** `readyAt`: how many requests a busy window has sent when it says so. */
  const start = (mode: Mode, name: string, readyAt = 50): ChildProcess => {
    const args = [audit.folder, join(audit.root, 'secrets'), mode, name, String(readyAt)];
    return fork(join(import.meta.dirname, 'auditWorker.ts'), args);
  };

  const kill = async (child: ChildProcess): Promise<void> => {
    await once(child, 'message');
    child.kill('SIGKILL');
    await once(child, 'exit');
  };

  /** A new window, which signs what it finds. */
  const next = async (): Promise<void> => {
    const log = audit.begin();
    await log.record(intent('next'));
    await log.close();
  };

  it('killed between intent and outcome: the next start records the outcome as unknown, once', async () => {
    await kill(start('hang', '1'));
    for (let starts = 0; starts < 2; starts += 1) await next();
    const { records } = await readAuditLog(audit.folder);
    const unknown = records.filter((record) => record.kind === 'request-outcome' && record.outcome === 'unknown');
    assert.deepEqual(unknown.map((record) => 'request' in record && record.request).sort(), [
      '1-0',
      '1-0.0',
      '1-0.1',
      '1-0.2',
    ]);
  });

  it('killed with lines that are not signed: the next window signs them, and says that it did', async () => {
    await kill(start('hang', '1'));
    assert.equal(judge(audit.folder).unsigned, 3);
    await next();
    assert.deepEqual(judge(audit.folder), { faults: [], sessions: 2, lines: 11, unsigned: 0 });
    assert.deepEqual(audit.says().slice(0, 3), ['opened', 'start 2', 'recovered 5']);
    await next();
    assert.equal(audit.says().filter((says) => /recovered|unanchored/.test(says)).length, 1);
  });

  const changes: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
    'the last line is dropped': (lines) => lines.slice(0, -1),
    'all lines that were not signed are dropped': (lines) => lines.slice(0, 2),
    'a line is changed and linked anew': (lines) => linked(lines, (line) => line.replace('1-0.1', '9-9.9')),
    'nine lines are added': (lines) => linked([...lines, ...Array(9).fill(lines.at(-1) ?? '')], (line) => line),
    'the last lines are replaced by one that names a process that runs': (lines) =>
      linked([...lines.slice(0, 3), runningStart(lines)], (line) => line),
  };
  for (const [how, change] of Object.entries(changes)) {
    it(`killed, and then ${how}: the next window does not vouch for it`, async () => {
      await kill(start('hang', '1'));
      audit.put(change(audit.linesOf()));
      await next();
      assert.equal(audit.says().filter((says) => says.startsWith('unanchored')).length, 1);
      assert.equal(audit.says().filter((says) => says.startsWith('recovered')).length, 0);
      assert.deepEqual(judge(audit.folder).faults, []);
    });
  }

  const more: Readonly<Record<string, (lines: readonly string[]) => readonly string[]>> = {
    'a line is added': (lines) => linked([...lines, lines.at(-1) ?? ''], (line) => line),
    'a line is added that names a process that runs': (lines) =>
      linked([...lines, runningStart(lines)], (line) => line),
  };
  for (const [how, change] of Object.entries(more)) {
    it(`killed, and then ${how}: the next window reports that its lines are unconfirmed, and treats them as unsigned`, async () => {
      await kill(start('hang', '1'));
      const lines = change(audit.linesOf());
      audit.put(lines);
      const [name = ''] = audit.files();
      await next();
      assert.deepEqual(
        audit.says().filter((says) => /recovered|unvouched|unanchored/.test(says)),
        [`recovered ${lines.length - 1}`, `unvouched ${lines.length}`],
      );
      const { session } = JSON.parse(lines[0] ?? '') as { readonly session: string };
      const isSigned = new Map<number, boolean>();
      const take = (at: { readonly session: string; readonly seq: number }, _: string, signed: boolean): void => {
        if (at.session === session) isSigned.set(at.seq, signed);
      };
      const kinds = new Set(['request-intent', 'session-started']);
      const all = await verifyEvidence({ paths: [audit.folder], taker: { kinds, take } });
      assert.deepEqual(all.breaks, []);
      assert.deepEqual(
        all.notes.map(({ reason, line, of }) => [reason, line, of.slice(37)]),
        [['not-vouched', lines.length, `${lines.length}-${lines.length}`]],
      );
      assert.deepEqual([isSigned.get(lines.length - 1), isSigned.get(lines.length)], [true, false]);
      const { verdict, unvouched } = await audit.verify();
      assert.deepEqual([verdict, unvouched], ['intact', [{ file: name, line: lines.length, count: 1 }]]);
    });
  }

  it('killed at any moment, beside two others: everything is intact, and the next window signs the rest', async () => {
    const children = ['1', '2'].map((name) => start('send', name));
    const ends = Promise.all(children.map((child) => once(child, 'exit')));
    await kill(start('busy', '3'));
    assert.deepEqual(
      (await ends).map(([code]) => code),
      [0, 0],
    );
    await next();
    const { faults, unsigned, sessions } = judge(audit.folder);
    assert.deepEqual({ faults, unsigned, sessions }, { faults: [], unsigned: 0, sessions: 4 });
    assert.ok(!audit.says().some((says) => says.startsWith('unanchored')));
    assert.deepEqual(await audit.secrets.keys().then((keys) => keys.filter((key) => key.includes('session'))), []);
  });

  /** Verifies and exports, again and again, until the others are done. */
  const verifyBeside = async (log: EvidenceLog, others: readonly Promise<void>[]): Promise<void> => {
    let running = true;
    const all = Promise.all(others).finally(() => {
      running = false;
    });
    while (running) {
      assert.deepEqual((await log.verify()).breaks, []);
      const bundle = audit.unpack((await log.bundle(async () => Buffer.from('// verify'))).content);
      const policy = parsePolicy(readFileSync(join(bundle, 'trusted-keys.txt')));
      assert.deepEqual((await verifyEvidence({ paths: [bundle], policy })).breaks, []);
      rmSync(bundle, { recursive: true });
    }
    await all;
  };

  it('verified and exported again and again while others begin, write and end: intact each time', async () => {
    const log = audit.begin();
    await log.record(intent('mine'));
    const others = async (name: string): Promise<void> => {
      for (let count = 0; count < 3; count += 1) await once(start('send', `${name}${count}`), 'exit');
    };
    await verifyBeside(log, ['a', 'b'].map(others));
    const { verdict, unsigned, records } = await log.verify();
    assert.deepEqual([verdict, unsigned, records], ['intact', [], 2 + 6 * 1001]);
  });

  const what: Readonly<Record<string, readonly Mode[]>> = {
    'are killed': ['busy'],
    'begin a ledger or remove all logs, and are killed': ['rotate', 'purge'],
  };
  for (const [how, modes] of Object.entries(what)) {
    it(`the same while others ${how}, wherever they are: intact each time, and all of it is signed`, async () => {
      const log = audit.begin();
      await log.record(intent('mine'));
      // One after the other: who does nothing else but remove logs leaves no time to look at them.
      const others = async (name: string): Promise<void> => {
        for (let count = 0; count < 6; count += 1) {
          const mode = (name === 'a' ? undefined : modes[count % modes.length]) ?? 'busy';
          await kill(start(mode, `${name}${count}`, Math.floor(Math.random() * 400)));
        }
      };
      await verifyBeside(log, ['a', 'b'].map(others));
      const { verdict, unsigned } = await log.verify();
      assert.deepEqual([verdict, unsigned], ['intact', []]);
      assert.deepEqual(judge(audit.folder).faults, []);
      for (const index of audit.ledgers().keys()) assert.doesNotMatch(audit.says(index).join(), /unanchored/);
    });
  }

  it('two windows with 500 sends each: nothing is lost, everything is signed by one key', async () => {
    const children = ['1', '2'].map((name) => start('send', name));
    const ends = await Promise.all(children.map((child) => once(child, 'exit')));
    assert.deepEqual(
      ends.map(([code]) => code),
      [0, 0],
    );
    assert.deepEqual(judge(audit.folder), { faults: [], sessions: 2, lines: 2002, unsigned: 0 });
    assert.equal(audit.ledgers().length, 1);
    const { records, badLines } = await readAuditLog(audit.folder);
    const outcomes = new Set(records.flatMap((record) => (record.kind === 'request-outcome' ? [record.request] : [])));
    assert.deepEqual([outcomes.size, badLines], [1000, 0]);
  });

  it('a session that another window is still writing is left alone', async () => {
    const child = start('hang', '1');
    await once(child, 'message');
    await next();
    const { records } = await readAuditLog(audit.folder);
    assert.ok(records.every(({ kind }) => kind !== 'request-outcome'));
    assert.ok(!audit.says().some((says) => /recovered|unanchored/.test(says)));
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it('killed when everything was signed: its anchor is deleted, and the ledger needs no more line', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    await log.sign();
    const child = start('signed', '1');
    await kill(child);
    const session = (slots: readonly string[]): readonly string[] => slots.filter((slot) => slot.includes(' session '));
    assert.equal(session(await audit.secrets.keys()).length, 2);
    await next();
    assert.equal(session(await audit.secrets.keys()).length, 1);
    assert.ok(!audit.says().some((says) => /recovered|unanchored/.test(says)));
  });

  it('a log that was deleted before the ledger knew it is missing', async () => {
    const log = audit.begin();
    await log.record(intent('a'));
    await log.sign();
    const names = new Set(audit.files());
    await kill(start('unsigned', '1'));
    const name = audit.files().find((each) => !names.has(each)) ?? '';
    rmSync(join(audit.folder, name));
    const { verdict, breaks } = await log.verify();
    assert.deepEqual(
      [verdict, breaks.map(({ reason, file }) => [reason, name.includes(file)])],
      [...['broken', [['missing', true]]]],
    );
  });

  it('killed before its anchor could be stored: the ledger says that nobody vouches for its lines', async () => {
    await kill(start('unsigned', '1'));
    for (const slot of await audit.secrets.keys()) if (slot.includes(' session ')) await audit.secrets.delete(slot);
    const [name = ''] = audit.files();
    for (let starts = 0; starts < 2; starts += 1) await next();
    assert.deepEqual(
      audit.says().filter((says) => /recovered|unanchored/.test(says)),
      [],
    );
    assert.deepEqual(
      audit.says().filter((says) => says.startsWith('unvouched')),
      ['unvouched 2'],
    );
    const { breaks, unvouched } = await audit.verify();
    assert.deepEqual([breaks, unvouched], [[], [{ file: name, line: 1, count: 2 }]]);
  });

  it('half a line of a killed window stays as it is', async () => {
    await kill(start('hang', '1'));
    const path = audit.path();
    appendFileSync(path, '{"v":2,"session":"');
    await next();
    assert.ok(audit.says().includes('recovered 5'));
    assert.ok(readFileSync(path, 'utf8').endsWith('\n{"v":2,"session":"'));
  });

  it('a process of before the start of this machine has ended, whoever has its number now', () => {
    const daysAgo = (days: number): string => new Date(Date.now() - (uptime() + days * 86_400) * 1000).toISOString();
    assert.deepEqual([isRunning(process.ppid, daysAgo(0)), isRunning(process.ppid, daysAgo(1))], [true, false]);
  });

  it('a session with a reused process number has ended, and an unreadable file hides none', async () => {
    const began = new Date(performance.timeOrigin - 60_000);
    const session = '11111111-2222-4333-8444-555555555555';
    const chain = new SessionChain(session);
    const lines = [{ kind: 'session-started', versions: {}, pid: process.pid } as const, intent('left')];
    const text = lines.map((entry) => `${chain.add(entry, began.toISOString())}\n`).join('');
    mkdirSync(audit.folder);
    writeFileSync(join(audit.folder, auditFileName(stampOf(began), session, 1)), text);
    const unreadable = auditFileName(stampOf(began), session.replace('1', '0'), 1);
    mkdirSync(join(audit.folder, unreadable));
    await audit.begin().record(intent('next'));
    rmSync(join(audit.folder, unreadable), { recursive: true });
    const { records } = await readAuditLog(audit.folder);
    assert.deepEqual(
      records.flatMap((record) => (record.kind === 'request-outcome' ? [[record.request, record.outcome]] : [])),
      [['left', 'unknown']],
    );
  });
});

function runningStart([first = '']: readonly string[]): string {
  return first.replace(/"pid":\d+/, `"pid":${process.pid}`);
}

/** As an attacker writes lines: each follows from the one before. */
function linked(lines: readonly string[], change: (line: string) => string): readonly string[] {
  const [first = ''] = lines;
  const chain = new SessionChain(JSON.parse(first).session);
  return lines.map((line) => {
    const { v: _, session: __, seq: ___, time, prev: ____, ...entry } = JSON.parse(change(line));
    return chain.add(entry, time);
  });
}
