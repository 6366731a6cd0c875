import { type FlagWords, headerLabel } from '../../../policy/compliance/headerLabel.ts';
import type { AuditPosture } from '../../../protocol/audit/auditMessages.ts';
import { type AuditRow, outcomeFields, requestFields } from '../../../protocol/audit/auditRequest.ts';
import type { AuditEntry } from '../../../session/dispatch/audit.ts';

/** An entry, as read from the log. */
export type StampedEntry = { readonly seq: number; readonly time: string; readonly session: string } & AuditEntry;

export interface JoinedRequests {
  /** Oldest first. */
  readonly rows: readonly AuditRow[];
  /** One for each distinct posture label in the rows. */
  readonly postures: readonly AuditPosture[];
}

/** Joins requests with their outcomes. A request without an outcome is still running, or its outcome is unknown. */
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
    rows.set(record.request, {
      ...pick(record, requestNames),
      ...{ at: timeOf(time), posture: label, outcome: 'unknown', confirmation: 'none' },
    });
  }
  for (const record of records) {
    if (record.kind !== 'request-outcome') continue;
    const row = rows.get(record.request);
    // `unknown` is only assumed by the next session: an outcome recorded by the session that ran the request takes
    // precedence.
    if (row === undefined || (record.outcome === 'unknown' && row.outcome !== 'unknown')) continue;
    rows.set(record.request, { ...row, ...pick(record, outcomeNames) });
  }
  return { rows: [...rows.values()].sort((a, b) => a.at - b.at), postures: [...postures.values()] };
}

const requestNames = namesOf(requestFields);
const outcomeNames = namesOf(outcomeFields);

function namesOf<T extends object>(fields: T): readonly (keyof T)[] {
  return Object.keys(fields) as (keyof T)[];
}

/** The named fields that a record has. */
function pick<T extends object, K extends keyof T>(record: T, names: readonly K[]): Pick<T, K> {
  const held = names.filter((name) => record[name] !== undefined);
  return Object.fromEntries(held.map((name) => [name, record[name]])) as Pick<T, K>;
}

/** In a damaged log, an invalid time counts as the earliest. */
export function timeOf(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}
