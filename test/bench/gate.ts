import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientBundle } from '../../esbuild.mjs';
import { installOnce } from '../tools/installOnce.ts';
import { median } from './client/median.ts';
import { megabyte, texts } from './gateTexts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'test-results', 'bench');

/**
 * The limits in milliseconds: processor time per megabyte, and the longest block of the event loop meanwhile. A slow
 * machine misses them; there, the ratio to secretlint's recommended rules (about a fifth of ours) says more. It is that
 * for the same ordinary text, or for code where the text is hostile: there, secretlint's core takes quadratic time.
 */
const limits = { ordinary: 50, hostile: 250, pause: 50 };

export interface Scanner {
  scanText(text: string, options: { isFragment: boolean }): Promise<readonly unknown[]>;
}

/**
 * Prints the time of the secret scan for each kind of text, bundled as shipped, and writes
 * test-results/bench/gate.json. Returns the exit code: 1 if a limit is missed and `check` is set.
 */
export async function gateBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const { define: _, plugins: __, entryPoints: ___, ...options } = clientBundle;
  const outfile = join(folder, 'gate.cjs');
  mkdirSync(folder, { recursive: true });
  installOnce(new URL('./', import.meta.url));
  await build({ ...options, absWorkingDir: root, entryPoints: ['src/gate/secrets/scanner.ts'], outfile });
  const scanner: Scanner = createRequire(import.meta.url)(outfile);

  // Loaded after its packages were fetched.
  const { peerScanner } = await import('./gatePeer.ts');
  const all = texts(root);
  const ordinary = new Map<string, number>();
  for (const { name, isHostile, unit } of all) {
    if (!isHostile) ordinary.set(name, (await measure(peerScanner, megabyte(unit), Number(rounds))).ms);
  }
  const codeMs = ordinary.get('TypeScript') ?? 0;
  const rows = [];
  for (const { name, isHostile, unit } of all) {
    const limit = isHostile ? limits.hostile : limits.ordinary;
    // A small part first: quadratic time shows there, without a long wait.
    const eighth = await measure(scanner, megabyte(unit).slice(0, 128 * 1024), 1);
    const isHopeless = eighth.ms > 1000;
    const whole = isHopeless ? eighth : await measure(scanner, megabyte(unit), Number(rounds));
    const msPerMB = isHopeless ? Number.POSITIVE_INFINITY : whole.ms;
    const peerMs = ordinary.get(name) ?? codeMs;
    const { found, pause } = whole;
    const isMet = msPerMB <= limit && pause <= limits.pause;
    rows.push({ name, isHostile, limit, msPerMB, peerMs, found, pause, isMet });
  }
  console.log(
    `Medians of ${rounds} rounds, ms of the processor, Node ${process.versions.node}, bundle of ${readFileSync(outfile).length} bytes`,
  );
  console.table(
    rows.map(({ name, limit, msPerMB, peerMs, found, pause, isMet }) => ({
      text: name,
      'ms per MB': msPerMB.toFixed(1),
      'x secretlint': (msPerMB / peerMs).toFixed(1),
      'at most': limit,
      found,
      [`longest pause (at most ${limits.pause})`]: pause.toFixed(1),
      '': isMet ? 'met' : 'MISSED',
    })),
  );
  const results = { node: process.versions.node, rounds, rows };
  writeFileSync(join(folder, 'gate.json'), `${JSON.stringify(results, null, 2)}\n`);
  return check && rows.some(({ isMet }) => !isMet) ? 1 : 0;
}

/** Processor time of this thread, so that other load on the machine is not included. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** With the rules for text without a file, which are all rules. Medians of the rounds after the first. */
async function measure({ scanText }: Scanner, text: string, rounds: number) {
  const times: number[] = [];
  const pauses: number[] = [];
  let found = 0;
  for (let round = 0; round <= rounds; round++) {
    let isDone = false;
    let turnedAt = processorMs();
    let pause = 0;
    const turn = (): void => {
      const now = processorMs();
      pause = Math.max(pause, now - turnedAt);
      turnedAt = now;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const from = processorMs();
    found = (await scanText(text, { isFragment: true })).length;
    if (round > 0) times.push(processorMs() - from);
    isDone = true;
    await new Promise((resolve) => setImmediate(resolve));
    if (round > 0) pauses.push(pause);
  }
  return { ms: median(times), pause: median(pauses), found };
}
