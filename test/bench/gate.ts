import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientBundle } from '../../esbuild.mjs';
import { median } from './client/median.ts';
import { megabyte, texts } from './gateTexts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'test-results', 'bench');

/** Milliseconds a megabyte may take, whatever is in it. */
const limit = 50;

interface Scanner {
  scanText(text: string): Promise<readonly unknown[]>;
}

/**
 * Prints what looking for secrets takes for each kind of text, bundled as it would be shipped, and leaves
 * test-results/bench/gate.json. Returns the exit code: 1 where a limit is missed and `check` asks for it.
 */
export async function gateBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const { define: _, plugins: __, entryPoints: ___, ...options } = clientBundle;
  const outfile = join(folder, 'gate.cjs');
  mkdirSync(folder, { recursive: true });
  await build({ ...options, absWorkingDir: root, entryPoints: ['src/gate/secrets/scanner.ts'], outfile });
  const { scanText }: Scanner = createRequire(import.meta.url)(outfile);

  const rows = [];
  for (const { name, isHostile, unit } of texts(root)) {
    // A small part first: what takes time in the square of the text shows there, and is not waited for.
    const eighth = await measure(scanText, megabyte(unit).slice(0, 128 * 1024), 1);
    const isHopeless = eighth.ms > 1000;
    const whole = isHopeless ? eighth : await measure(scanText, megabyte(unit), Number(rounds));
    const msPerMB = isHopeless ? Number.POSITIVE_INFINITY : whole.ms;
    rows.push({ name, isHostile, msPerMB, found: whole.found, growth: whole.ms / eighth.ms, isMet: msPerMB <= limit });
  }
  console.log(
    `Medians of ${rounds} rounds, Node ${process.versions.node}, bundle of ${readFileSync(outfile).length} bytes`,
  );
  console.table(
    rows.map(({ name, isHostile, msPerMB, found, growth, isMet }) => ({
      text: name,
      kind: isHostile ? 'hostile' : 'ordinary',
      'ms per MB': msPerMB.toFixed(1),
      found,
      'time for 8 x the text': `${growth.toFixed(1)} x`,
      [`at most ${limit}`]: isMet ? 'met' : 'MISSED',
    })),
  );
  writeFileSync(
    join(folder, 'gate.json'),
    `${JSON.stringify({ node: process.versions.node, rounds, rows }, null, 2)}\n`,
  );
  return check && rows.some(({ isMet }) => !isMet) ? 1 : 0;
}

async function measure(scan: Scanner['scanText'], text: string, rounds: number) {
  const times: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    found = (await scan(text)).length;
    times.push(performance.now() - from);
  }
  return { ms: median(times), found };
}
