import { type FlagWords, headerLabel } from '../../policy/headerLabel.ts';
import type { AuditPosture, AuditRow } from '../../protocol/auditMessages.ts';
import { type AuditEntry, type AuditEntryOf, auditShapes } from '../../session/dispatch/audit.ts';

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
    const { headers, time } = record;
    const label = headerLabel(headers, words);
    if (label !== '' && !postures.has(label)) {
      postures.set(label, { label, headers: headers.map(({ name, value }) => ({ name, value })) });
    }
    rows.set(record.request, { ...recordedFields(record), at: timeOf(time), posture: label, ...withoutOutcome });
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

const withoutOutcome: Omit<AuditRow, keyof Recorded | 'at' | 'posture'> = {
  outcome: 'unknown',
  confirmation: 'none',
  error: '',
  durationMs: null,
  tokens: null,
  retries: 0,
};

type Recorded = Omit<AuditEntryOf<'request-intent'>, 'kind' | 'headers'>;
const { headers: _, ...intentShape } = auditShapes['request-intent'];
const recordedNames = Object.keys(intentShape) as readonly (keyof Recorded)[];

/** All that is recorded of a request, under the names of the record: where a row has no such field, this has no type. */
function recordedFields(record: Recorded): Pick<AuditRow, keyof Recorded> {
  return Object.fromEntries(recordedNames.map((name) => [name, record[name]])) as unknown as Recorded;
}

/** Of a damaged log, a time that is none counts as the earliest. */
export function timeOf(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}
