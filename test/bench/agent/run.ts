import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { build } from 'esbuild';
import { findBrowser } from '../../tools/browser.ts';
import { measureInHost } from '../inHost.ts';
import { type Figure, figuresOf } from './figures.ts';
import type { Job, PartResults } from './host/probe.ts';
import { filesOfPackages } from './packages.ts';
import { type Kind, kinds } from './task.ts';

const folder = resolve('test-results/bench/agent');

interface AgentOptions {
  readonly check: boolean;
  readonly rounds: string;
  readonly only?: string | undefined;
}

/**
 * Plays tasks in the extension host: a played model proposes changes of files, a scripted user decides, and files, requests and
 * records are compared with what should be. Prints what was not as it should be, and the figures. Returns the exit code.
 */
export async function agentBench({ check, rounds, only = '' }: AgentOptions): Promise<number> {
  execFileSync('npm', ['run', '--silent', 'package'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await buildProbe();
  const packages = filesOfPackages(join(folder, 'packages'));
  const browser = await chromium.launch(await findBrowser());
  const log = join(folder, 'tasks.jsonl');
  rmSync(log, { force: true });
  const tasks: PartResults['tasks'][number][] = [];
  const part = async (name: Job['part'], files: Readonly<Record<string, string>> = {}, target?: string) => {
    const results = await partOf(browser, { part: name, only, rounds: Number(rounds), packages, log }, files, target);
    printFaults(results.tasks);
    tasks.push(...results.tasks);
    return results;
  };
  try {
    await part('tasks');
    await part('folders', twoFolders, 'two.code-workspace');
    const { figures } = only === '' ? await part('figures') : { figures: undefined };
    const measured = figures === undefined ? [] : figuresOf(figures);
    printCounts(tasks);
    printFigures(measured);
    writeFileSync(join(folder, 'results.json'), `${JSON.stringify({ rounds, tasks, measured }, null, 2)}\n`);
    const isMet = tasks.every(({ faults }) => faults.length === 0) && measured.every((one) => one.ms <= one.limit);
    return check && !isMet ? 1 : 0;
  } finally {
    await browser.close();
  }
}

/** A workspace of two folders, each of which has a file at first. */
const twoFolders = {
  'two.code-workspace': JSON.stringify({ folders: [{ path: 'shop' }, { path: 'lib' }] }),
  'shop/first.txt': '',
  'lib/first.txt': '',
};

async function partOf(
  browser: Browser,
  job: Job,
  files: Readonly<Record<string, string>>,
  target?: string,
): Promise<PartResults> {
  const asked = join(folder, 'job.json');
  writeFileSync(asked, JSON.stringify(job));
  return (await measureInHost(browser, {
    ...{ probe: join(folder, 'probe'), files, limitMs: 900_000 },
    env: { SVC_BENCH_AGENT: asked },
    ...(target === undefined ? {} : { target }),
  })) as PartResults;
}

/** The packaged extension with the probe in it, so that both have the same API object. */
async function buildProbe(): Promise<void> {
  const probe = join(folder, 'probe');
  rmSync(probe, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync('dist/vsix', probe, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(probe, 'package.json'), 'utf8'));
  writeFileSync(join(probe, 'package.json'), JSON.stringify({ ...manifest, activationEvents: [] }));
  await build({
    entryPoints: ['test/bench/agent/host/probe.ts'],
    outfile: join(probe, 'probe.cjs'),
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['vscode'],
    logLevel: 'error',
  });
}

function printFaults(tasks: PartResults['tasks']): void {
  for (const { kind, name, faults } of tasks) {
    if (faults.length > 0) console.log(`WRONG  ${kind}: ${name}\n${faults.map((one) => `         ${one}`).join('\n')}`);
  }
}

function printCounts(tasks: PartResults['tasks']): void {
  const sum = (some: PartResults['tasks'], of: (one: PartResults['tasks'][number]) => number): number =>
    some.reduce((all, one) => all + of(one), 0);
  const row = (name: Kind | 'all', some: PartResults['tasks']) => ({
    '': name,
    tasks: some.length,
    right: some.filter(({ faults }) => faults.length === 0).length,
    calls: sum(some, ({ calls }) => calls),
    refused: sum(some, ({ refused }) => refused),
    accepts: sum(some, ({ accepts }) => accepts),
    'bytes written without an accept': sum(some, ({ bytesWritten }) => bytesWritten),
    'requests with excluded text': sum(some, (one) => one.requestsWithExcluded),
    'connections elsewhere': sum(some, (one) => one.requestsElsewhere),
  });
  console.table([
    ...kinds.map((kind) =>
      row(
        kind,
        tasks.filter((one) => one.kind === kind),
      ),
    ),
    row('all', tasks),
  ]);
}

function printFigures(figures: readonly Figure[]): void {
  for (const { name, ms, limit, peer } of figures) {
    const beside = peer === undefined ? '' : `, ${(ms / peer.ms).toFixed(2)} x ${peer.name}`;
    console.log(`${ms <= limit ? 'met   ' : 'MISSED'} ${name}: ${ms.toFixed(1)} ms${beside} (at most ${limit} ms)`);
  }
}
