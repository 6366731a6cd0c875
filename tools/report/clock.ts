import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFile } from '../../src/evidence/verify/files.ts';
import { pieceBuffer, readLines } from '../../src/evidence/verify/readLines.ts';

/**
 * By how many seconds the clock of the collector was ahead of the time in a line when it took that line. The way of a line
 * takes time, so of each day the line counts that was the fastest.
 */
export interface ClockDifference {
  /** The smallest and the largest of all days. Less than 0: the clock of the machine was ahead. */
  readonly least: number;
  readonly most: number;
  readonly days: number;
}

/** The time when the collector took a line, and the beginning of that line: more is not needed, and need not be stored. */
const taken =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) \{"v":2,"(?:session|ledger)":"[^"]{1,160}","seq":\d+,"time":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)"/;
/** More than all of that has. */
const takenLength = 300;
/** No log has more; a file may be made of nothing but days. */
const maxDays = 10_000;

/** Compares the clocks of a machine and the collector by all files in a folder; null if they say nothing. */
export async function clockDifference(folder: string): Promise<ClockDifference | null> {
  const days = new Map<string, number>();
  for (const path of await filesIn(folder)) await withFile(path, (file) => readTimes(file, days));
  if (days.size === 0) return null;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const difference of days.values()) [least, most] = [Math.min(least, difference), Math.max(most, difference)];
  return { least: least / 1000, most: most / 1000, days: days.size };
}

async function readTimes(file: Parameters<typeof readLines>[0], days: Map<string, number>): Promise<void> {
  const onLine = (bytes: Buffer, start: number, end: number): void => {
    const [, then = '', time = ''] =
      taken.exec(bytes.toString('latin1', start, Math.min(end, start + takenLength))) ?? [];
    const difference = Date.parse(then) - Date.parse(time);
    if (Number.isNaN(difference)) return;
    const day = then.slice(0, 10);
    const before = days.get(day);
    if (before === undefined && days.size === maxDays) return;
    if (before === undefined || difference < before) days.set(day, difference);
  };
  await readLines(file, { buffer: pieceBuffer(), onLine, onTooLong: () => undefined });
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const found = await lstat(folder).catch(() => null);
  if (found?.isDirectory() !== true) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
}
