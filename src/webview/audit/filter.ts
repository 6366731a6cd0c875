import type { AuditRow } from '../../protocol/auditMessages.ts';
import { dayStart } from './charts/spans.ts';

export const periods = ['today', 'week', 'month', 'all', 'days'] as const;
export type Period = (typeof periods)[number];

/** What of the log is shown. An empty string lets everything through. */
export interface Filter {
  readonly period: Period;
  /** `2026-11-21`, of a custom period; days of the user's clock, both included. */
  readonly from: string;
  readonly to: string;
  readonly model: string;
  /** A posture's line in a list of its own: the line of a request without headers is empty. */
  readonly posture: string;
  readonly outcome: string;
  readonly confirmation: string;
}

export const defaultFilter: Filter = {
  period: 'month',
  from: '',
  to: '',
  model: '',
  posture: '',
  outcome: '',
  confirmation: '',
};

/** Stands for a posture without headers, where an empty string would mean any. */
export const withoutHeaders = '\u2013';

/** From `since` up to, but without, `until`: epoch, ms; infinite where it is open. */
export interface Range {
  readonly since: number;
  readonly until: number;
}

const open: Range = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

export function rangeOf({ period, from, to }: Filter, now: number): Range {
  switch (period) {
    case 'today':
      return { since: dayStart(now), until: dayStart(now, 1) };
    case 'week':
      return { since: dayStart(now, -6), until: dayStart(now, 1) };
    case 'month':
      return { since: dayStart(now, -29), until: dayStart(now, 1) };
    case 'all':
      return open;
    case 'days':
      return { since: parseDay(from, 0) ?? open.since, until: parseDay(to, 1) ?? open.until };
  }
}

/** The first moment of a day, or of one some days later; null where it is none. */
function parseDay(text: string, later: number): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).getTime();
}

/** `2026-11-21`, by the user's clock: what a field for a date holds. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const digits = (value: number, count: number): string => String(value).padStart(count, '0');
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}

/** The rows that a filter lets through, in their order. */
export function filtered(rows: readonly AuditRow[], filter: Filter, now: number): readonly AuditRow[] {
  const { since, until } = rangeOf(filter, now);
  const { model, outcome, confirmation } = filter;
  const posture = filter.posture === withoutHeaders ? '' : filter.posture;
  return rows.filter(
    (row) =>
      row.at >= since &&
      row.at < until &&
      (model === '' || row.model === model) &&
      (outcome === '' || row.outcome === outcome) &&
      (filter.posture === '' || row.posture === posture) &&
      (confirmation === '' || row.confirmation === confirmation),
  );
}

/** What a page remembers of its filter is read back as if a stranger had written it. */
export function parseFilter(value: unknown): Filter {
  if (typeof value !== 'object' || value === null) return defaultFilter;
  const found = Object.entries(defaultFilter).map(([key, standard]) => {
    const kept = (value as Record<string, unknown>)[key];
    return [key, typeof kept === 'string' && kept.length <= 300 ? kept : standard];
  });
  const filter = Object.fromEntries(found) as unknown as Filter;
  return periods.includes(filter.period) ? filter : defaultFilter;
}
