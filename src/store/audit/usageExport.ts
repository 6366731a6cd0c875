import { auditActions } from '../../protocol/audit/auditValues.ts';
import { type Exported, row } from './auditExport.ts';
import type { AuditRecord } from './auditLine.ts';
import { estimateOf, tokensOf } from './dayUsage.ts';

interface UsageRow {
  readonly day: string;
  readonly action: string;
  readonly model: string;
  readonly user: string;
  requests: number;
  tokens: number;
  estimatedTokens: number;
}

const columns = ['day', 'action', 'model', 'user', 'requests', 'tokens', 'estimatedTokens'] as const;

/**
 * Returns the requests by day of this machine, action, model and user as CSV. `tokens` are those that the service counted; the
 * estimates of the others are in a column of their own.
 */
export function usageAsCsv(records: readonly AuditRecord[]): Exported<string> {
  const rows = new Map<string, UsageRow>();
  const outcomes = new Map(
    records.flatMap((record) => (record.kind === 'request-outcome' ? [[record.request, record] as const] : [])),
  );
  for (const record of records) {
    if (record.kind !== 'request-intent') continue;
    const { action, model, user = '' } = record;
    const day = dayText(new Date(record.time));
    const key = JSON.stringify([day, auditActions.indexOf(action), model, user]);
    const found = rows.get(key) ?? { day, action, model, user, requests: 0, tokens: 0, estimatedTokens: 0 };
    rows.set(key, found);
    const outcome = outcomes.get(record.request);
    const { tokens, isEstimated } = (outcome && tokensOf(outcome)) ?? estimateOf(record);
    found.requests += 1;
    found[isEstimated ? 'estimatedTokens' : 'tokens'] += tokens;
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found);
  const content = [columns, ...sorted.map((found) => columns.map((column) => found[column]))].map(row).join('');
  return { content, records: sorted.length };
}

function dayText(time: Date): string {
  const [month, day] = [time.getMonth() + 1, time.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${time.getFullYear()}-${month}-${day}`;
}
