import type { AuditRow } from '../../protocol/auditMessages.ts';

/** One bar of a chart. */
export interface Bucket {
  readonly label: string;
  readonly value: number;
}

export type Period = 'today' | 'week' | 'month' | 'all' | 'days';

export interface Filter {
  readonly period: Period;
  /** For `days`: the first and the last one, `2026-11-21`; empty: no bound. */
  readonly from: string;
  readonly to: string;
  /** Empty: any. */
  readonly model: string;
  readonly posture: string;
  readonly outcome: string;
}

export interface Summary {
  readonly requests: number;
  readonly failed: number;
  readonly contradicted: number;
  readonly masked: number;
  /** Milliseconds; null without a request that has ended. */
  readonly medianMs: number | null;
  readonly tokens: number;
  readonly byDay: readonly Bucket[];
  readonly byModel: readonly Bucket[];
  readonly byPosture: readonly Bucket[];
  readonly byOutcome: readonly Bucket[];
  readonly byLatency: readonly Bucket[];
  readonly byTokens: readonly Bucket[];
}

const periodDays: Readonly<Record<Exclude<Period, 'days'>, number>> = {
  today: 1,
  week: 7,
  month: 30,
  all: Number.POSITIVE_INFINITY,
};

/** The rows that a filter lets through. Days are those of the person's clock. */
export function filtered(rows: readonly AuditRow[], filter: Filter, now: number): readonly AuditRow[] {
  const [since, until] = boundsOf(filter, now);
  return rows.filter(
    (row) =>
      row.at >= since &&
      row.at < until &&
      (filter.model === '' || row.model === filter.model) &&
      (filter.posture === '' || row.posture === filter.posture) &&
      (filter.outcome === '' || row.outcome === filter.outcome),
  );
}

/** From the first millisecond of a period to the first one after it. By the calendar: a day may have 23 or 25 hours. */
function boundsOf({ period, from, to }: Filter, now: number): readonly [number, number] {
  if (period === 'days') {
    return [midnightOf(from, 0) ?? Number.NEGATIVE_INFINITY, midnightOf(to, 1) ?? Number.POSITIVE_INFINITY];
  }
  const days = periodDays[period];
  const since = Number.isFinite(days) ? midnightOf(dayOf(now), 1 - days) : null;
  return [since ?? Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}

/** When a day begins, or one so many days after it; null for what is no day. */
function midnightOf(day: string, daysAfter: number): number | null {
  const date = new Date(`${day}T00:00:00`);
  return Number.isNaN(date.getTime()) ? null : date.setDate(date.getDate() + daysAfter);
}

export function summaryOf(rows: readonly AuditRow[]): Summary {
  const times = rows.flatMap(({ durationMs }) => durationMs ?? []).sort((a, b) => a - b);
  return {
    requests: rows.length,
    failed: rows.filter(({ outcome }) => outcome === 'failed').length,
    contradicted: rows.filter(({ confirmation }) => confirmation === 'contradicted').length,
    masked: rows.reduce((sum, { maskings }) => sum + maskings, 0),
    medianMs: times[Math.floor((times.length - 1) / 2)] ?? null,
    tokens: rows.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
    byDay: byDay(rows, () => 1),
    byModel: counted(rows.map(({ model }) => model)),
    byPosture: counted(rows.map(({ posture }) => posture)),
    byOutcome: counted(rows.map(({ outcome }) => outcome)),
    byLatency: latencies(times),
    byTokens: byDay(rows, ({ tokens }) => tokens ?? 0),
  };
}

/** The most frequent first, at most eight; what is left is one more. */
function counted(words: readonly string[]): readonly Bucket[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value);
  const rest = sorted.slice(8).reduce((sum, { value }) => sum + value, 0);
  return rest === 0 ? sorted : [...sorted.slice(0, 8), { label: '…', value: rest }];
}

const maxBars = 31;

/** One bar a day from the first to the last, empty ones too; of a longer time the last days. */
function byDay(rows: readonly AuditRow[], weigh: (row: AuditRow) => number): readonly Bucket[] {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const day = dayOf(row.at);
    sums.set(day, (sums.get(day) ?? 0) + weigh(row));
  }
  const days = [...sums.keys()].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const bars: Bucket[] = [];
  const at = new Date(`${last}T12:00:00`);
  for (let day = last; day >= first && bars.length < maxBars; day = dayOf(at.setDate(at.getDate() - 1))) {
    bars.unshift({ label: day, value: sums.get(day) ?? 0 });
  }
  return bars;
}

/** `2026-11-21`, by the person's clock. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const bounds = [500, 1_000, 2_000, 5_000, 10_000, 30_000] as const;

function latencies(times: readonly number[]): readonly Bucket[] {
  if (times.length === 0) return [];
  const count = (from: number, to: number): number => times.filter((time) => time >= from && time < to).length;
  return [...bounds, Number.POSITIVE_INFINITY].map((to, index) => {
    const from = bounds[index - 1] ?? 0;
    const label = Number.isFinite(to) ? `< ${to / 1000} s` : `≥ ${from / 1000} s`;
    return { label, value: count(from, to) };
  });
}
