/** What went wrong, in the few kinds a person can act on. One switch (host/messages/describeError.ts) turns a kind into words. */
export type ServiceErrorKind =
  | 'auth' // 401: the key is missing, unknown or refused
  | 'permission' // 403: the key may not use this model
  | 'rateLimit' // 429
  | 'request' // 400, 404, 413, 422 and other 4xx: sending it again would not help
  | 'timeout' // one of our own time limits passed
  | 'network' // no connection, or it broke before the first delta
  | 'proxy' // 407, or the proxy cannot be reached
  | 'certificate' // the other end could not prove who it is
  | 'server' // 5xx
  | 'protocol' // an answer that is not the interface's
  | 'interrupted' // the answer broke off after its first delta
  | 'policy' // the settings do not allow, or do not resolve
  | 'gate' // something in the request may not leave
  | 'storage' // history could not be read from or written to the disk
  | 'internal' // a fault of our own; `reason` has its class
  | 'aborted'; // a person cancelled: shown nowhere

export interface ServiceErrorInit {
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The service's id of the request, from its response headers. */
  readonly requestId?: string | undefined;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly isRetryable?: boolean | undefined;
  /** A machine code such as ECONNREFUSED, UND_ERR_SOCKET, redirect or insufficient_quota. */
  readonly code?: string | undefined;
  /** Which host the error is about (host:port), when it is not the configured one. */
  readonly host?: string | undefined;
  /** A file of the user's that cannot be used; `reason` says why. */
  readonly file?: string | undefined;
  /** What lies behind the code, for words: why a file cannot be used, which ways to sign in a proxy offers. */
  readonly reason?: string | undefined;
  /**
   * The service's own words, for the user's eyes only: at most 500 characters, no control characters, the key
   * masked. It may quote the request, so it is never logged.
   */
  readonly serviceMessage?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The one error below host/. `message` is for logs: it holds no key, prompt, answer or header value.
 * Two bundles carry a copy of this class, so test with {@link isServiceError}, not with instanceof.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ServiceErrorKind;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isRetryable: boolean;
  readonly code: string | undefined;
  readonly host: string | undefined;
  readonly file: string | undefined;
  readonly reason: string | undefined;
  readonly serviceMessage: string | undefined;

  constructor(kind: ServiceErrorKind, message: string, init: ServiceErrorInit = {}) {
    super(message, init.cause === undefined ? undefined : { cause: init.cause });
    this.kind = kind;
    this.status = init.status;
    this.requestId = init.requestId;
    this.retryAfterMs = init.retryAfterMs;
    this.isRetryable = init.isRetryable ?? false;
    this.code = init.code;
    this.host = init.host;
    this.file = init.file;
    this.reason = init.reason;
    this.serviceMessage = init.serviceMessage;
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && error.name === 'ServiceError' && 'kind' in error;
}

/** A request a person cancelled. */
export function abortedError(): ServiceError {
  return new ServiceError('aborted', 'The request was cancelled.', { code: 'aborted' });
}
