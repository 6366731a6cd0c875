import * as z from 'zod/mini';
import { layerNames } from '../../policy/requestPolicy.ts';

/** Characters of a value. Values are words and numbers: what is longer is cut when it is written. */
export const maxWord = 300;

const word = z.string().check(z.maxLength(maxWord));
const count = z.number();
const layer = z.object({ layer: z.enum(layerNames), name: z.optional(word) });

/**
 * What is written down of something that happened, by its kind. Content-free: counts and the interface's own words, no
 * text. This is the one place that says what is in a record: types, what is read back, the columns of an export and the
 * rows of the audit page derive from it. The order is that of the columns.
 */
export const auditShapes = {
  /** On disk before the first byte leaves. */
  'request-intent': {
    /** Joins the intent and its outcome. */
    request: word,
    /** What the user did. */
    action: z.enum(['chat', 'explain', 'generate', 'review', 'inlineCompletions', 'languageModel']),
    origin: word,
    model: word,
    /** Each with the layers that ask for it. Its value is one of the interface document's own words. */
    headers: z.array(z.object({ name: word, value: word, setBy: z.array(layer) })),
    /** Attached files (or parts of files). */
    files: count,
    /** Of the request's body, UTF-8. */
    bytes: count,
    /** Secrets that were masked. */
    maskings: count,
    /** Secrets that the user chose to send as they are. */
    unmasked: count,
    /** Files that were left out because they may not leave. */
    exclusions: count,
    /** The user saw the exact text before it left. */
    previewed: z.boolean(),
  },
  'request-outcome': {
    request: word,
    outcome: z.enum(['complete', 'interrupted', 'stopped', 'failed', 'unknown']),
    /** The kind of a ServiceError, where it failed. */
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
    /** How the service's receipt compares with what was asked: see receipt.ts. `none`: no receipt, or nothing was asked. */
    confirmation: z.enum(['confirmed', 'not-confirmed', 'contradicted', 'none']),
  },
  /** A call of a tool that an answer asked for. */
  'tool-call': {
    tool: word,
    /** `none`: the user was not asked. */
    decision: z.enum(['once', 'conversation', 'denied', 'none']),
    outcome: z.enum(['done', 'failed', 'refused', 'denied', 'capped', 'stopped']),
    /** Of what the model is told of it, UTF-8. */
    bytes: count,
  },
  'key-set': { origin: word },
  'key-removed': { origin: word },
  /** `state` says which: `none`, `in-force`, or why it cannot be used. `digest` is the SHA-256 of the file. */
  'policy-changed': { state: word, digest: z.optional(word) },
  'log-exported': { format: z.enum(['jsonl', 'csv']), records: count },
  'log-verified': { verdict: z.enum(['intact', 'broken']), files: count, records: count },
  /** What svc.purgeLocalData removed, in numbers. */
  'data-purged': { conversations: count, keys: count },
  /** The first of each file. `pid` is of the process that writes: while it lives, what it has begun may still end. */
  'session-started': { versions: z.record(word, word), pid: count },
} as const;

type Shapes = typeof auditShapes;
export type AuditKind = keyof Shapes;

/** As the code holds it: nothing in it changes, and what is not there is absent. */
type Held<T> = T extends object ? { readonly [K in keyof T]: Held<Exclude<T[K], undefined>> } : T;

/** An entry of one kind. */
export type AuditEntryOf<K extends AuditKind> = { readonly kind: K } & Held<z.infer<z.ZodMiniObject<Shapes[K]>>>;
export type AuditEntry = { [K in AuditKind]: AuditEntryOf<K> }[AuditKind];

export type AuditAction = AuditEntryOf<'request-intent'>['action'];
export type AuditHeader = AuditEntryOf<'request-intent'>['headers'][number];
export type AuditOutcome = AuditEntryOf<'request-outcome'>['outcome'];
export type Confirmation = AuditEntryOf<'request-outcome'>['confirmation'];

/** Every kind of event; README.md says of each when it is recorded. */
export const auditKinds = Object.keys(auditShapes) as [AuditKind, ...AuditKind[]];

/** Where entries go. */
export interface AuditTrail {
  /** Resolves when the entry is on the disk (fsync). Throws a ServiceError of kind `gate`, code `audit-unwritable`. */
  record(entry: AuditEntry): Promise<void>;
}
