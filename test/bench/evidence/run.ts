import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { changesRow } from './changes.ts';
import { killedRow, slowlyKilledRow } from './killed.ts';
import { opinionsRow } from './opinions.ts';
import { proofsRow } from './proofs.ts';
import { recordsRow } from './records.ts';
import type { Row, RowOptions } from './row.ts';
import { sizesRow } from './sizes.ts';
import { firstTurnRow, turnsRow } from './turns.ts';
import { verifyingRow } from './verifying.ts';

// Not in the system's folder for temporary files: if that is in memory, a sync costs nothing.
const results = fileURLToPath(new URL('../../../test-results/bench', import.meta.url));

/** The bars of the audit log's evidence, in the order of the design. */
const rows: Readonly<Record<string, (options: RowOptions) => Promise<Row>>> = {
  'a record': recordsRow,
  'a turn': turnsRow,
  'the first turn': firstTurnRow,
  verification: verifyingRow,
  proofs: proofsRow,
  'second opinions': opinionsRow,
  'random changes': changesRow,
  'a killed window': killedRow,
  'a killed window with a slow secret storage': slowlyKilledRow,
  sizes: sizesRow,
};

/**
 * Measures each bar, and prints them as one table. Writes test-results/bench/evidence.json. Returns the exit code: 1 if a
 * bar is missed and `check` is set, even where that is known.
 */
export async function evidenceBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  mkdirSync(results, { recursive: true });
  const found: Row[] = [];
  const take = (row: Row): void => {
    found.push(row);
    console.log(`${row.isMet ? 'met' : 'MISSED'}: ${row.bar}: ${row.measured}`);
  };
  for (const [name, measure] of Object.entries(rows)) {
    const place = mkdtempSync(join(results, 'evidence-'));
    try {
      take(await measure({ place, rounds: Number(rounds) }));
    } catch (error) {
      // One bar must not hide the others.
      console.error(inspect(error));
      take({ bar: name, measured: error instanceof Error ? error.message : String(error), isMet: false });
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }
  const load = loadavg()[0]?.toFixed(1);
  console.log(`${rounds} rounds, Node ${process.versions.node}, load ${load} on ${availableParallelism()} cores`);
  console.table(found.map(({ bar, measured, isMet }) => ({ bar, measured, met: isMet ? 'met' : 'MISSED' })));
  const missed = found.filter(({ isMet }) => !isMet);
  console.log(missed.length === 0 ? 'All bars are met.' : `${missed.length} of ${found.length} bars are MISSED.`);
  const result = { node: process.versions.node, rounds, load, rows: found, isMet: missed.length === 0 };
  writeFileSync(join(results, 'evidence.json'), `${JSON.stringify(result, null, 2)}\n`);
  return check && missed.length > 0 ? 1 : 0;
}
