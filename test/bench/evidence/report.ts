import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EvidenceLog } from '../../tools/evidenceLog.ts';
import { buildVerifyProgram } from '../../tools/verifyProgram.ts';
import { peerSeconds, usage } from './verifying.ts';

const results = fileURLToPath(new URL('../../../test-results/bench', import.meta.url));
const reportProgram = fileURLToPath(new URL('../../../tools/report/main.ts', import.meta.url));

/**
 * The targets: records for each second of processor time, and MiB in use. A report also parses each record, which reading and
 * hashing, the peer that is shown beside it, do not.
 */
const targets = { perSecond: 100_000, mib: 300 } as const;
const machines = 1_000;
const every = 64;

/**
 * Reports on the collected logs of 1,000 machines, with 2,000 records each a round: 10 million in five. Then runs verify.mjs on
 * the folder of one machine, which is mostly its start and has no target, and on all folders together. Writes
 * test-results/bench/report.json. Returns the exit code: 1 if a target is missed and `check` is set.
 */
export async function reportBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(results, { recursive: true });
  const folder = mkdtempSync(join(results, 'report-'));
  try {
    const program = await buildVerifyProgram(folder);
    const collected = join(folder, 'collected');
    const policy = writeMachines(collected, Number(rounds) * 2_000);
    const policyPath = join(folder, 'policy.txt');
    writeFileSync(policyPath, policy);
    const common = ['--trusted-keys', policyPath];
    const out = ['--out', join(folder, 'report'), '--key', join(folder, 'key')];
    const [one = ''] = readdirSync(collected);
    const peer = peerSeconds(collected);
    const rows = [
      measure('report, machine by machine', [reportProgram, ...common, ...out, collected], machines),
      // The second one compares with what the first saw.
      measure('the next report', [reportProgram, ...common, ...out, collected], machines),
      measure('verify.mjs --collected, one machine', [program, ...common, '--collected', join(collected, one)], 1),
      measure('verify.mjs --collected, all at once', [program, ...common, '--collected', collected], machines),
    ].map(({ machines: count, ...row }) => {
      const records = count * recordsOf(Number(rounds) * 2_000);
      return {
        ...row,
        records,
        perSecond: records / row.seconds,
        ratio: row.seconds / peer,
        hasTarget: count === machines,
      };
    });
    const load = loadavg()[0]?.toFixed(1);
    const pageKb = statSync(join(folder, 'report/report.html')).size / 1000;
    console.log(`${machines} machines, Node ${process.versions.node}, load ${load} on ${availableParallelism()} cores`);
    console.table(
      rows.map(({ name, records, seconds, perSecond, ratio, hasTarget, mib }) => ({
        name,
        records,
        'processor seconds': seconds.toFixed(1),
        'records/s': Math.round(perSecond),
        'beside reading and hashing': hasTarget ? `${ratio.toFixed(2)} x` : '',
        MiB: Math.round(mib),
      })),
    );
    console.log(`report.html: ${pageKb.toFixed(0)} kB`);
    const measured = rows.filter(({ hasTarget }) => hasTarget);
    const isMet = measured.every(({ perSecond, mib }) => perSecond >= targets.perSecond && mib <= targets.mib);
    const result = { node: process.versions.node, rounds, machines, rows, pageKb, targets, isMet };
    writeFileSync(join(results, 'report.json'), `${JSON.stringify(result, null, 2)}\n`);
    console.log(isMet ? 'All targets are met.' : 'A target is MISSED.');
    return check && !isMet ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lines of sessions: the requests, and a first line of each of the two sessions. */
function recordsOf(records: number): number {
  return Math.ceil(records / 2 / every) * every * 2 + 2;
}

/** Writes a folder for each machine, with one file as a collector stores it. Returns the policy that enrolls all of them. */
function writeMachines(folder: string, records: number): string {
  const keys: string[] = [];
  for (let index = 0; index < machines; index += 1) {
    const name = `pc-${String(index).padStart(4, '0')}.example.com`;
    const log = new EvidenceLog(`bench ${index}`, { time: Date.now() - (records + 3_600) * 1_000 }).open();
    for (let at = 0; at < 2; at += 1) {
      const session = log.session();
      session.head('start');
      log.sign();
      for (let done = 0; done < records / 2; done += every) {
        session.record(every);
        session.head();
        log.sign();
      }
    }
    mkdirSync(join(folder, name), { recursive: true });
    for (const lines of log.files().values()) appendFileSync(join(folder, name, 'audit.log'), `${lines.join('\n')}\n`);
    keys.push(`log ${log.signer.vkey}\n`);
  }
  return `${keys.join('')}quorum none\n`;
}

function measure(name: string, args: readonly string[], count: number) {
  const options = { encoding: 'utf8', maxBuffer: 100_000_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, ['--import', usage, ...args], options);
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr.slice(0, 500)}`);
  const { seconds, mib } = JSON.parse(stderr) as { readonly seconds: number; readonly mib: number };
  return { name, seconds, mib, machines: count };
}
