import type { AuditRefusalRow } from '../../protocol/audit/auditMessages.ts';
import type { AuditRow } from '../../protocol/audit/auditRequest.ts';
import { dayStart } from './charts/spans.ts';

export const periods = ['today', 'week', 'month', 'all', 'days'] as const;
export type Period = (typeof periods)[number];

/** The filters of the page. An empty string matches everything. */
export interface Filter {
  readonly period: Period;
  /** The first day of a custom period, such as `2026-11-21`. Both days are inclusive, in the user's time zone. */
  readonly from: string;
  readonly to: string;
  readonly model: string;
  /** The posture line to match, or withoutHeaders: the line of a request without headers is empty. */
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

/** Represents a posture without headers, since an empty string means any. */
export const withoutHeaders = '\u2013';

/** A range from `since` (inclusive) to `until` (exclusive), epoch, ms; an open end is infinite. */
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

/** Returns the start of the day that is `later` days after a date, or null if the date is invalid. */
function parseDay(text: string, later: number): number | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return null;
  return new Date(Number(year), Number(month) - 1, Number(date) + later).getTime();
}

/** Returns the day of a time in the user's time zone, such as `2026-11-21`: the value of a date field. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const digits = (value: number, count: number): string => String(value).padStart(count, '0');
  return `${digits(date.getFullYear(), 4)}-${digits(date.getMonth() + 1, 2)}-${digits(date.getDate(), 2)}`;
}

/** Returns the rows that match a filter, in their order. */
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

/** The value of the outcome filter that shows only refused requests, which have no outcome. */
export const onlyRefused = 'refused';

/** Returns the refused requests that match a filter, in their order. They have no model, compliance settings or confirmation. */
export function filteredRefusals(
  refusals: readonly AuditRefusalRow[],
  filter: Filter,
  now: number,
): readonly AuditRefusalRow[] {
  const { model, posture, outcome, confirmation } = filter;
  if (model !== '' || posture !== '' || confirmation !== '' || !['', onlyRefused].includes(outcome)) return [];
  const { since, until } = rangeOf(filter, now);
  return refusals.filter(({ at }) => at >= since && at < until);
}

/** Parses a saved filter, which is untrusted. */
export function parseFilter(value: unknown): Filter {
  if (typeof value !== 'object' || value === null) return defaultFilter;
  const found = Object.entries(defaultFilter).map(([key, standard]) => {
    const kept = (value as Record<string, unknown>)[key];
    return [key, typeof kept === 'string' && kept.length <= 300 ? kept : standard];
  });
  const filter = Object.fromEntries(found) as unknown as Filter;
  return periods.includes(filter.period) ? filter : defaultFilter;
}
