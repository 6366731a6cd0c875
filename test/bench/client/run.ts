import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { clientBundle } from '../../../esbuild.mjs';
import { installOnce } from '../../tools/installOnce.ts';
import { bulkChunks, type Measured, repeatedAnswers, word } from './contender.ts';
import { median } from './median.ts';
import { type Medians, targets } from './targets.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = join(root, 'test-results', 'bench');
const run = promisify(execFile);

/** The measured values. The raw socket is the base of the first token and has no column. */
const contenders = {
  socket: ['first-token'],
  ours: ['first-token', 'bulk', 'repeat'],
  openai: ['first-token', 'bulk', 'repeat'],
  aiSdk: ['first-token', 'bulk'],
  plain: ['first-token', 'bulk'],
  floor: ['bulk'],
} as const;
type Name = keyof typeof contenders;
const names = Object.keys(contenders) as readonly Name[];

const labels: Readonly<Record<Exclude<Name, 'socket'>, string>> = {
  ours: 'Svc Coder',
  openai: 'openai 7.55.0',
  aiSdk: '@ai-sdk/openai-compatible 3.0.92',
  plain: 'undici 8.12.4 + eventsource-parser 4.1.3',
  floor: 'floor: undici drained + JSON.parse',
};

/** Prints a table, writes test-results/bench/client.json, and returns whether all targets are met. */
export async function runClientBench(rounds: number): Promise<boolean> {
  installOnce(new URL('../', import.meta.url));
  await buildAll();
  const server = spawn(process.execPath, [join(root, 'test/bench/client/server.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [port] = await once(server.stdout, 'data');
    const baseUrl = `http://127.0.0.1:${String(port).trim()}/api/v1`;
    const all = Object.fromEntries(names.map((name) => [name, [] as Measured[]])) as Record<Name, Measured[]>;
    for (let round = 0; round < rounds; round++) {
      // Each round starts with another contender, so that none always runs after the heaviest.
      for (const index of names.keys()) {
        const name = names[(index + round) % names.length] ?? 'ours';
        all[name].push(await measure(name, baseUrl));
      }
    }
    return report(all, rounds);
  } finally {
    server.stdin.end();
    await once(server, 'exit');
  }
}

/** All contenders are bundled with the same options, as an extension would ship them. */
async function buildAll(): Promise<void> {
  const { define: _, plugins: __, entryPoints: ___, ...options } = clientBundle;
  const at = (name: string): string => join(root, 'test/bench/client', name);
  await Promise.all([
    build({ ...clientBundle, absWorkingDir: root, outfile: join(folder, 'shipped-client.cjs') }),
    build({ ...options, entryPoints: names.map((name) => at(`contenders/${name}.ts`)), outdir: folder, outExtension }),
    build({
      ...options,
      entryPoints: [at('child.ts')],
      outdir: folder,
      format: 'esm',
      outExtension: { '.js': '.mjs' },
    }),
  ]);
}
const outExtension = { '.js': '.cjs' };

async function measure(name: Name, baseUrl: string): Promise<Measured> {
  const file = `./${name}.cjs`;
  const { stdout } = await run(process.execPath, [join(folder, 'child.mjs'), file, baseUrl, ...contenders[name]], {
    timeout: 60_000,
  });
  const { characters, ...measured }: Measured & { characters: number } = JSON.parse(stdout);
  if (name !== 'socket' && characters !== bulkChunks * word.length) {
    throw new Error(`${name} read ${characters} characters, not ${bulkChunks * word.length}.`);
  }
  return measured;
}

function mediansOf(measured: readonly Measured[], sockets: readonly Measured[]): Measured {
  const of = (pick: (one: Measured, round: number) => number): number => median(measured.map(pick));
  return {
    coldMs: of(({ coldMs }) => coldMs),
    firstTokenMs: of(({ firstTokenMs }, round) => firstTokenMs - (sockets[round]?.firstTokenMs ?? 0)),
    bulkMs: of(({ bulkMs }) => bulkMs),
    bulkCpuMs: of(({ bulkCpuMs }) => bulkCpuMs),
    peakMiB: of(({ peakMiB }) => peakMiB),
    repeatedPeakMiB: of(({ repeatedPeakMiB }) => repeatedPeakMiB),
  };
}

function report(all: Readonly<Record<Name, readonly Measured[]>>, rounds: number): boolean {
  const { socket, ...peers } = all;
  const medians = Object.fromEntries(
    Object.entries(peers).map(([name, measured]) => [name, mediansOf(measured, socket)]),
  ) as unknown as Medians;
  const table = Object.entries(medians).map(([name, measured]) => ({
    '': labels[name as keyof typeof labels],
    '100,000 chunks (ms)': Math.round(measured.bulkMs),
    'of it CPU (ms)': Math.round(measured.bulkCpuMs),
    'first token over the socket (ms)': name === 'floor' ? '-' : measured.firstTokenMs.toFixed(3),
    'peak memory (MiB)': Math.round(measured.peakMiB),
    [`after ${repeatedAnswers} times (MiB)`]:
      measured.repeatedPeakMiB === 0 ? '-' : Math.round(measured.repeatedPeakMiB),
    'cold, to the first token (ms)': name === 'floor' ? '-' : measured.coldMs.toFixed(1),
  }));
  console.log(`Medians of ${rounds} rounds, Node ${process.versions.node}, one server process on loopback`);
  console.table(table);
  const results = targets(medians);
  for (const { name, value, limit, isMet } of results) {
    console.log(`${isMet ? 'met   ' : 'MISSED'} ${name}: ${value.toFixed(3)} (at most ${limit.toFixed(3)})`);
  }
  const json = { node: process.versions.node, rounds, medians, targets: results, measured: all };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'client.json'), `${JSON.stringify(json, null, 2)}\n`);
  return results.every(({ isMet }) => isMet);
}
