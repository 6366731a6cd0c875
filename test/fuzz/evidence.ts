import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint } from '../../src/evidence/checkpoint.ts';
import { wordsOf } from '../../src/evidence/cli/words.ts';
import { leafOf } from '../../src/evidence/line.ts';
import { parsePolicy } from '../../src/evidence/policy.ts';
import { rootOf } from '../../src/evidence/tree.ts';
import type { Break } from '../../src/evidence/verify/findings.ts';
import { type Verdict, verifyEvidence } from '../../src/evidence/verify/verify.ts';
import { Dice } from '../tools/dice.ts';
import { EvidenceLog, type MadeSession } from '../tools/evidenceLog.ts';
import { type Changed, changedIn, changes, contentOf, type Folder, numberOf } from './evidence/changes.ts';
import { checkCollected } from './evidence/collected.ts';
import type { Group } from './group.ts';

interface Original {
  readonly files: Folder;
  /** The log, what it goes on as, and one of another key. */
  readonly logs: readonly EvidenceLog[];
  /** A session that was removed, with its file as it was. */
  readonly removed: readonly [name: string, text: string];
}

/**
 * A log of sessions in parts, of which one was removed; the ledger that follows,
 * under which one of the sessions goes on; and a ledger of another key.
 */
function original(): Original {
  const log = new EvidenceLog('fuzz').open();
  for (const records of [14, 9, 6]) write(log, log.session(), records);
  const [goingOn = assert.fail(), , removed = assert.fail()] = log.sessions;
  removed.removed();
  const next = new EvidenceLog('fuzz, next', { time: Date.parse('2026-11-03T08:00:00.000Z') });
  log.add({ kind: 'closed', next: next.signer.vkey });
  log.sign();
  const [origin = '', size = '', rootWords = ''] = log.words().split(' ');
  next.open({ origin, size: Number(size), root: rootWords });
  write(next, next.session(), 9);
  goingOn.record(3);
  const { id, lines } = goingOn;
  const tree = rootOf(lines.map(leafOf)).toString('base64');
  next.add({ kind: 'head', session: id, size: lines.length, root: tree, why: 'end' });
  next.sign();
  const foreign = new EvidenceLog('fuzz, foreign').open();
  write(foreign, foreign.session(), 7);
  const logs = [log, next, foreign];
  const files = new Map(
    logs.flatMap((made) =>
      [...made.files({ partLines: 6 })].map(([name, own]) => [name, own.map((line) => `${line}\n`).join('')] as const),
    ),
  );
  for (const name of files.keys()) if (name.includes(removed.id)) files.delete(name);
  const [name = ''] = [...log.files().keys()].filter((one) => one.includes(removed.id));
  return {
    files,
    logs,
    removed: [name, removed.lines.map((line) => `${line}\n`).join('')],
  };
}

function write(log: EvidenceLog, session: MadeSession, records: number): void {
  session.head('start');
  log.sign();
  for (let done = 0; done < records; done += 4) {
    session.record(Math.min(4, records - done));
    session.head();
    log.sign();
  }
}

/** Whether a break names what was changed: the line or one beside it, numbers of which one was changed, or all that is gone. */
function isAt({ file, line, of, other }: Break, name: string, change: Changed, now: Folder): boolean {
  const { first, last, numbers, isGone } = change;
  const linesOf = (path: string) => (now.get(path) ?? '').split('\n');
  const isNear = (at: number) => at >= first - 1 && at <= last + 1;
  if (file === name && (line === 0 || isNear(line))) return true;
  if (other?.file === name && isNear(other.line)) return true;
  // Of two equal lines it is the later one.
  if (
    file === name &&
    linesOf(name)
      .slice(first - 1, last)
      .includes(linesOf(name)[line - 1] ?? '')
  )
    return true;
  const [whose = ''] = of.split(' ');
  // A session goes on under the name of the session in the next part, a ledger under that of its key.
  if (!name.includes(whose.slice(whose.lastIndexOf('/') + 1))) return false;
  const [, from, to] = / (\d+)-(\d+)$/.exec(of) ?? [];
  if (from !== undefined) return [...numbers].some((number) => number >= Number(from) && number <= Number(to));
  // Of what is gone, only the name is left.
  if (line === 0) return isGone;
  // The line before is named if only its hash was changed, in the part before or before a checkpoint.
  const number = numberOf(linesOf(file)[line - 1] ?? '') ?? Number.NaN;
  return [number - 1, number, number + 1].some((near) => numbers.has(near));
}

/** Applies a change, verifies, and puts the files back. */
async function changed(folder: string, files: Folder, seed: number, verify: () => Promise<Verdict>): Promise<string> {
  const dice = new Dice(seed);
  const now = new Map(files);
  const what = dice.pick(Object.keys(changes));
  changes[what]?.(now, dice.pick([...files.keys()]), dice);
  const names = [...new Set([...files.keys(), ...now.keys()])].filter((name) => now.get(name) !== files.get(name));
  for (const name of names) put(folder, name, now.get(name));
  try {
    const { breaks, verdict } = await verify();
    if (contentOf(now) === contentOf(files)) return verdict === 'intact' ? 'checkpoints alone' : 'broken';
    assert.notEqual(verdict, 'intact', `${what} went unnoticed: --seed of the input ${seed}`);
    const isNamed = names.some((name) =>
      breaks.some((one) => isAt(one, name, changedIn(files.get(name) ?? '', now.get(name)), now)),
    );
    assert.ok(isNamed, `${what} in ${names.join()}, seed ${seed}, is named elsewhere: ${JSON.stringify(breaks)}`);
    return 'broken';
  } finally {
    for (const name of names) put(folder, name, files.get(name));
  }
}

function put(folder: string, name: string, text: string | undefined): void {
  if (text === undefined) rmSync(join(folder, name), { force: true });
  else writeFileSync(join(folder, name), text, 'latin1');
}

/** Lines of the removed session are there again, changed or not: only those that a head confirms may count. */
async function leftOver(
  folder: string,
  [name, text]: Original['removed'],
  seed: number,
  verify: () => Promise<Verdict>,
  recordsBefore: number,
): Promise<string> {
  const dice = new Dice(seed);
  const now = new Map([[name, text]]);
  const what = dice.pick(Object.keys(changes).filter((one) => one.includes('line') && !one.includes('file')));
  changes[what]?.(now, name, dice);
  put(folder, name, now.get(name));
  try {
    const { breaks, notes, records } = await verify();
    if (breaks.length > 0) return 'left over and broken';
    const [lines, old] = [(now.get(name) ?? '').split('\n'), text.split('\n')];
    // Heads were signed of 1, 5 and 7 lines.
    const kept = lines.findIndex((line, index) => line !== old[index] || line === '');
    const confirmed = [7, 5, 1, 0].find((size) => size <= (kept < 0 ? lines.length : kept)) ?? 0;
    assert.ok(records - recordsBefore <= confirmed, `${what}, seed ${seed}: ${records - recordsBefore} lines count`);
    const isSaid = notes.some(({ reason }) => reason === 'left-over' || reason === 'half-line');
    assert.ok(isSaid || records - recordsBefore === lines.length - 1, `${what} went unnoticed, seed ${seed}`);
    return 'left over';
  } finally {
    put(folder, name, undefined);
  }
}

async function checkChanges(runs: number, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
  try {
    const { files, logs, removed } = original();
    for (const [name, text] of files) put(folder, name, text);
    const policy = parsePolicy(Buffer.from(`log ${logs[0]?.signer.vkey}\nquorum none\n`));
    const checkpoints = logs.map(({ note }) => ({
      ...(parseCheckpoint(note) ?? assert.fail()),
      file: 'kept',
      line: 2,
    }));
    const verify = () => verifyEvidence({ paths: [folder], policy, checkpoints });
    const untouched = await verify();
    assert.deepEqual([untouched.breaks, untouched.notes], [[], []]);
    assert.deepEqual(untouched.ledgers.map(({ isVouchedFor }) => isVouchedFor).sort(), [false, true, true]);
    const counts = new Map<string, number>();
    const dice = new Dice(seed);
    for (let run = 0; run < runs; run += 1) {
      const seed = dice.below(2 ** 31);
      const result = await (run % 16 === 15
        ? leftOver(folder, removed, seed, verify, untouched.records)
        : changed(folder, files, seed, verify));
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
    return [...counts].map(([result, count]) => `${count} ${result}`).join(', ');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lines that begin like those of a log, and go on with anything; collected or not. */
async function checkHostile(runs: number, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
  try {
    const { files } = original();
    const lines = [...files.values()].flatMap((text) => text.split('\n'));
    const names = [...files.keys()];
    const bytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');
    const dice = new Dice(seed);
    const verdicts = new Map<string, number>();
    for (let run = 0; run < runs; run += 1) {
      const part = () => {
        const line = dice.pick(lines);
        const number = dice.pick([0, 1, 2, 7, 99_999, 100_001, 999_999, 1_000_000, 1_000_001]);
        return dice.pick([
          line,
          line.replace(/"seq":\d+/, `"seq":${number}`),
          line.slice(0, dice.below(line.length + 1)) + dice.text(dice.below(30), bytes),
          line.replace(/(size":|\\n)\d+/, `$1${number}`),
          line.replace(/"kind":"\w+"/, `"kind":"${dice.pick(['opened', 'head', 'closed', '__proto__', 'seen'])}"`),
          'x'.repeat(dice.pick([0, 8_000, 65_536, 65_537])),
        ]);
      };
      const name = dice.pick(names);
      writeFileSync(
        join(folder, name),
        Array.from({ length: 1 + dice.below(40) }, () => `${part()}\n`).join(''),
        'latin1',
      );
      const verdict = await verifyEvidence({ paths: [folder], isCollected: dice.below(2) === 0 });
      assert.match(wordsOf(verdict, false), /^[\x20-\x7e\n]+$/, `seed ${seed}, run ${run}`);
      verdicts.set(verdict.verdict, (verdicts.get(verdict.verdict) ?? 0) + 1);
    }
    return [...verdicts].map(([verdict, count]) => `${count} ${verdict}`).join(', ');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The verification of audit logs whose last checkpoint is kept elsewhere. */
export const evidence: Group = {
  name: 'evidence',
  testRuns: 600,
  properties: [
    { name: 'no change of a log goes unnoticed, and each is named at its place', share: 0.4, check: checkChanges },
    {
      name: 'no change of collected lines goes unnoticed, whatever anyone adds',
      share: 0.4,
      check: checkCollected,
    },
    { name: 'any bytes get a verdict, in printable characters', share: 0.2, check: checkHostile },
  ],
};
