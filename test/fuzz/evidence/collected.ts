import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint } from '../../../src/evidence/checkpoint.ts';
import { leafOf } from '../../../src/evidence/line.ts';
import { parsePolicy } from '../../../src/evidence/policy.ts';
import { parseSeen } from '../../../src/evidence/verify/seen.ts';
import { verifyEvidence } from '../../../src/evidence/verify/verify.ts';
import { Dice } from '../../tools/dice.ts';
import { EvidenceLog, type MadeSession } from '../../tools/evidenceLog.ts';
import { changes } from './changes.ts';

/** As long as a machine may be behind. Milliseconds. */
const grace = 15 * 60_000;

const isContent = (line: string): boolean => line.startsWith('{"v":2,') && line.includes('"prev":"');
const timeOf = (line: string): number => Date.parse(/"time":"([^"]*)"/.exec(line)?.[1] ?? '');

type Change = (files: Map<string, string>, name: string, dice: Dice) => void;

/** A line with the number, of the session or ledger of another, that is of now and that nobody signed. */
function forged(like: string, seq: number, prev: string): string {
  return like
    .replace(/"seq":\d+/, `"seq":${seq}`)
    .replace(/"time":"[^"]*"/, `"time":"${new Date().toISOString()}"`)
    .replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${prev}"`);
}

const numberOf = (line: string): number => Number(/"seq":(\d+)/.exec(line)?.[1] ?? 0);

/** Takes lines out from somewhere on, and puts lines of now in their place: behind a gap, or linked to each other. */
const young =
  (isLinked: boolean, keepsCheckpoints: boolean): Change =>
  (files, name, dice) => {
    const lines = (files.get(name) ?? '').split('\n').filter((line) => line !== '');
    const content = lines.filter(isContent);
    const from = 1 + dice.below(Math.max(1, content.length));
    const gone = new Set(content.slice(from));
    const left = lines.filter((line) => !gone.has(line) && (keepsCheckpoints || isContent(line)));
    const like = content.at(-1) ?? '';
    let [seq, prev] = [
      numberOf(content[from - 1] ?? '') + (isLinked ? 0 : dice.below(4)),
      dice.text(64, '0123456789abcdef'),
    ];
    const end = isLinked ? numberOf(like) + dice.below(3) : seq;
    for (; seq <= end; seq += 1) {
      const line = forged(like, seq, prev);
      left.push(line);
      prev = leafOf(line).toString('hex');
    }
    if (!isLinked) left.push(forged(like, numberOf(like) + dice.below(9), prev));
    files.set(name, left.map((line) => `${line}\n`).join(''));
  };

const collectedChanges: Readonly<Record<string, Change>> = {
  ...changes,
  'young lines behind a gap': young(false, true),
  'young lines behind a gap, without checkpoints': young(false, false),
  'young lines beside the signed ones': young(true, true),
  'young lines beside the signed ones, without checkpoints': young(true, false),
};

function write(log: EvidenceLog, session: MadeSession, records: number): void {
  for (let done = 0; done < records; done += 4) {
    session.record(Math.min(4, records - done));
    session.head();
    log.sign();
  }
}

/** Two machines: most of their lines are older than the grace, the last ones are not. */
function machines(now: number): readonly EvidenceLog[] {
  return ['one', 'other'].map((name) => {
    const log = new EvidenceLog(`fuzz, collected ${name}`, { time: now - 3 * 3_600_000 }).open();
    const sessions = [11, 6, 9].map((records) => {
      const session = log.session();
      session.head('start');
      write(log, session, records);
      return session;
    });
    log.skipTo(now - 120_000);
    for (const session of sessions.slice(1)) write(log, session, 5);
    return log;
  });
}

interface Made {
  readonly folder: string;
  readonly files: ReadonlyMap<string, string>;
  readonly options: Omit<Parameters<typeof verifyEvidence>[0], 'paths'>;
  /** The kept states, in both forms. */
  readonly kept: readonly Omit<Parameters<typeof verifyEvidence>[0], 'paths'>[];
  readonly now: number;
}

/** What a change did to the lines, and what the verification made of it. Throws if it went unnoticed. */
async function changed({ folder, files, options, kept, now }: Made, seed: number): Promise<string> {
  const dice = new Dice(seed);
  const after = new Map(files);
  const what = dice.pick(Object.keys(collectedChanges));
  collectedChanges[what]?.(after, dice.pick([...files.keys()]), dice);
  const names = [...new Set([...files.keys(), ...after.keys()])].filter((name) => after.get(name) !== files.get(name));
  const put = (from: ReadonlyMap<string, string>) => {
    for (const name of names) {
      const text = from.get(name);
      if (text === undefined) rmSync(join(folder, name), { force: true });
      else writeFileSync(join(folder, name), text, 'latin1');
    }
  };
  put(after);
  try {
    const { verdict, notes, breaks } = await verifyEvidence({ paths: [folder], ...options, ...dice.pick(kept) });
    const all = new Set([...after.values()].flatMap((text) => text.split('\n').slice(0, -1)));
    const before = [...files.values()].flatMap((text) => text.split('\n').slice(0, -1));
    const gone = before.filter((line) => !all.has(line));
    const records = gone.filter(isContent);
    const told = `${what}, seed ${seed}: ${JSON.stringify(breaks)}`;
    if (records.some((line) => timeOf(line) < now - grace)) {
      assert.equal(verdict, 'broken', told);
      return 'broken';
    }
    if (records.length > 0) {
      assert.ok(verdict === 'broken' || notes.some(({ reason }) => reason === 'late'), told);
      return verdict === 'broken' ? 'young and broken' : 'late';
    }
    const isMore = all.size > new Set(before).size - gone.length;
    if (isMore) return `added, ${verdict}`;
    assert.equal(verdict, 'intact', told);
    return gone.length > 0 ? 'checkpoints alone' : 'order alone';
  } finally {
    put(files);
  }
}

/** Lines of two machines as a collector has them, with the real grace and the present time, and a kept state of each. */
export async function checkCollected(runs: number, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
  try {
    const counts = new Map<string, number>();
    const dice = new Dice(seed);
    let made: Made | null = null;
    for (let run = 0; run < runs; run += 1) {
      // The lines stay young for less than the grace.
      if (made === null || Date.now() - made.now > grace / 3) made = await makeMachines(folder);
      const result = await changed(made, dice.below(2 ** 31));
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
    return [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeMachines(folder: string): Promise<Made> {
  const now = Date.now();
  const logs = machines(now);
  const files = new Map(
    logs.flatMap((log) =>
      [...log.files({ partLines: 7 })].map(([name, own]) => [name, own.map((line) => `${line}\n`).join('')] as const),
    ),
  );
  for (const [name, text] of files) writeFileSync(join(folder, name), text, 'latin1');
  const vkeys = logs.map(({ signer }) => `log ${signer.vkey}\n`).join('');
  const options = { policy: parsePolicy(Buffer.from(`${vkeys}quorum none\n`)), isCollected: true, grace };
  const place = { file: 'kept', line: 2 };
  const checkpoints = logs.map(({ note }) => ({ ...(parseCheckpoint(note) ?? assert.fail()), ...place }));
  const kept = [{ checkpoints }, { seen: parseSeen(logs.map((log) => log.words()).join('\n'), 'seen') }];
  for (const each of kept) {
    const { breaks, notes } = await verifyEvidence({ paths: [folder], ...options, ...each });
    assert.deepEqual([breaks, notes], [[], []]);
  }
  return { folder, files, options, kept, now };
}
