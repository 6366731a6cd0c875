import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkpointText } from '../../../src/evidence/checkpoint.ts';
import { emptyRoot } from '../../../src/evidence/tree.ts';
import { EvidenceLog } from '../../tools/evidenceLog.ts';
import { buildVerifyProgram } from '../../tools/verifyProgram.ts';
import { median } from '../client/median.ts';

const results = fileURLToPath(new URL('../../../test-results/bench', import.meta.url));
const peerScript = fileURLToPath(new URL('./peer.ts', import.meta.url));
/** Prints what a process used, its start included, when it ends. */
export const usage =
  "data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();console.error(JSON.stringify({seconds:(u.userCPUTime+u.systemCPUTime)/1e6,mib:u.maxRSS/1024}))})";

/** The targets: records a second of processor time on one core, MiB in use, and milliseconds of processor time. */
const targets = { perSecond: 100_000, mib: 300, signatureMs: 0.5 } as const;
const records = 1_000_000;
const sessions = 20;
const every = 64;

interface Measured {
  readonly perSecond: number;
  readonly mib: number;
}

/**
 * Verifies a log of a million records, in processor time and beside reading and hashing alone, and signs checkpoints. Writes
 * test-results/bench/verifying.json. Returns the exit code: 1 if a target is missed and `check` is set.
 */
export async function verifyingBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(results, { recursive: true });
  const folder = mkdtempSync(join(results, 'verifying-'));
  try {
    const log = join(folder, 'log');
    const program = await buildVerifyProgram(folder);
    mkdirSync(log);
    writeLog(log);
    const all = Array.from({ length: Number(rounds) }, () => ({
      own: verify(program, log),
      peer: peerOf(log),
    }));
    const peer = median(all.map((round) => round.peer));
    const perSecond = median(all.map((round) => round.own.perSecond));
    const mib = Math.max(...all.map((round) => round.own.mib));
    const signatureMs = signing();
    console.log(
      `${records} records, a head and a checkpoint every ${every}, Node ${process.versions.node}, ` +
        `load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
    );
    console.table([
      {
        name: 'verified: records/s of processor time',
        value: Math.round(perSecond),
        target: `>= ${targets.perSecond}`,
      },
      { name: 'read and hashed: records/s', value: Math.round(peer), target: '' },
      { name: 'verified beside read and hashed', value: `${(peer / perSecond).toFixed(2)} x`, target: '' },
      { name: 'memory: MiB', value: Math.round(mib), target: `<= ${targets.mib}` },
      { name: 'a signature: ms', value: signatureMs.toFixed(3), target: `<= ${targets.signatureMs}` },
    ]);
    const isMet = perSecond >= targets.perSecond && mib <= targets.mib && signatureMs <= targets.signatureMs;
    const result = {
      node: process.versions.node,
      rounds,
      records,
      perSecond,
      peer: peer,
      mib,
      signatureMs,
      isMet,
    };
    writeFileSync(join(results, 'verifying.json'), `${JSON.stringify(result, null, 2)}\n`);
    console.log(isMet ? 'All targets are met.' : 'A target is MISSED.');
    return check && !isMet ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeLog(folder: string): void {
  const log = new EvidenceLog('bench').open();
  for (let index = 0; index < sessions; index += 1) {
    const session = log.session();
    session.head('start');
    log.sign();
    for (let done = 0; done < records / sessions; done += every) {
      session.record(every);
      session.head();
      log.sign();
    }
    const [[name = '', lines] = []] = log.files();
    writeFileSync(join(folder, name), `${lines?.join('\n')}\n`);
    // A million lines are more than this process needs.
    log.sessions.length = 0;
  }
  appendFileSync(join(folder, log.ledgerFile), `${log.lines.join('\n')}\n`);
}

function verify(program: string, log: string): Measured {
  const options = { encoding: 'utf8', maxBuffer: 10_000_000 } as const;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--import', usage, program, '--json', log], options);
  const verdict = JSON.parse(stdout) as { readonly records: number };
  // No policy is given.
  if (status !== 3) throw new Error('What was written does not verify.');
  const { seconds, mib } = JSON.parse(stderr) as { readonly seconds: number; readonly mib: number };
  return { perSecond: verdict.records / seconds, mib };
}

function peerOf(log: string): number {
  return Number(execFileSync(process.execPath, [peerScript, log], { encoding: 'utf8' }));
}

/** Milliseconds of processor time for the signature of a checkpoint. */
function signing(): number {
  const { origin, signer } = new EvidenceLog('bench');
  const count = 2_000;
  const before = process.cpuUsage();
  for (let size = 0; size < count; size += 1) signer.sign(checkpointText({ origin, size, root: emptyRoot }));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3 / count;
}
