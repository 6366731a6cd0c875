import * as z from 'zod/mini';
import { layerNames } from '../../policy/requestPolicy.ts';
import { auditActions, auditConfirmations, auditOutcomes, auditRecognitions } from '../../protocol/auditMessages.ts';

/** Maximum length of a value, in characters. Values are words and numbers; longer ones are cut on writing. */
export const maxWord = 300;

const word = z.string().check(z.maxLength(maxWord));
const count = z.number();
const layer = z.object({ layer: z.enum(layerNames), name: z.optional(word) });

/**
 * The fields of each kind of audit entry. Content-free: counts and values of the interface, no text. This is the only
 * definition of a record's fields: types, parsing, the columns of an export and the rows of the audit page derive from
 * it. The order is that of the columns.
 */
export const auditShapes = {
  /** On disk before the first byte leaves. */
  'request-intent': {
    /** Links the intent with its outcome. */
    request: word,
    /** What the user did. */
    action: z.enum(auditActions),
    origin: word,
    model: word,
    /** Each with the layers that set it. Its value is one of those in the interface document. */
    headers: z.array(z.object({ name: word, value: word, setBy: z.array(layer) })),
    /** Attached files (or parts of files). */
    files: count,
    /** Size of the request's body, UTF-8. */
    bytes: count,
    /** Secrets that were masked. */
    maskings: count,
    /** Secrets that the user chose to send unmasked. */
    unmasked: count,
    /** Files that were omitted because they may not leave. */
    exclusions: count,
    /** Passages and values of excluded files that were recognized by their content, and left out. */
    contentLeftOut: z.optional(count),
    /** How many of the excluded files were recognized by their content at that time. */
    recognition: z.optional(z.enum(auditRecognitions)),
    excludedFiles: z.optional(count),
    recognizedFiles: z.optional(count),
    /** The user saw the exact text before it left. */
    previewed: z.boolean(),
  },
  'request-outcome': {
    request: word,
    outcome: z.enum(auditOutcomes),
    /** The kind of the ServiceError, if it failed. */
    error: z.optional(word),
    status: z.optional(count),
    /** The service's id of the request. */
    requestId: z.optional(word),
    finishReason: z.optional(word),
    promptTokens: z.optional(count),
    completionTokens: z.optional(count),
    totalTokens: z.optional(count),
    durationMs: z.optional(count),
    retries: z.optional(count),
    /** How the service's receipt compares with the request (receipt.ts). `none`: no receipt, or nothing requested. */
    confirmation: z.enum(auditConfirmations),
  },
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
} as const;

type Shapes = typeof auditShapes;
export type AuditKind = keyof Shapes;

/** As the code holds it: read-only, and missing fields are absent. */
type Held<T> = T extends object ? { readonly [K in keyof T]: Held<Exclude<T[K], undefined>> } : T;

/** An entry of one kind. */
export type AuditEntryOf<K extends AuditKind> = { readonly kind: K } & Held<z.infer<z.ZodMiniObject<Shapes[K]>>>;
export type AuditEntry = { [K in AuditKind]: AuditEntryOf<K> }[AuditKind];

export type AuditAction = AuditEntryOf<'request-intent'>['action'];
export type AuditHeader = AuditEntryOf<'request-intent'>['headers'][number];
export type AuditOutcome = AuditEntryOf<'request-outcome'>['outcome'];
export type Confirmation = AuditEntryOf<'request-outcome'>['confirmation'];

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
