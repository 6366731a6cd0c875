import * as z from 'zod/mini';
import { auditActions, auditConfirmations, auditOutcomes, auditRecognitions } from './auditValues.ts';

/** Maximum length of a value, in characters. Values are words and numbers; longer ones are cut on writing. */
export const maxWord = 300;

export const word = z.string().check(z.maxLength(maxWord));
export const count = z.number();

/**
 * The fields of a request, on the disk before the first byte leaves; its headers are added in
 * send/audit.ts. The order is that of the columns of an export.
 */
export const requestFields = {
  /** Links the request with its outcome. */
  request: word,
  /** What the user did. */
  action: z.enum(auditActions),
  origin: word,
  model: word,
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
  /** Further ignored files, which were not read: binary ones, and those in folders of what was built or installed. */
  otherIgnoredFiles: z.optional(count),
  /** The user saw the exact text before it left. */
  previewed: z.boolean(),
} as const;

/** The fields of the outcome of a request. */
export const outcomeFields = {
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
} as const;

/** As the code holds it: read-only, and missing fields are absent. */
type Held<T> = T extends object ? { readonly [K in keyof T]: Held<Exclude<T[K], undefined>> } : T;

/** What the fields of a schema hold. */
export type FieldsOf<Shape extends Readonly<Record<string, z.ZodMiniType>>> = Held<z.infer<z.ZodMiniObject<Shape>>>;

/** A request with its outcome, as the page shows it: all fields of both records, under the same names. */
export type AuditRow = FieldsOf<typeof requestFields> &
  FieldsOf<typeof outcomeFields> & {
    /** Epoch, milliseconds. */
    readonly at: number;
    /** The values of its headers in one line, such as `maximum · eu-west`; empty if it had none. */
    readonly posture: string;
  };
