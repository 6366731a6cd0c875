import * as z from 'zod/mini';
import { layerNames } from '../policy/requestPolicy.ts';
import { count, type FieldsOf, outcomeFields, requestFields, word } from '../protocol/audit/auditRequest.ts';
import { auditActions, auditAsked, auditRefusals } from '../protocol/audit/auditValues.ts';

const { request, action, origin, model, ...sent } = requestFields;
const layer = z.object({ layer: z.enum(layerNames), name: z.optional(word) });

/**
 * The fields of each kind of audit entry. Content-free: counts and values of the interface, no text. This, with the fields
 * of a request in protocol/audit/auditRequest.ts, is the only definition of a record's fields: types, parsing, the columns
 * of an export and the rows of the audit page derive from it. The order is that of the columns.
 */
export const auditShapes = {
  /** On disk before the first byte leaves. */
  'request-intent': {
    ...{ request, action, origin, model },
    /** Each with the layers that set it. Its value is one of those in the interface document. */
    headers: z.array(z.object({ name: word, value: word, setBy: z.array(layer) })),
    ...sent,
  },
  'request-outcome': outcomeFields,
  /** A call of a tool that an answer asked for. */
  'tool-call': {
    tool: word,
    /** `none`: the user was not asked. */
    decision: z.enum(['once', 'conversation', 'denied', 'none']),
    outcome: z.enum(['done', 'failed', 'refused', 'denied', 'capped', 'stopped']),
    /** Size of the result that the model gets, UTF-8. */
    bytes: count,
  },
  'key-set': { origin: word },
  'key-removed': { origin: word },
  /** `state` is `none`, `in-force`, or why the policy cannot be used. `digest` is the SHA-256 of the file. */
  'policy-changed': { state: word, digest: z.optional(word) },
  'log-exported': { format: z.enum(['evidence', 'jsonl', 'csv']), records: count },
  'log-verified': { verdict: z.enum(['intact', 'broken']), files: count, records: count },
  /** What svc.purgeLocalData removed, as counts. */
  'data-purged': { conversations: count, keys: count },
  /**
   * The first entry of each file. `ledger` is the name of the ledger that signs it; absent in logs of earlier versions. `pid` is the
   * writing process: while it lives, its open requests may still end.
   */
  'session-started': { versions: z.record(word, word), pid: count, ledger: z.optional(word) },
  /** The user accepted code of an answer. */
  'code-accepted': {
    /** Absent for an answer of an earlier version, which did not keep it. */
    request: z.optional(word),
    edit: word,
    language: word,
    /** Lines, without those that differ only in white space. */
    added: count,
    removed: count,
    /** SHA-256 of the tags of the added lines: see evidence/provenance/lineKeys.ts. */
    code: word,
  },
  /** A request that was refused or cancelled at the gate, so that nothing of it was sent: see refusals.ts. */
  refused: {
    reason: z.enum(auditRefusals),
    action: z.enum(auditActions),
    /** The settings that are the reason, by name. */
    settings: z.optional(z.array(word)),
    /** What the user declined. */
    asked: z.optional(z.array(z.enum(auditAsked))),
    /** The request that was to be sent once more. */
    request: z.optional(word),
    /** How many times: more than 1 in a record of repeats. */
    count,
  },
} as const;

type Shapes = typeof auditShapes;
type AuditKind = keyof Shapes;

/** An entry of one kind. */
export type AuditEntryOf<K extends AuditKind> = { readonly kind: K } & FieldsOf<Shapes[K]>;
export type AuditEntry = { [K in AuditKind]: AuditEntryOf<K> }[AuditKind];

export type AuditHeader = AuditEntryOf<'request-intent'>['headers'][number];

/** Every kind of event; docs/audit.md describes when each is recorded. */
export const auditKinds = Object.keys(auditShapes) as [AuditKind, ...AuditKind[]];

/** Where an entry is. */
export interface RecordPlace {
  /** The name of the ledger that signs it. */
  readonly log: string;
  readonly session: string;
  /** The number of its line in the session. */
  readonly seq: number;
}

/** Where entries go. */
export interface AuditTrail {
  /** Resolves when the entry is on the disk (fsync). Throws a ServiceError of kind `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry): Promise<unknown>;
}
