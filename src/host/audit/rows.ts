import { type FlagWords, headerLabel } from '../../policy/headerLabel.ts';
import type { AuditPosture, AuditRow } from '../../protocol/auditMessages.ts';
import { type AuditEntry, type AuditEntryOf, auditShapes } from '../../session/dispatch/audit.ts';

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
    rows.set(record.request, { ...recordedFields(record), at: timeOf(time), posture: label, ...withoutOutcome });
  }
  for (const record of records) {
    if (record.kind !== 'request-outcome') continue;
    const row = rows.get(record.request);
    // `unknown` is only assumed by the next session: an outcome recorded by the session that ran the request takes
    // precedence.
    if (row === undefined || (record.outcome === 'unknown' && row.outcome !== 'unknown')) continue;
    const { outcome, confirmation, error, status, totalTokens = null, ...reported } = record;
    const { durationMs = null, promptTokens = null, completionTokens = null, retries = 0 } = reported;
    rows.set(record.request, {
      ...row,
      outcome,
      confirmation,
      error: error ?? '',
      status: status === undefined || status === 200 ? null : status,
      durationMs,
      tokens: totalTokens,
      promptTokens,
      completionTokens,
      finishReason: reported.finishReason ?? '',
      requestId: reported.requestId ?? '',
      retries,
    });
  }
  return { rows: [...rows.values()].sort((a, b) => a.at - b.at), postures: [...postures.values()] };
}

type OutcomeName = Exclude<keyof AuditEntryOf<'request-outcome'>, 'kind' | 'request' | 'totalTokens'>;
/** Every field of an outcome; does not compile where a row lacks one of them. `totalTokens` is `tokens` there. */
type OutcomeFields = { readonly [K in OutcomeName]: AuditRow[K] } & Pick<AuditRow, 'tokens'>;

const withoutOutcome: OutcomeFields = {
  outcome: 'unknown',
  confirmation: 'none',
  error: '',
  status: null,
  durationMs: null,
  tokens: null,
  promptTokens: null,
  completionTokens: null,
  finishReason: '',
  requestId: '',
  retries: 0,
};

type Recorded = Omit<AuditEntryOf<'request-intent'>, 'kind' | 'headers'>;
const { headers: _, ...intentShape } = auditShapes['request-intent'];
const recordedNames = Object.keys(intentShape) as readonly (keyof Recorded)[];

/** All fields recorded for a request, under the same names; does not compile where a row lacks one of them. */
function recordedFields(record: Recorded): Pick<AuditRow, keyof Recorded> {
  const recorded = recordedNames.filter((name) => record[name] !== undefined);
  return Object.fromEntries(recorded.map((name) => [name, record[name]])) as unknown as Recorded;
}

/** In a damaged log, an invalid time counts as the earliest. */
export function timeOf(text: string): number {
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at;
}
