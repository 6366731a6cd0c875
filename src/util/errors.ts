import type { ErrorCode, ServiceErrorKind } from './errorKinds.ts';
import type { Cut } from './whyCut.ts';

export type { ErrorCode, ServiceErrorKind };

/** The kinds whose errors only our own code makes: each has a code. */
type OwnKind = 'timeout' | 'interrupted' | 'policy' | 'gate' | 'internal' | 'aborted';

/** The parts of a request that can differ from the request that was admitted before. */
export const requestChanges = ['address', 'headers', 'body', 'key', 'rules'] as const;
export type RequestChange = (typeof requestChanges)[number];

/** The errors of the system that have their own text; `reason` has all other errors. */
export const systemFaults = ['ENOENT', 'EACCES', 'EPERM', 'EISDIR'] as const;

/** The reason why a file with certificates or a key cannot be used. */
export type FileFault =
  | (typeof systemFaults)[number]
  | 'not-absolute'
  | 'no-certificate'
  | 'no-key'
  | 'key-alone'
  | 'encrypted'
  | 'malformed';

/** A file that is included in a request; `uri` is a string. */
export interface BlockingFile {
  readonly label: string;
  readonly uri: string;
}

/** The files without which the settings would allow a request: instructions of the project, or attachments of the question. */
export interface BlockingFiles {
  readonly instructions?: readonly BlockingFile[];
  readonly attached?: readonly BlockingFile[];
}

/** A daily limit that the managed policy sets, and how much of it is used. */
export interface DayLimitReached {
  readonly what: 'requests' | 'tokens';
  readonly used: number;
  readonly limit: number;
  /** The next midnight in UTC, in milliseconds since the epoch. */
  readonly endsAt: number;
}

/** The way in which a process ended, or the reason why it did not start. */
export type ProcessEnd =
  | { readonly is: 'exit'; readonly code: number }
  | { readonly is: 'signal'; readonly name: string }
  /** The program did not start; `code` is a code of the system. */
  | { readonly is: 'not-started'; readonly code: string };

/** The reasons why a credential helper gave no key; none has text of its output. */
export type HelperFault =
  | ProcessEnd
  /** The managed policy names the program, and the user can write the item at `path`. */
  | { readonly is: 'writable'; readonly path: string }
  | { readonly is: 'late'; readonly seconds: number }
  /** The lock of all windows cannot be created; `code` is a code of the system. */
  | { readonly is: 'no-lock'; readonly code: string }
  | { readonly is: 'too-long' | 'not-json' }
  | { readonly is: 'wrong-field'; readonly field: HelperField }
  /** `at` is when the key expired, in milliseconds since the epoch. */
  | { readonly is: 'expired'; readonly at: number };

/** A field of a helper's output; `other` is one that it may not have. */
export type HelperField = 'key' | 'expiresAt' | 'subject' | 'visit' | 'code' | 'other';

/**
 * Facts that only one kind of error has, as data: platform/messages/ turns them into text, and the compiler asks for each
 * fact. A stored error has no such facts.
 */
interface DetailsByKind {
  /** The credential helper that gave no key; `said` is the beginning of its standard error, without keys. */
  readonly auth: {
    readonly helper?: {
      readonly program: string;
      readonly by: 'managed' | 'user';
      readonly fault: HelperFault;
      readonly said: string;
    };
  };
  readonly certificate: { readonly fileFault?: FileFault | undefined };
  /** The authentication schemes that a proxy offers, by the names that it sends. */
  readonly proxy: { readonly schemes?: readonly string[] };
  /** `blocks`: the number of code blocks in an answer whose code is unclear. */
  readonly protocol: { readonly cut?: Cut; readonly blocks?: number | undefined };
  /** `isClean`: each event is complete, and only the end that the service must state is missing. */
  readonly interrupted: { readonly isClean?: true | undefined };
  readonly policy: BlockingFiles & {
    /** The name of a feature, as in the managed policy. */
    readonly feature?: string;
  };
  readonly gate: {
    /** The size of a request or a file that is too large, or of the records that wait for the collector. */
    readonly size?: { readonly bytes: number; readonly limit: number };
    /** The estimate for a conversation or a question that is too long; `contextTokens` is the limit. */
    readonly tokens?: number;
    /** The largest files of a question that is too long. */
    readonly files?: readonly string[];
    /** The context window that was learned from the service, if the limit comes from it. */
    readonly learned?: { readonly model: string; readonly tokens: number };
    readonly changes?: readonly RequestChange[];
    readonly dayLimit?: DayLimitReached;
    /** The last error of the collector. */
    readonly failure?: ServiceError | undefined;
    /** The way in which git ended, if it gave no reason. */
    readonly git?: ProcessEnd;
    /** Whether a setting was to be written; otherwise, a request was to be sent. */
    readonly isSetting?: boolean;
  };
}

export type ErrorDetails<K extends ServiceErrorKind = ServiceErrorKind> = K extends keyof DetailsByKind
  ? DetailsByKind[K]
  : Readonly<Record<string, never>>;

/** Facts about an error; which of them are known depends on its kind and code. */
interface ErrorFacts {
  /** The HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** The service's id of the request, from its response headers. */
  readonly requestId?: string | undefined;
  /** The wait in milliseconds that the service requests. */
  readonly retryAfterMs?: number | undefined;
  readonly isRetryable?: boolean | undefined;
  /** The maximum number of tokens that the model reads, as the service states it, or that a request may have. */
  readonly contextTokens?: number | undefined;
  /** The host (host:port) of the error, if it differs from the configured one. */
  readonly host?: string | undefined;
  /** The origin to which its request was sent, or would have been sent; undefined if it is not known. */
  readonly origin?: string | undefined;
  /** A file of the user that cannot be used, or the largest file of a request that is too long. */
  readonly file?: string | undefined;
  /** Text to show unchanged, either already translated or external, such as a code of the system. It is never parsed. */
  readonly reason?: string | undefined;
  /**
   * The service's own message, shown only to the user: at most 500 characters, no control characters, the key masked.
   * It may quote the request, so it is never logged.
   */
  readonly serviceMessage?: string | undefined;
  /** The field of the request that the service names as wrong. */
  readonly parameter?: string | undefined;
  readonly cause?: unknown;
}

/** Returns the names of the files that an error concerns. */
export function filesOf({ kind, file, details }: ServiceError): readonly string[] {
  const files = kind === 'gate' ? (details as ErrorDetails<'gate'>).files : undefined;
  return files ?? (file === undefined ? [] : [file]);
}

/**
 * `externalCode` is a machine code that is not ours, such as ECONNREFUSED of the system, DEPTH_ZERO_SELF_SIGNED_CERT of Node,
 * UND_ERR_SOCKET of undici or insufficient_quota of the service. They cannot be listed, so they have a separate field, and
 * `code` remains closed. An error has at most one of the two.
 */
export type ServiceErrorInit<K extends ServiceErrorKind = ServiceErrorKind> = ErrorFacts & {
  readonly details?: ErrorDetails<K>;
} & (K extends OwnKind
    ? { readonly code: ErrorCode<K>; readonly externalCode?: undefined }
    : { readonly code?: ErrorCode<K> | undefined; readonly externalCode?: string | undefined });

class ErrorOfKind<K extends ServiceErrorKind> extends Error {
  override readonly name = 'ServiceError';
  readonly kind: K;
  /** Undefined if the code is external or unknown, for example because another version of the extension stored the error. */
  readonly code: ErrorCode<K> | undefined;
  readonly externalCode: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isRetryable: boolean;
  readonly contextTokens: number | undefined;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly file: string | undefined;
  readonly reason: string | undefined;
  readonly details: ErrorDetails<K>;
  readonly serviceMessage: string | undefined;
  readonly parameter: string | undefined;

  constructor(kind: K, message: string, init: ServiceErrorInit<K>) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.kind = kind;
    this.code = init.code;
    this.externalCode = init.externalCode;
    this.status = init.status;
    this.requestId = init.requestId;
    this.retryAfterMs = init.retryAfterMs;
    this.isRetryable = init.isRetryable ?? false;
    this.contextTokens = init.contextTokens;
    this.host = init.host;
    this.origin = init.origin;
    this.file = init.file;
    this.reason = init.reason;
    this.details = init.details ?? ({} as ErrorDetails<K>);
    this.serviceMessage = init.serviceMessage;
    this.parameter = init.parameter;
  }
}

/**
 * The only error type below platform/. `message` is for logs: it contains no key, prompt, answer or header value.
 */
export type ServiceError<K extends ServiceErrorKind = ServiceErrorKind> = K extends K ? ErrorOfKind<K> : never;
export const ServiceError = ErrorOfKind as new <K extends ServiceErrorKind>(
  kind: K,
  message: string,
  init: ServiceErrorInit<K>,
) => ServiceError<K>;

/** Like `instanceof`, as a type guard: the class has one type for each kind. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ErrorOfKind;
}

/** The code as one string, whether it is ours or external; for reports, files and callers. */
export function codeOf({ code, externalCode }: ServiceError): string | undefined {
  return code ?? externalCode;
}

/** The same error with other facts. */
export function withFacts(error: ServiceError, facts: ErrorFacts): ServiceError {
  const { kind, message, cause } = error;
  return new ServiceError(kind, message, { ...error, cause, ...facts } as ServiceErrorInit);
}

/** The same error with another code of its kind. */
export function withCode(error: ServiceError<'gate'>, code: ErrorCode<'gate'>): ServiceError<'gate'> {
  const { message, contextTokens, file, reason, details } = error;
  return new ServiceError('gate', message, { code, contextTokens, file, reason, details });
}

/** The error of a request that the user cancelled. */
export function abortedError(): ServiceError {
  return new ServiceError('aborted', 'The request was cancelled.', { code: 'aborted' });
}

/**
 * Returns the thrown ServiceError. Any other value becomes an `internal` error with only its class, because its message could
 * quote anything.
 */
export function asServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  // VS Code throws this error if the user cancelled something.
  if (thrown instanceof Error && thrown.name === 'Canceled') return abortedError();
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return new ServiceError('internal', `Unexpected ${name}.`, { code: 'internal', reason: name, cause: thrown });
}
