import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EvidenceLog } from '../../tools/evidenceLog.ts';
import { buildVerifyProgram } from '../../tools/verifyProgram.ts';
import { median } from '../client/median.ts';
import type { Row, RowOptions } from './row.ts';

const peerScript = fileURLToPath(new URL('./peer.ts', import.meta.url));
/** Prints what a process used, its start included, when it ends. */
export const usage =
  "data:text/javascript,process.on('exit',()=>{const u=process.resourceUsage();console.error(JSON.stringify({seconds:(u.userCPUTime+u.systemCPUTime)/1e6,mib:u.maxRSS/1024}))})";

/** The targets: records a second of processor time on one core, and MiB in use. */
const targets = { perSecond: 100_000, mib: 200 } as const;
const records = 1_000_000;
const sessions = 20;
const every = 64;

interface Measured {
  readonly perSecond: number;
  readonly mib: number;
}

/** Verifies a log of a million records, in processor time and beside reading and hashing alone. */
export async function verifyingRow({ place, rounds }: RowOptions): Promise<Row> {
  const log = join(place, 'log');
  const program = await buildVerifyProgram(place);
  mkdirSync(log);
  writeLog(log);
  const all = Array.from({ length: rounds }, () => ({ own: verify(program, log), peer: peerOf(log) }));
  const peer = median(all.map((round) => round.peer));
  const perSecond = median(all.map((round) => round.own.perSecond));
  const mib = Math.max(...all.map((round) => round.own.mib));
  const beside = (peer / perSecond).toFixed(1);
  return {
    bar: `verification of ${records} records: >= ${targets.perSecond} records/s of processor time, <= ${targets.mib} MiB`,
    measured: `${Math.round(perSecond)} records/s (${beside} x the time of reading and hashing), ${Math.round(mib)} MiB`,
    isMet: perSecond >= targets.perSecond && mib <= targets.mib,
  };
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
