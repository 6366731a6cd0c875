import type { AuditRow } from '../protocol/auditMessages.ts';
import type { AuditRecord } from '../store/auditLine.ts';

/** Requests with their outcomes, oldest first. One without an outcome is still going on, or nobody knows. */
export function joinRecords(records: readonly AuditRecord[]): readonly AuditRow[] {
  const rows = new Map<string, AuditRow>();
  for (const record of records) {
    if (record.kind !== 'request-intent') continue;
    const { request, time, action, model, headers, files, maskings, unmasked } = record;
    rows.set(request, {
      request,
      at: Date.parse(time),
      action,
      model,
      posture: headers.map(({ name, value }) => shortly(name, value)).join(' · '),
      outcome: 'unknown',
      confirmation: 'none',
      error: '',
      durationMs: null,
      tokens: null,
      files,
      maskings,
      unmasked,
    });
  }
  for (const record of records) {
    if (record.kind !== 'request-outcome') continue;
    const row = rows.get(record.request);
    // That nobody knew is only what the next session thought: what was written down by who did it counts.
    if (row === undefined || (record.outcome === 'unknown' && row.outcome !== 'unknown')) continue;
    const { outcome, confirmation, error, status, durationMs = null, totalTokens = null } = record;
    rows.set(record.request, {
      ...row,
      outcome,
      confirmation,
      error: [error, status].filter((part) => part !== undefined && part !== 200).join(' '),
      durationMs,
      tokens: totalTokens,
    });
  }
  return [...rows.values()];
}

/** A flag by its name, anything else by its value. */
function shortly(name: string, value: string): string {
  const word = name.replace(/^Svc-/, '').toLowerCase();
  return value === 'true' || value === 'false' ? `${word} ${value}` : value;
}
