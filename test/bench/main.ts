// npm run bench -- <name>… [--check] [--rounds N]: compares with named peers in one run, because only ratios of one run
// are meaningful.
import { parseArgs } from 'node:util';

interface BenchOptions {
  readonly check: boolean;
  readonly rounds: string;
  readonly set?: string | undefined;
  readonly only?: string | undefined;
  readonly requests?: string | undefined;
}

/** Each prints its table and returns the exit code. */
const benches: Readonly<Record<string, (options: BenchOptions) => Promise<number>>> = {
  client: async ({ check, rounds }) => {
    const areMet = await (await import('./client/run.ts')).runClientBench(Number(rounds));
    return check && !areMet ? 1 : 0;
  },
  gate: async (options) => {
    const scanning = await (await import('./gate.ts')).gateBench(options);
    const inHost = await (await import('./gateHost/run.ts')).gateHostBench(options);
    return Math.max(scanning, inHost);
  },
  agent: async (options) => (await import('./agent/run.ts')).agentBench(options),
  answers: async (options) => (await import('./answers/run.ts')).answersBench(options),
  context: async (options) => (await import('./context/run.ts')).contextBench(options),
  evidence: async (options) => (await import('./evidence/run.ts')).evidenceBench(options),
  felt: async (options) => (await import('./felt/run.ts')).feltBench(options),
  fingerprint: async (options) => (await import('./fingerprint.ts')).fingerprintBench(options),
  history: async (options) => (await import('./history/run.ts')).historyBench(options),
  inline: async (options) => (await import('./inline.ts')).inlineBench(options),
  matchEdit: async (options) => (await import('./matchEdit.ts')).matchEditBench(options),
  panel: async (options) => (await import('./panel/run.ts')).panelBench(options),
  proposal: async (options) => (await import('./proposal.ts')).proposalBench(options),
  report: async (options) => (await import('./evidence/report.ts')).reportBench(options),
  startup: async (options) => (await import('./startup.ts')).startupBench(options),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** Exit code 1 if a target is missed. */
    check: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    /** Of `answers`: the set of the corpus, a pattern for places (of `agent`: for tasks), and a folder for their requests. */
    set: { type: 'string' },
    only: { type: 'string' },
    requests: { type: 'string' },
  },
});

const runs = positionals.map((name) => benches[name]).filter((run) => run !== undefined);
if (runs.length === 0 || runs.length < positionals.length) {
  console.error(`usage: npm run bench -- ${Object.keys(benches).join('|')}… [--check] [--rounds N]`);
  process.exit(2);
}
let code = 0;
for (const run of runs) code = Math.max(code, await run(values));
process.exit(code);
