// npm run bench -- client|gate|audit|inline|startup [--check] [--rounds N]: side by side with named peers in one run, because only
// ratios of one run mean anything.
import { parseArgs } from 'node:util';
import { runClientBench } from './client/run.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** Exit code 1 where a target is missed. */
    check: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
  },
});

if (positionals[0] === 'gate') process.exit(await (await import('./gate.ts')).gateBench(values));
if (positionals[0] === 'audit') process.exit(await (await import('./audit.ts')).auditBench(values));
if (positionals[0] === 'inline') process.exit(await (await import('./inline.ts')).inlineBench(values));
if (positionals[0] === 'startup') process.exit(await (await import('./startup.ts')).startupBench(values));
if (positionals[0] === 'client') {
  const areMet = await runClientBench(Number(values.rounds));
  if (values.check && !areMet) process.exitCode = 1;
} else {
  console.error('usage: npm run bench -- client|gate|audit|inline|startup [--check] [--rounds N]');
  process.exitCode = 2;
}
