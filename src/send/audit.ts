import * as z from 'zod/mini';
import { layerNames } from '../policy/requestPolicy.ts';
import { count, type FieldsOf, outcomeFields, requestFields, word } from '../protocol/audit/auditRequest.ts';
import { auditActions, auditAsked, auditRefusals } from '../protocol/audit/auditValues.ts';

const { request, action, origin, model, ...sent } = requestFields;
const layer = z.object({ layer: z.enum(layerNames), name: z.optional(word) });

/**
 * The fields of each kind of audit entry: counts and values of the interface, no content. This, with the fields
 * of a request in protocol/audit/auditRequest.ts, is the only definition of a record's fields: types, parsing, the columns
 * of an export and the rows of the audit page derive from it. The order is that of the columns.
 */
export const auditShapes = {
  /** Written to disk before the first byte is sent. */
  'request-intent': {
    request,
    action,
    origin,
    model,
    /** Each header with the layers that set it. Its value is one of those that the interface document defines. */
    headers: z.array(z.object({ name: word, value: word, setBy: z.array(layer) })),
    ...sent,
  },
  'request-outcome': outcomeFields,
  /** A call of a tool that an answer asked for. */
  'tool-call': {
    tool: word,
    /** `none` means that the user was not asked. */
    decision: z.enum(['once', 'conversation', 'denied', 'none']),
    outcome: z.enum(['done', 'failed', 'refused', 'denied', 'capped', 'stopped']),
    /** The size, in UTF-8, of the result that the model gets. */
    bytes: count,
  },
  'key-set': { origin: word },
  'key-removed': { origin: word },
  /** `state` is `none`, `in-force`, or why the policy cannot be used. `digest` is the SHA-256 of the file. */
  'policy-changed': { state: word, digest: z.optional(word) },
  'log-exported': { format: z.enum(['evidence', 'jsonl', 'csv', 'usage']), records: count },
  'log-verified': { verdict: z.enum(['intact', 'broken']), files: count, records: count },
  /** The numbers of items that svc.purgeLocalData removed. */
  'data-purged': { conversations: count, keys: count },
  /**
   * The first entry of each file. `ledger` is the name of the ledger that signs it; logs of earlier versions lack it. `pid`
   * is the writing process: while it runs, its open requests may still end.
   */
  'session-started': { versions: z.record(word, word), pid: count, ledger: z.optional(word) },
  /** The user accepted code of an answer. */
  'code-accepted': {
    /** It is undefined for an answer of an earlier version, which did not store it. */
    request: z.optional(word),
    edit: word,
    language: word,
    /** The number of lines, without those that differ only in white space. */
    added: count,
    removed: count,
    /** SHA-256 of the tags of the added lines: see evidence/provenance/lineKeys.ts. */
    code: word,
  },
  /** A request that was refused or cancelled at the gate, so that no part of it was sent: see refusals.ts. */
  refused: {
    reason: z.enum(auditRefusals),
    action: z.enum(auditActions),
    /** The names of the settings that are the reason. */
    settings: z.optional(z.array(word)),
    /** The questions that the user declined. */
    asked: z.optional(z.array(z.enum(auditAsked))),
    /** The request that would have been sent again. */
    request: z.optional(word),
    /** The number of refusals: more than 1 in a record of repeats. */
    count,
  },
  /** The user accepted proposed changes of files. Written to disk before the first byte of a file is written. */
  'changes-accept': {
    /** The ID of the change set, which has all that a model proposes in a conversation. */
    set: word,
    files: count,
    /** The number of files whose diff the user opened. */
    shown: count,
    /** The numbers of new, deleted and renamed files. */
    created: count,
    deleted: count,
    renamed: count,
    /** The number of lines. */
    added: count,
    removed: count,
  },
  /** The end of an accept. `files` were written, at least in part; a failure ends the accept. */
  'changes-written': { set: word, files: count, outcome: z.enum(['complete', 'partly', 'failed']) },
  'changes-rejected': { set: word, files: count },
  /** `files` have their former bytes again. `leftAlone` have changed since the accept, or could not be restored. */
  'changes-undone': { set: word, files: count, leftAlone: count },
} as const;

type Shapes = typeof auditShapes;
type AuditKind = keyof Shapes;

/** An entry of one kind. */
export type AuditEntryOf<K extends AuditKind> = { readonly kind: K } & FieldsOf<Shapes[K]>;
export type AuditEntry = { [K in AuditKind]: AuditEntryOf<K> }[AuditKind];

export type AuditHeader = AuditEntryOf<'request-intent'>['headers'][number];

/** Every kind of event; docs/audit.md describes when each is recorded. */
export const auditKinds = Object.keys(auditShapes) as [AuditKind, ...AuditKind[]];

/** The location of an entry. */
export interface RecordPlace {
  /** The name of the ledger that signs it. */
  readonly log: string;
  readonly session: string;
  /** The number of its line in the session. */
  readonly seq: number;
}

/** The user or account that the key of a request is for, if the policy's credential helper said so. */
export interface KeyUser {
  readonly subject: string | undefined;
}

/** The log to which entries are written. */
export interface AuditTrail {
  /**
   * Resolves when the entry is on the disk (fsync). Throws a ServiceError of kind `gate`, code `audit-unwritable`. `of` is the user
   * of the request that the entry belongs to; without it, the entry belongs to no request.
   */
  record(entry: AuditEntry, of?: KeyUser): Promise<unknown>;
}

/** Returns the log for the entries of one request, which name the same user. */
export function trailOf(audit: AuditTrail, of: KeyUser): AuditTrail {
  return { record: (entry) => audit.record(entry, of) };
}
