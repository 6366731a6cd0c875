import * as z from 'zod/mini';
import { auditActions, auditConfirmations, auditOutcomes, auditRecognitions } from './auditValues.ts';

/** The maximum length of a value in characters. Values are words and numbers; longer values are cut on writing. */
export const maxWord = 300;

export const word = z.string().check(z.maxLength(maxWord));
export const count = z.number();

/**
 * The fields of a request, which are on the disk before the first byte is sent; its headers are added in send/audit.ts. The
 * columns of an export have the same order.
 */
export const requestFields = {
  /** Links the request with its outcome. */
  request: word,
  /** The action of the user that led to the request. */
  action: z.enum(auditActions),
  origin: word,
  model: word,
  /** The number of attached files or parts of files. */
  files: count,
  /** The size of the request's body in UTF-8 bytes. */
  bytes: count,
  /** The number of secrets that were masked. */
  maskings: count,
  /** The number of secrets that the user chose to send unmasked. */
  unmasked: count,
  /** The number of files that were omitted because they must not be sent. */
  exclusions: count,
  /** The number of passages and values of excluded files that were recognized by their content, and left out. */
  contentLeftOut: z.optional(count),
  /** Whether all, some or none of the excluded files could be recognized by their content at that time. */
  recognition: z.optional(z.enum(auditRecognitions)),
  excludedFiles: z.optional(count),
  recognizedFiles: z.optional(count),
  /**
   * The number of further ignored files, which were not read: binary files, and files in folders of build output or installed
   * packages.
   */
  otherIgnoredFiles: z.optional(count),
  /** Whether the user saw the exact text before it was sent. */
  previewed: z.boolean(),
} as const;

/** The fields of the outcome of a request. */
export const outcomeFields = {
  request: word,
  outcome: z.enum(auditOutcomes),
  /** The kind of the ServiceError, if the request failed. */
  error: z.optional(word),
  status: z.optional(count),
  /** The service's id of the request. */
  requestId: z.optional(word),
  finishReason: z.optional(word),
  promptTokens: z.optional(count),
  completionTokens: z.optional(count),
  totalTokens: z.optional(count),
  /** The tokens of the request and its answer, if a daily limit applies and the service did not count them. */
  estimatedTokens: z.optional(count),
  durationMs: z.optional(count),
  retries: z.optional(count),
  /**
   * The result of comparing the service's receipt with the request (receipt.ts). `none` means no receipt, or nothing requested.
   */
  confirmation: z.enum(auditConfirmations),
} as const;

/** A type as the code uses it: read-only, and without undefined values. */
type Held<T> = T extends object ? { readonly [K in keyof T]: Held<Exclude<T[K], undefined>> } : T;

/** The type of the fields of a schema. */
export type FieldsOf<Shape extends Readonly<Record<string, z.ZodMiniType>>> = Held<z.infer<z.ZodMiniObject<Shape>>>;

/** A request with its outcome, as the page shows it: all fields of both records, under the same names. */
export type AuditRow = FieldsOf<typeof requestFields> &
  FieldsOf<typeof outcomeFields> & {
    /** Epoch, milliseconds. */
    readonly at: number;
    /** The values of the request's headers in one line, such as `maximum · eu-west`; empty if it had no headers. */
    readonly posture: string;
  };
