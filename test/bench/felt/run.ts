import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Row as Bar } from '../evidence/row.ts';
import { benchFolder } from '../localDispatch.ts';
import { auditPageRows } from './audit.ts';
import { blockRow } from './block.ts';
import { folderRow } from './folder.ts';
import { reviewRows } from './review.ts';
import { sentRows } from './sent.ts';
import { typingRows } from './typing.ts';

/** A wait that users feel, or a cause of one, beside a reference of the same run. */
export interface Row {
  readonly what: string;
  readonly measured: string;
  /** What it is compared with. */
  readonly peer: string;
  readonly reference: string;
  /** Measured to reference. */
  readonly ratio: number;
  readonly limit: string;
  readonly isMet: boolean;
}

/**
 * Prints the waits that users feel, and writes test-results/bench/felt.json. Returns the exit code: 1 if a limit is
 * missed and `check` is set. The rows of the audit page and of `@folder:` run in VS Code, with what `npm run package` made.
 */
export async function feltBench({ check, rounds }: { check: boolean; rounds: string }): Promise<number> {
  const rows = [
    ...(await sentRows()),
    blockRow(),
    ...(await reviewRows(Number(rounds))),
    ...(await typingRows(Number(rounds))),
  ];
  for (const { what, measured, peer, reference, ratio, limit, isMet } of rows) {
    const beside = `${ratio.toFixed(2)} x ${peer}: ${reference}`;
    console.log(`${isMet ? 'met   ' : 'MISSED'} ${what}: ${measured}, ${beside} (${limit})`);
  }
  const bars = await barsInHost(Number(rounds));
  for (const { bar, measured, isMet } of bars) console.log(`${isMet ? 'met   ' : 'MISSED'} ${bar}: ${measured}`);
  mkdirSync(benchFolder, { recursive: true });
  writeFileSync(join(benchFolder, 'felt.json'), `${JSON.stringify({ rounds, rows, bars }, null, 2)}\n`);
  return check && [...rows, ...bars].some(({ isMet }) => !isMet) ? 1 : 0;
}

async function barsInHost(rounds: number): Promise<readonly Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-felt-'));
  const placeOf = (name: string): string => {
    const place = join(folder, name);
    mkdirSync(place);
    return place;
  };
  try {
    const ofFolder = await folderRow({ place: placeOf('folder'), rounds });
    return [ofFolder, ...(await auditPageRows({ place: placeOf('audit'), rounds }))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
