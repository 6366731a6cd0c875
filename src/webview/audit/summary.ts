import type { AuditRow } from '../../protocol/audit/auditRequest.ts';
import { type AuditOutcome, auditOutcomes } from '../../protocol/audit/auditValues.ts';
import { type Spans, spanAt, spansOf } from './charts/spans.ts';
import type { Range } from './filter.ts';

/** A value, and the number of rows that have it. */
interface Count {
  readonly word: string;
  readonly count: number;
}

/** The most frequent values first, and the number of rows with any other value. */
export interface Ranking {
  readonly counts: readonly Count[];
  readonly others: number;
}

/** The number of requests per outcome in a column, in the order of auditOutcomes. */
type OutcomeCounts = readonly number[];

/** All data of the charts; its size does not depend on the number of rows. */
export interface Summary {
  readonly requests: number;
  readonly failed: number;
  readonly contradicted: number;
  readonly masked: number;
  readonly tokens: number;
  /** The number of rows whose answer reported no tokens. */
  readonly unreported: number;
  /** The median duration in ms, or null if no request has ended. */
  readonly medianMs: number | null;
  readonly p95Ms: number | null;
  readonly spans: Spans;
  readonly requestsBySpan: readonly OutcomeCounts[];
  readonly tokensBySpan: readonly number[];
  readonly byOutcome: OutcomeCounts;
  readonly byModel: Ranking;
  /** The requests of each action. The names of the actions are not localized. */
  readonly byAction: Ranking;
  readonly byPosture: Ranking;
}

const maxWords = 8;
const outcomeIndex = new Map<string, number>(auditOutcomes.map((name, index) => [name, index]));

/** Summarizes the rows in one pass. Open ends of `range` are set by the rows and `now`. */
export function summaryOf(rows: readonly AuditRow[], range: Range, now: number): Summary {
  const spans = spansFor(rows, range, now);
  const requestsBySpan = spans.starts.map(() => auditOutcomes.map(() => 0));
  const tokensBySpan = spans.starts.map(() => 0);
  const byOutcome = auditOutcomes.map(() => 0);
  const models = new Map<string, number>();
  const actions = new Map<string, number>();
  const postures = new Map<string, number>();
  const times: number[] = [];
  const sums = { contradicted: 0, masked: 0, tokens: 0, unreported: 0 };
  for (const row of rows) {
    const span = spanAt(spans, row.at);
    const outcome = outcomeIndex.get(row.outcome) ?? unknownIndex;
    add(byOutcome, outcome, 1);
    add(requestsBySpan[span], outcome, 1);
    add(tokensBySpan, span, row.totalTokens ?? 0);
    models.set(row.model, (models.get(row.model) ?? 0) + 1);
    actions.set(row.action, (actions.get(row.action) ?? 0) + 1);
    postures.set(row.posture, (postures.get(row.posture) ?? 0) + 1);
    if (row.durationMs !== undefined) times.push(row.durationMs);
    if (row.confirmation === 'contradicted') sums.contradicted += 1;
    if (row.totalTokens === undefined) sums.unreported += 1;
    sums.masked += row.maskings;
    sums.tokens += row.totalTokens ?? 0;
  }
  times.sort((a, b) => a - b);
  return {
    ...sums,
    requests: rows.length,
    failed: byOutcome[outcomeIndex.get('failed') ?? -1] ?? 0,
    medianMs: percentile(times, 0.5),
    p95Ms: percentile(times, 0.95),
    spans,
    requestsBySpan,
    tokensBySpan,
    byOutcome,
    byModel: ranking(models),
    byAction: ranking(actions),
    byPosture: ranking(postures),
  };
}

const unknownIndex = auditOutcomes.indexOf('unknown' satisfies AuditOutcome);

function add(to: number[] | undefined, index: number, value: number): void {
  if (to !== undefined && index >= 0) to[index] = (to[index] ?? 0) + value;
}

/**
 * Returns the smallest of the values that at least this share (0 to 1) of them does not exceed. They must be in ascending order.
 */
export function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

function spansFor(rows: readonly AuditRow[], { since, until }: Range, now: number): Spans {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const { at } of rows) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  if (first > last) first = last = now;
  const from = Number.isFinite(since) ? since : first;
  const to = Number.isFinite(until) ? until - 1 : Math.max(last, now);
  // A period far longer than its records is cut to them and today: otherwise its columns would be years.
  const spans = spansOf(Math.min(from, to), to);
  if (spans.unit !== 'year') return spans;
  return spansOf(Math.max(from, first), now <= to ? Math.max(last, now) : Math.min(to, last));
}

function ranking(counts: ReadonlyMap<string, number>): Ranking {
  const sorted = [...counts]
    .map(([word, count]): Count => ({ word, count }))
    .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1));
  const others = sorted.slice(maxWords).reduce((sum, { count }) => sum + count, 0);
  return { counts: sorted.slice(0, maxWords), others };
}
