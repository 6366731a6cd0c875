import { type FlagWords, headerLabel } from '../../policy/headerLabel.ts';
import type { AuditPosture, AuditRow } from '../../protocol/auditMessages.ts';
import type { AuditEntry } from '../../session/audit.ts';

/** An entry, as it is read back. */
export type StampedEntry = { readonly seq: number; readonly time: string; readonly session: string } & AuditEntry;

export interface JoinedRequests {
  /** Oldest first. */
  readonly rows: readonly AuditRow[];
  /** One for each line of a posture that the rows have. */
  readonly postures: readonly AuditPosture[];
}

/** Requests with their outcomes. One without an outcome is still going on, or nobody knows. */
export function joinRecords(records: readonly StampedEntry[], words: FlagWords): JoinedRequests {
  const rows = new Map<string, AuditRow>();
  const postures = new Map<string, AuditPosture>();
  for (const record of records) {
    if (record.kind !== 'request-intent') continue;
    const { request, time, action, origin, model, headers, files, bytes, maskings, unmasked, exclusions } = record;
    const label = headerLabel(headers, words);
    if (label !== '' && !postures.has(label)) {
      postures.set(label, { label, headers: headers.map(({ name, value }) => ({ name, value })) });
    }
    rows.set(request, {
      request,
      at: timeOf(time),
      action,
      origin,
      model,
      posture: label,
      outcome: 'unknown',
      confirmation: 'none',
      error: '',
      durationMs: null,
      tokens: null,
      retries: 0,
      files,
      bytes,
      maskings,
      unmasked,
      exclusions,
      previewed: record.previewed,
    });
  }
  for (const record of records) {
    if (record.kind !== 'request-outcome') continue;
    const row = rows.get(record.request);
    // That nobody knew is only what the next session thought: what was written down by who did it counts.
    if (row === undefined || (record.outcome === 'unknown' && row.outcome !== 'unknown')) continue;
    const { outcome, confirmation, error, status, durationMs = null, totalTokens = null, retries = 0 } = record;
    rows.set(record.request, {
      ...row,
      outcome,
      confirmation,
      error: [error, status].filter((part) => part !== undefined && part !== 200).join(' '),
      durationMs,
      tokens: totalTokens,
      retries,
    });
  }
  return { rows: [...rows.values()].sort((a, b) => a.at - b.at), postures: [...postures.values()] };
}

/** Of a damaged log, a time that is none counts as the earliest. */
export function timeOf(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}
