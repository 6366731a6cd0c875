import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { findBrowser } from '../tools/browser.ts';
import { bytesOf, hostOutputs, loadedWith } from '../tools/hostOutputs.ts';
import { median } from './client/median.ts';
import { type Cost, empty, type Measured, measureHost, ours } from './startup/host.ts';

interface Target {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
}

/**
 * Prints the cost of the unused extension for a window, compared with an empty extension in the same hosts, and the
 * sizes of the shipped files. Returns the exit code: 1 if a limit is missed and `check` is set.
 */
export async function startupBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  execFileSync('npm', ['run', '--silent', 'package'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const browser = await chromium.launch(await findBrowser());
  const hosts: Measured[] = [];
  try {
    for (let round = 0; round < Number(rounds); round++) {
      // Each comes first equally often.
      const order = round % 2 === 0 ? [empty, ours] : [ours, empty];
      hosts.push(await measureHost(browser, order, 'dist/vsix'));
    }
  } finally {
    await browser.close();
  }
  const of = (id: typeof ours | typeof empty, pick: (cost: Cost) => number): number =>
    median(hosts.map(({ measured }) => pick(measured[id])));
  const rows = [ours, empty].map((id) => ({
    '': id === ours ? 'Svc Coder' : 'an empty extension',
    'load and activate (ms)': of(id as typeof ours, ({ ms }) => ms).toFixed(1),
    'heap (MB)': (of(id as typeof ours, ({ heapBytes }) => heapBytes) / 1e6).toFixed(2),
    'resident memory (MB)': (of(id as typeof ours, ({ rssBytes }) => rssBytes) / 1e6).toFixed(2),
  }));
  console.log(`Medians of ${rounds} fresh hosts, Node ${process.versions.node}`);
  console.table(rows);
  const more = (pick: (cost: Cost) => number): number =>
    median(hosts.map(({ measured }) => pick(measured[ours]) - pick(measured[empty])));
  const all = hosts.map(({ measured }) => measured[ours].ms - measured[empty].ms).sort((a, b) => a - b);
  console.log(`More than empty, ms: ${all.map((ms) => ms.toFixed(0)).join(', ')}`);
  const most = (pick: (host: Measured) => number): number => Math.max(...hosts.map(pick));
  const outputs = await hostOutputs();
  const targets: readonly Target[] = [
    { name: 'load and activate, more than empty', value: more(({ ms }) => ms), limit: 15, unit: 'ms' },
    { name: 'heap, more than empty', value: more(({ heapBytes }) => heapBytes) / 1e6, limit: 10, unit: 'MB' },
    { name: 'resident memory, more than empty', value: more(({ rssBytes }) => rssBytes) / 1e6, limit: 10, unit: 'MB' },
    { name: 'timers that run when idle', value: most(({ timers }) => timers), limit: 0, unit: '' },
    { name: 'samples of our code when idle', value: most(({ samples }) => samples), limit: 0, unit: '' },
    { name: 'sockets opened at start', value: most(({ sockets }) => sockets), limit: 0, unit: '' },
    inKilobytes('what activation loads', bytesOf(outputs, loadedWith(outputs, 'dist/extension.js')), 62_000),
    size('HTTP chunk', globSync('dist/host/serviceClient-*.js'), 300_000),
    size('VSIX', ['svc-coder.vsix'], 1_000_000),
  ];
  for (const { name, value, limit, unit } of targets) {
    const verdict = value <= limit ? 'met   ' : 'MISSED';
    console.log(`${verdict} ${name}: ${Number(value.toFixed(2))} ${unit} (at most ${limit})`);
  }
  mkdirSync('test-results/bench', { recursive: true });
  writeFileSync('test-results/bench/startup.json', `${JSON.stringify({ rounds, targets, hosts }, null, 2)}\n`);
  return check && targets.some(({ value, limit }) => value > limit) ? 1 : 0;
}

function size(name: string, files: readonly string[], limit: number): Target {
  return inKilobytes(
    name,
    files.reduce((sum, file) => sum + statSync(file).size, 0),
    limit,
  );
}

function inKilobytes(name: string, bytes: number, limit: number): Target {
  return { name, value: bytes / 1000, limit: limit / 1000, unit: 'kB' };
}
