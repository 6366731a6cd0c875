import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseCheckpoint } from '../../src/evidence/checkpoint.ts';
import { wordsOf } from '../../src/evidence/cli/words.ts';
import { parsePolicy } from '../../src/evidence/policy.ts';
import type { Break } from '../../src/evidence/verify/findings.ts';
import { type Verdict, verifyEvidence } from '../../src/evidence/verify/verify.ts';
import { adoptedRows, EvidenceLog } from '../tools/evidenceLog.ts';
import { changedLines, changes, contentOf, type Folder } from './evidence/changes.ts';
import type { Group } from './group.ts';
import { Dice } from './secretExamples.ts';

const adoptedFile = '20261030T090001Z-524d72af-5a9f-44f6-ad28-57234d8f7663-0001.jsonl';

/** A log of two sessions in parts, and a file from before the log was signed. */
function original(): { readonly files: Folder; readonly log: EvidenceLog } {
  const log = new EvidenceLog('fuzz').open();
  const oldText = '{"seq":1,"time":"2026-10-30T09:00:04.000Z","kind":"session-started","mac":"00"}\n';
  const { text, root } = adoptedRows([[adoptedFile, oldText]]);
  log.add({ kind: 'adopted', from: 0, files: 1, records: 1, verdict: 'intact', root });
  for (const records of [14, 9]) {
    const session = log.session();
    session.head('start');
    log.sign();
    for (let done = 0; done < records; done += 4) {
      session.record(Math.min(4, records - done));
      session.head();
      log.sign();
    }
  }
  const files = [...log.files({ partLines: 6 })].map(
    ([name, lines]) => [name, lines.map((line) => `${line}\n`).join('')] as const,
  );
  return { files: new Map([...files, [adoptedFile, oldText], ['adopted.txt', text]]), log };
}

/** Whether a break is at what was changed: the line or one beside it, or numbers with it, or the whole file or session. */
function isAt(
  { reason, file, line, of, other }: Break,
  name: string,
  { first, last }: { first: number; last: number },
  lines: readonly string[],
): boolean {
  const isNear = (at: number) => at >= first - 1 && at <= last + 1;
  // Of two equal lines it is the later one.
  if (reason === 'out-of-order' && file === name && lines.slice(first - 1, last).includes(lines[line - 1] ?? ''))
    return true;
  if (file === name && (line === 0 || isNear(line))) return true;
  if (other?.file === name && isNear(other.line)) return true;
  // Of a session or a ledger whose lines or files are gone, only the name is left.
  const [whose = ''] = of.split(' ');
  const id = whose.slice(whose.lastIndexOf('/') + 1);
  if (!name.includes(id)) return false;
  // It is the line before that is named if only the hash of it was changed: before a checkpoint, or in the part before.
  if (reason === 'altered' && (file !== name || line >= first - 3)) return true;
  return file === whose || /\d+-\d+$/.test(of) || line === 0;
}

/** Applies a change, verifies, and puts the files back. */
async function changed(folder: string, files: Folder, seed: number, verify: () => Promise<Verdict>): Promise<string> {
  const dice = new Dice(seed);
  const now = new Map(files);
  const what = dice.pick(Object.keys(changes));
  changes[what]?.(now, dice.pick([...files.keys()]), dice);
  const names = [...files.keys()].filter((name) => now.get(name) !== files.get(name));
  for (const name of names) write(folder, name, now.get(name));
  try {
    const { breaks, verdict, notes } = await verify();
    // An older version that still runs adds lines to an adopted file: nothing that was signed has changed.
    const grown = names.filter((name) => now.get(name)?.startsWith(files.get(name) ?? '\0'));
    const isGrown =
      names.length === grown.length && notes.some(({ reason, file }) => reason === 'unsigned' && grown.includes(file));
    if (isGrown && (grown[0] === adoptedFile || grown[0] === 'adopted.txt')) return 'grown';
    if (contentOf(now) === contentOf(files)) return verdict === 'intact' ? 'checkpoints alone' : 'broken';
    assert.notEqual(verdict, 'intact', `${what} went unnoticed: --seed of the input ${seed}`);
    const isNamed = names.some((name) =>
      breaks.some((one) =>
        isAt(one, name, changedLines(files.get(name) ?? '', now.get(name)), (now.get(name) ?? '').split('\n')),
      ),
    );
    assert.ok(isNamed, `${what} in ${names.join()}, seed ${seed}, is named elsewhere: ${JSON.stringify(breaks)}`);
    return 'broken';
  } finally {
    for (const name of names) write(folder, name, files.get(name));
  }
}

function write(folder: string, name: string, text: string | undefined): void {
  if (text === undefined) rmSync(join(folder, name), { force: true });
  else writeFileSync(join(folder, name), text, 'latin1');
}

async function checkChanges(runs: number, seed: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-evidence-'));
  try {
    const { files, log } = original();
    for (const [name, text] of files) write(folder, name, text);
    const policy = parsePolicy(Buffer.from(`log ${log.signer.vkey}\nquorum none\n`));
    const kept = parseCheckpoint(log.note) ?? assert.fail();
    const checkpoints = [{ ...kept, file: 'kept', line: 2 }];
    const verify = () => verifyEvidence({ paths: [folder], policy, checkpoints });
    const untouched = await verify();
    assert.deepEqual([untouched.verdict, untouched.isVouchedFor, untouched.notes], ['intact', true, []]);
    const counts = new Map<string, number>();
    const dice = new Dice(seed);
    for (let run = 0; run < runs; run += 1) {
      const result = await changed(folder, files, dice.below(2 ** 31), verify);
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
          line.replace(
            /"kind":"\w+"/,
            `"kind":"${dice.pick(['opened', 'head', 'closed', 'adopted', '__proto__', 'seen'])}"`,
          ),
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
    { name: 'no change of a log goes unnoticed, and each is named at its place', share: 0.8, check: checkChanges },
    { name: 'any bytes get a verdict, in printable characters', share: 0.2, check: checkHostile },
  ],
};
