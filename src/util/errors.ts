/**
 * The kinds of errors that a user can act on. A single switch (host/messages/describeError.ts) turns a kind into text.
 */
export type ServiceErrorKind =
  | 'auth' // 401: the key is missing, unknown or refused
  | 'permission' // 403: the key may not use this model
  | 'rateLimit' // 429
  | 'request' // 400, 404, 413, 422 and other 4xx: a retry would not help
  | 'timeout' // one of our own time limits was exceeded
  | 'network' // no connection, or it broke before the first delta
  | 'proxy' // 407, or the proxy cannot be reached
  | 'certificate' // the peer could not prove its identity
  | 'server' // 5xx
  | 'protocol' // an answer that violates the interface
  | 'interrupted' // the answer broke off after its first delta
  | 'policy' // the settings forbid it, or do not resolve
  | 'gate' // part of the request may not leave
  | 'storage' // history could not be read from or written to the disk
  | 'internal' // an internal fault; `reason` has its class
  | 'aborted'; // the user cancelled: never shown

export interface ServiceErrorInit {
  /** HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** The service's id of the request, from its response headers. */
  readonly requestId?: string | undefined;
  /** The wait that the service requests, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly isRetryable?: boolean | undefined;
  /** A machine code such as ECONNREFUSED, UND_ERR_SOCKET, redirect or insufficient_quota. */
  readonly code?: string | undefined;
  /** The host (host:port) of the error, if it differs from the configured one. */
  readonly host?: string | undefined;
  /** A file of the user's that cannot be used; `reason` gives the cause. */
  readonly file?: string | undefined;
  /** Details of the code, for messages: why a file cannot be used, which authentication schemes a proxy offers. */
  readonly reason?: string | undefined;
  /**
   * The service's own message, shown only to the user: at most 500 characters, no control characters, the key masked.
   * It may quote the request, so it is never logged.
   */
  readonly serviceMessage?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The only error type below host/. `message` is for logs: it contains no key, prompt, answer or header value. Two
 * bundles each have a copy of this class, so test with {@link isServiceError}, not with instanceof.
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

/** The error of a request that the user cancelled. */
export function abortedError(): ServiceError {
  return new ServiceError('aborted', 'The request was cancelled.', { code: 'aborted' });
}

/** What was thrown, or an `internal` error in its place. Its message could quote anything, so only its class is kept. */
export function asServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return new ServiceError('internal', `Unexpected ${name}.`, { code: 'internal', reason: name, cause: thrown });
}
