import type { AuditUnit as Unit } from '../../../protocol/audit/auditMessages.ts';

/** The columns of a chart over time. Each column spans from its start to the start of the next one; `end` ends the last one. */
export interface Spans {
  readonly unit: Unit;
  /** The start of each column (epoch, ms), in ascending order; calendar units begin in the user's time zone. */
  readonly starts: readonly number[];
  /** The end of the last column, exclusive. */
  readonly end: number;
}

/** The maximum number of columns: more would not be legible. */
const maxColumns = 62;
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Covers `from` to `to` (epoch, ms, both inclusive) with the finest unit that keeps the columns legible. Steps follow
 * the calendar, not a number of hours: a day may have 23 or 25.
 */
export function spansOf(from: number, to: number): Spans {
  const days = (to - from) / dayMs;
  const unit: Unit =
    days <= 2
      ? 'hour'
      : days <= maxColumns
        ? 'day'
        : days <= maxColumns * 7
          ? 'week'
          : days <= maxColumns * 30
            ? 'month'
            : 'year';
  // A damaged log may contain any year.
  const step = unit === 'year' ? Math.max(1, Math.ceil(days / 365 / maxColumns)) : 1;
  const starts: number[] = [];
  let start = startOf(from, unit);
  while (start <= to) {
    starts.push(start);
    start = next(start, unit, step);
  }
  return { unit, starts, end: start };
}

/** Returns the index of the column that contains a time, or -1 if no column does. */
export function spanAt({ starts, end }: Spans, time: number): number {
  if (time >= end) return -1;
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Returns the start of the day that is `days` after the day of `time`. */
export function dayStart(time: number, days = 0): number {
  const at = new Date(time);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime();
}

function startOf(time: number, unit: Unit): number {
  const at = new Date(time);
  const [year, month, date] = [at.getFullYear(), at.getMonth(), at.getDate()];
  switch (unit) {
    case 'hour':
      // The time is not rebuilt from its parts: when the clocks go back, an hour has the same parts as the hour before.
      return time - (at.getMinutes() * 60_000 + at.getSeconds() * 1_000 + at.getMilliseconds());
    case 'day':
      return dayStart(time);
    case 'week':
      return new Date(year, month, date - ((at.getDay() + 6) % 7)).getTime();
    case 'month':
      return new Date(year, month).getTime();
    case 'year':
      return new Date(year, 0).getTime();
  }
}

function next(start: number, unit: Unit, step: number): number {
  const at = new Date(start);
  const [year, month] = [at.getFullYear(), at.getMonth()];
  switch (unit) {
    case 'hour':
      return start + hourMs;
    case 'day':
      return dayStart(start, 1);
    case 'week':
      return dayStart(start, 7);
    case 'month':
      return new Date(year, month + 1).getTime();
    case 'year':
      return new Date(year + step, 0).getTime();
  }
}
