import type { AuditUnit as Unit } from '../../../protocol/audit/auditMessages.ts';

/** Columns over time: each spans from its start to the next start; `end` closes the last. */
export interface Spans {
  readonly unit: Unit;
  /** Epoch, milliseconds, ascending, in the user's time zone. */
  readonly starts: readonly number[];
  /** The end of the last one, exclusive. */
  readonly end: number;
}

/** More columns would not be legible. */
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

/** The index of the column that contains a time; -1 if there is none. */
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

/** The start of the day that is `days` after that of `time`. */
export function dayStart(time: number, days = 0): number {
  const at = new Date(time);
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime();
}

function startOf(time: number, unit: Unit): number {
  const at = new Date(time);
  const [year, month, date] = [at.getFullYear(), at.getMonth(), at.getDate()];
  switch (unit) {
    case 'hour':
      // Not rebuilt from its parts: one hour of the year has the same parts as the hour before.
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
