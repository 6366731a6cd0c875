import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { scannerBundle } from '../../../esbuild.mjs';
import { findBrowser } from '../../tools/browser.ts';
import { median } from '../client/median.ts';
import { measureInHost } from '../inHost.ts';
import type { HostTimes } from './probe.ts';

const folder = resolve('test-results/bench/gateHost');

/**
 * The limits in milliseconds, and the peer of each, which says more on a slow machine: VS Code lists all files (which it
 * has done before, other than for the first list), and git answers for the same names.
 */
const limits = {
  firstList: { ms: 300, peer: 'findFiles' },
  nextLists: { ms: 300, peer: 'findFiles' },
  firstAnswer: { ms: 50, peer: 'checkIgnore' },
  nextAnswers: { ms: 5, peer: 'checkIgnore' },
} as const;
const words = {
  firstList: '@ in a workspace of 5,000 files: the first list',
  nextLists: '@ in a workspace of 5,000 files: the lists after it',
  firstAnswer: 'whether 1,000 names may be sent under 300 rules: the first time',
  nextAnswers: 'whether 1,000 names may be sent under 300 rules: the times after it',
} as const;

const peers = { findFiles: 'findFiles()', checkIgnore: 'git check-ignore' } as const;

/**
 * Prints the times of the exclusions and the list of `@` in fresh extension hosts, and writes
 * test-results/bench/gateHost.json. Returns the exit code: 1 if a limit is missed and `check` is set.
 */
export async function gateHostBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  execFileSync('npm', ['run', '--silent', 'package'], { stdio: ['ignore', 'ignore', 'inherit'] });
  await writeProbe();
  const browser = await chromium.launch(await findBrowser());
  const times: HostTimes[] = [];
  try {
    for (let round = 0; round < Number(rounds); round += 1) {
      times.push((await measureInHost(browser, { probe: folder, files: workspace() })) as HostTimes);
    }
  } finally {
    await browser.close();
  }
  const rows = (Object.keys(limits) as (keyof typeof limits)[]).map((name) => {
    const medianOf = (key: keyof HostTimes): number => median(times.map((one) => median([one[key]].flat())));
    const { peer } = limits[name];
    const [ms, peerMs] = [medianOf(name), medianOf(peer)];
    return { name, ms, peer, peerMs, isMet: ms <= limits[name].ms };
  });
  console.log(`Medians of ${rounds} fresh hosts`);
  for (const { name, ms, peer, peerMs, isMet } of rows) {
    console.log(
      `${isMet ? 'met   ' : 'MISSED'} ${words[name]}: ${ms.toFixed(1)} ms, ${(ms / peerMs).toFixed(2)} x ${peers[peer]} (at most ${limits[name].ms} ms)`,
    );
  }
  writeFileSync(`${folder}.json`, `${JSON.stringify({ rounds, rows, times }, null, 2)}\n`);
  return check && rows.some(({ isMet }) => !isMet) ? 1 : 0;
}

/** An extension under development whose test run is the probe. */
async function writeProbe(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await build({
    ...scannerBundle,
    entryPoints: ['test/bench/gateHost/probe.ts'],
    outfile: `${folder}/probe.cjs`,
  });
  const facts = {
    name: 'probe',
    publisher: 'bench',
    version: '0.0.1',
    type: 'commonjs',
    engines: { vscode: '^1.110.0' },
  };
  writeFileSync(`${folder}/package.json`, JSON.stringify(facts));
}

/** 5,000 files in 100 folders of a repository, and a folder with its own 300 rules. */
function workspace(): Readonly<Record<string, string>> {
  const files = Array.from({ length: 5_000 }, (_, index) => `src/part${index % 100}/file${index}.ts`);
  return {
    ...Object.fromEntries(files.map((name) => [name, ''])),
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[core]\n\tignorecase = false\n',
    '.git/objects/keep': '',
    '.git/refs/keep': '',
    '.gitignore': rules('root'),
    'listing/.gitignore': rules('listing'),
    ...Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`listing/part${index % 40}/name${index}.ts`, '']),
    ),
  };
}

/** Rules of each kind, mixed as in real files. */
function rules(word: string): string {
  const kinds = [
    (n: number) => `${word}-${n}/`,
    (n: number) => `*.${word}${n}`,
    (n: number) => `/build/${word}${n}/**`,
    (n: number) => `**/${word}${n}/*.tmp`,
    (n: number) => `${word}[0-9]?${n}.*`,
    (n: number) => `!keep-${word}${n}*`,
  ];
  return Array.from({ length: 300 }, (_, index) => kinds[index % kinds.length]?.(index)).join('\n');
}
