// The report on the audit logs of many machines, from the files that a log collector stored. See docs/audit.md.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ascii, readPolicy, readSeen, UsageFault } from '../../src/evidence/cli/usage.ts';
import { makeReport, type Report } from './machines.ts';
import { pageOf } from './page.ts';
import { SeenLedger, UnusableLedger } from './seenLedger.ts';
import { states } from './states.ts';

const help = `Verifies the logs of many machines, and reports on them.

  npx node tools/report/main.ts [options] COLLECTED

COLLECTED has one folder for each machine, with the lines as the collector stored them.

  --trusted-keys FILE the enrolled keys (C2SP tlog-policy): the inventory
  --out FOLDER        where report.json and report.html go (audit-report)
  --ledger FOLDER     what reports saw, signed: the measure of the next one (audit-report/seen)
  --key FILE          the key of that ledger; it is made at the first report (audit-report-key)
  --seen FILE         more of what was seen: text whose lines end in "<origin> <size> <root>"
  --silent DAYS       without a line for so long, a machine is silent (7)
  --grace MINUTES     younger lines may still come (15)

Exit code: 0 all machines are intact, 1 a log is broken, 2 nothing usable, 3 a key is not enrolled, or a
  machine is silent or could not be read.
`;

const options = {
  'trusted-keys': { type: 'string' },
  out: { type: 'string', default: 'audit-report' },
  ledger: { type: 'string' },
  key: { type: 'string', default: 'audit-report-key' },
  seen: { type: 'string', multiple: true, default: [] as string[] },
  silent: { type: 'string', default: '7' },
  grace: { type: 'string', default: '15' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [collected, ...rest] = positionals;
  if (collected === undefined || rest.length > 0) throw new UsageFault('Which folder? See --help.');
  await using ledger = await SeenLedger.open(values.ledger ?? join(values.out, 'seen'), values.key);
  const report = await makeReport({
    ...{ collected, policy: await readPolicy(values['trusted-keys']), now: Date.now() },
    seen: [...ledger.seen, ...(await readSeen(values.seen))],
    ...{ silentDays: numberOf(values.silent, '--silent'), grace: numberOf(values.grace, '--grace') * 60_000 },
  });
  if (report.machines.length === 0) throw new UsageFault(`${collected}: no folder of a machine.`);
  const keep = await ledger.record(report);
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, 'report.json'), `${JSON.stringify({ ...report, keep }, null, 2)}\n`);
  await writeFile(join(values.out, 'report.html'), pageOf(report));
  for (const state of states) {
    const own = report.machines.filter((machine) => machine.state === state);
    if (own.length > 0) console.log(ascii(`${state}: ${own.map(({ names }) => names.join(' and ')).join(', ')}`));
  }
  for (const { fault } of report.machines) if (fault !== null) console.error(ascii(fault));
  console.log(`Keep this line where those who write these logs cannot change it:\n${keep}`);
  return exitCodeOf(report);
}

function exitCodeOf({ machines, unheard }: Report): number {
  if (machines.some(({ verdict }) => verdict.verdict === 'broken')) return 1;
  const areWell = machines.every(({ state }) => state === 'intact' || state === 'late');
  return areWell && unheard.length === 0 ? 0 : 3;
}

function numberOf(text: string, option: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageFault(`${option} takes a number.`);
  return Number(text);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageFault || error instanceof UnusableLedger || (error instanceof Error && 'code' in error)))
    throw error;
  console.error(ascii(error.message));
  process.exitCode = 2;
}
