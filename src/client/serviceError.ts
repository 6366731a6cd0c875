import { isFrom } from '../util/errorKinds.ts';
import {
  type ErrorCode,
  isServiceError,
  ServiceError,
  type ServiceErrorInit,
  type ServiceErrorKind,
  withFacts,
} from '../util/errors.ts';
import type { ContextLimit } from './answer/contextLimit.ts';
import { readErrorBody } from './answer/errorBody.ts';
import { type LastingRefusal, saysNoCredit } from './answer/lastingRefusal.ts';
import type { KeyFilter } from './answer/withoutKey.ts';
import type { ResponseHead, ResponseHeaders } from './exchange.ts';
import { retryAfterMs } from './retry.ts';

/** The code for a connection that was closed in the middle of an HTTP message. */
const unexpectedEof = 'HPE_INVALID_EOF_STATE';
/** The code for a body that is shorter than its Content-Length or, before any body, for a length that is given twice. */
const lengthMismatch = 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH';

/** The codes of transient connection errors: a retry may succeed. */
const transientErrors = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  // These codes mean that the connection was closed cleanly in the middle of a body.
  unexpectedEof,
  lengthMismatch,
]);

/** The codes of connections that were not made: nothing was sent. */
const connectErrors = new Set([
  'ECONNREFUSED',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** OpenSSL's certificate errors that do not begin with CERT_, in Node's spelling. */
const certificateErrors =
  /^CERT_|SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET|DECRYPT|DECODE)|ALTNAME_INVALID|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|PATH_LENGTH_EXCEEDED|ERR_(SSL|TLS)_.*(CERT|ALERT_UNKNOWN_CA|ALERT_ACCESS_DENIED)/;

/** Machine codes for exhausted credit or quota: waiting does not help. */
const quotaCode = /insufficient_quota|quota_exceeded|billing/;

/**
 * The ServiceError for a failed request or a broken body. Never keeps the original error: its text may quote a header.
 */
export function fromTransportError(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  const externalCode = machineCode(error);
  const code = externalCode ?? 'unknown';
  if (certificateErrors.test(code))
    return new ServiceError('certificate', `Certificate not accepted: ${code}.`, { externalCode: code });
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') {
    return new ServiceError('aborted', 'The client was closed.', { code: 'closed' });
  }
  if (code === 'Z_BUF_ERROR') return endedEarly();
  if (
    /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_PADDING|HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(code) &&
    !transientErrors.has(code)
  ) {
    return unreadable(code);
  }
  const isRetryable = transientErrors.has(code);
  return new ServiceError('network', `No connection: ${code}.`, { externalCode, isRetryable });
}

/** Like fromTransportError(), for a request without a response yet: a length mismatch then does not mean a truncated body. */
export function fromRequestError(error: unknown): ServiceError {
  const failure = fromTransportError(error);
  return failure.externalCode === lengthMismatch ? unreadable(lengthMismatch) : failure;
}

/** Whether an attempt that failed in this way has certainly sent nothing to the service. */
export function isUnsent({ kind, code, externalCode = '' }: ServiceError): boolean {
  if (kind === 'network') return connectErrors.has(externalCode);
  // A status of 407 without a code is one of the service.
  return kind === 'certificate' || (kind === 'proxy' && code !== undefined);
}

function unreadable(externalCode: string): ServiceError {
  return new ServiceError('protocol', `The answer cannot be read: ${externalCode}.`, { externalCode });
}

function machineCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (!('name' in error) || error.name !== 'HTTPParserError') return undefined;
  // undici drops its parser's own error names. An empty `data` is still clear: nothing was left to read, so the
  // connection had ended.
  return 'data' in error && error.data === '' ? unexpectedEof : 'HPE_UNKNOWN';
}

/** The error for a body that ended too early. It is retried if no part of the answer has been shown yet. */
export function endedEarly(isClean?: true): ServiceError {
  return new ServiceError('interrupted', 'The answer ended before the service said so.', {
    code: 'end',
    isRetryable: true,
    ...(isClean === undefined ? {} : { details: { isClean } }),
  });
}

/**
 * The ServiceError for a response whose status is not 2xx.
 * @param body the beginning of its body, '' if there is none.
 */
export function fromResponse(
  { status, headers }: ResponseHead,
  body: string,
  { url, filter, now }: { readonly url: URL; readonly filter: KeyFilter; readonly now: number },
): ServiceError {
  const about = { status, requestId: requestIdOf(headers) };
  if (status < 400) return redirectError(about, headers, url);
  const { code, serviceMessage, contextLimit, lasting, isRefused, parameter, isPage } = readErrorBody(
    body,
    filter,
    status,
  );
  if (lasting) return lastingError(lasting, { ...about, serviceMessage });
  if (contextLimit) return tooLongForModel({ ...about, serviceMessage }, contextLimit);
  // 511 is the status of a network that requires a sign-in.
  if (isPage && (status === 401 || status === 403 || status === 511)) {
    const kind = status === 401 ? 'auth' : 'permission';
    return new ServiceError(kind, `A web page answered ${status}.`, { ...about, code: 'page' });
  }
  const hasQuotaLeft = (code === undefined || !quotaCode.test(code)) && !saysNoCredit(serviceMessage ?? '');
  // `x-should-retry: true` overrides a refusal in the body.
  const isRefusal = isRefused === true && adviceOf(headers) !== true;
  const meaning = meaningOf(status);
  return new ServiceError(isRefusal ? 'request' : meaning.kind, `The service answered ${status}.`, {
    ...about,
    externalCode: code,
    serviceMessage,
    parameter,
    retryAfterMs: retryAfterMs(headers, now),
    isRetryable: !isRefusal && hasQuotaLeft && (adviceOf(headers) ?? meaning.isRetryable),
  });
}

/** The error for a request that exceeds the model's context window: sending it again cannot succeed, even without tools. */
function tooLongForModel(about: ServiceErrorInit<'request'>, { tokens }: ContextLimit): ServiceError {
  const init = { ...about, code: 'context-length', contextTokens: tokens } as const;
  return new ServiceError('request', "The request exceeds the model's context window.", init);
}

/** The error for a permanent refusal, whatever its status. */
function lastingError(code: LastingRefusal, about: ServiceErrorInit<'request'>): ServiceError {
  return new ServiceError('request', `The service refuses the request: ${code}.`, { ...about, code });
}

/** The ServiceError for an error object inside a 200 response. It is never retried: the service has begun to answer. */
export function errorInAnswer(body: string, filter: KeyFilter): ServiceError {
  const { code, status, serviceMessage, contextLimit, lasting, parameter } = readErrorBody(body, filter);
  if (lasting) return lastingError(lasting, { status, serviceMessage });
  if (contextLimit) return tooLongForModel({ status, serviceMessage }, contextLimit);
  return new ServiceError(status === undefined ? 'server' : meaningOf(status).kind, 'The answer is an error.', {
    externalCode: code,
    status,
    serviceMessage,
    parameter,
  });
}

/**
 * The failure of an answer that is already partly shown. `code` is the way it broke off: reset, end, stall, error-event,
 * malformed, too-long, or the code of the failure.
 */
export function interruptedBy(failure: ServiceError): ServiceError {
  return new ServiceError('interrupted', `The answer broke off. ${failure.message}`, {
    status: failure.status,
    requestId: failure.requestId,
    code: interruptionCode(failure),
    serviceMessage: failure.serviceMessage,
    ...(failure.kind === 'interrupted' ? { details: failure.details } : {}),
    cause: failure,
  });
}

function interruptionCode(failure: ServiceError): ErrorCode<'interrupted'> {
  const { externalCode } = failure;
  if (externalCode === 'ECONNRESET' || externalCode === 'EPIPE') return 'reset';
  if (!isFrom(failure, 'transport')) return 'error-event';
  switch (failure.kind) {
    case 'network':
      return 'end';
    case 'protocol':
      return failure.code === 'too-long' ? failure.code : 'malformed';
    case 'timeout':
    case 'interrupted':
      return failure.code ?? 'end';
    case 'server':
    case 'proxy':
    case 'certificate':
      return 'error-event';
  }
}

/** The same failure with the response it belongs to. */
export function withResponse(failure: ServiceError, { status, headers }: ResponseHead): ServiceError {
  return withFacts(failure, {
    status: failure.status ?? status,
    requestId: failure.requestId ?? requestIdOf(headers),
  });
}

/** The service's id of the request, for a support case. */
export function requestIdOf(headers: ResponseHeaders): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'svc-request-id', 'x-correlation-id']) {
    const [value] = [headers[name]].flat();
    if (typeof value === 'string' && /^[\w.:/=+-]{1,200}$/.test(value)) return value;
  }
  return undefined;
}

/**
 * The meaning of an error's status, and whether the same request may succeed later. 409 is not retried: it concerns the
 * request itself, and the interface document asks for retries only on 429 and 5xx.
 */
function meaningOf(status: number): { readonly kind: ServiceErrorKind; readonly isRetryable: boolean } {
  switch (status) {
    case 401:
      return { kind: 'auth', isRetryable: false };
    case 403:
      return { kind: 'permission', isRetryable: false };
    case 407:
      return { kind: 'proxy', isRetryable: false };
    // Unlike the other 4xx, the server asks to try later.
    case 408:
    case 425:
      return { kind: 'server', isRetryable: true };
    case 429:
      return { kind: 'rateLimit', isRetryable: true };
    // RFC 9110: an unknown status means the same as the x00 of its class.
    default:
      return status >= 500 ? { kind: 'server', isRetryable: true } : { kind: 'request', isRetryable: false };
  }
}

/** Whether the service itself advises another attempt; undefined if it gives no advice. */
function adviceOf(headers: ResponseHeaders): boolean | undefined {
  const [advice] = [headers['x-should-retry']].flat();
  return advice === 'true' ? true : advice === 'false' ? false : undefined;
}

/** The error for a redirect, which is never followed: the key and the prompt belong to the origin they were entered for. */
function redirectError(about: ServiceErrorInit<'protocol'>, headers: ResponseHeaders, url: URL): ServiceError {
  const location = headers.location;
  const target = typeof location === 'string' && URL.canParse(location, url.href) ? new URL(location, url) : undefined;
  if (target === undefined || !/^https?:$/.test(target.protocol)) {
    return new ServiceError('protocol', `The service answered ${about.status}.`, { ...about, code: 'status' });
  }
  return new ServiceError('protocol', 'The service redirects.', { ...about, code: 'redirect', host: target.origin });
}
