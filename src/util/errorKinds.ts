/** Codes for content that must not be sent, or must not be sent before the audit log has recorded it. */
const refusalCodes = [
  ...['excluded', 'too-large', 'untrusted', 'changed', 'masking-endless', 'not-recognized'],
  ...['audit-unwritable', 'not-delivered', 'day-limit'],
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** Codes for a subject of a question that cannot be read, or cannot be sent. */
const contextCodes = [
  ...['gone', 'not-text', 'no-images', 'no-data', 'unknown-part', 'over-budget', 'nothing-there', 'not-here'],
  ...['nothing-to-work-on', 'broken-prompt', 'outside-workspace'],
] as const;
export type ContextCode = (typeof contextCodes)[number];

const gitCodes = ['no-repository', 'git-off', 'git-failed'] as const;
export type GitCode = (typeof gitCodes)[number];

/** Codes for a conversation that does not fit the model. */
const lengthCodes = [
  ...['conversation-too-long', 'question-too-long', 'summary-wanted', 'nothing-to-summarize'],
] as const;
export type LengthCode = (typeof lengthCodes)[number];

/** Codes for answers of the service that violate the interface. */
const answerCodes = [
  ...['redirect', 'status', 'html', 'content-type', 'content-coding', 'malformed', 'too-long'],
  ...['empty', 'no-choices', 'no-content', 'tool-call', 'tool-call-cut', 'cut', 'filtered', 'doubtful-end'],
] as const;
export type AnswerCode = (typeof answerCodes)[number];

/** Codes for an answer that should change code, but cannot. */
const editCodes = ['no-code', 'misplaced-code'] as const;
export type EditCode = (typeof editCodes)[number];

/** Codes for an answer that should be a summary, but is not usable as one. */
const summaryCodes = ['summary-cut', 'summary-too-long', 'summary-unread'] as const;
export type SummaryCode = (typeof summaryCodes)[number];

/** Codes for a turn that was stopped because of its tool calls: it reached a limit, or the calls make no progress. */
const stopCodes = ['calls', 'requests', 'tokens', 'failures', 'same-call', 'circle'] as const;
export type StopCode = (typeof stopCodes)[number];

export function isStopCode(code: string | undefined): code is StopCode {
  return (stopCodes as readonly (string | undefined)[]).includes(code);
}

/** Codes for the time limits of a request: our own limits, and the limit of VS Code's network stack. */
const timeCodes = [
  ...['first-token', 'stall', 'attempts', 'answer', 'trailing', 'check', 'names', 'host-stack'],
] as const;

/**
 * The kinds of errors that a user can act on, each with its own codes. `source` states where an error comes from: the service
 * refused, the transport failed, the rules allow no request, this machine failed, or the user cancelled. Most code depends only
 * on sources, so that it need not change for a new kind; the compiler finds the code that must.
 */
export const errorKinds = {
  /** 401: the key is missing, unknown or refused; or a web page of the network returned this status. */
  auth: { source: 'service', codes: ['no-key', 'helper', 'helper-refused', 'malformed-key', 'page'] },
  /** 403: the key may not use this model; or a web page of the network returned this status. */
  permission: { source: 'service', codes: ['page'] },
  /** 429: too many requests. */
  rateLimit: { source: 'service', codes: [] },
  /** 400, 404, 413, 422 and other 4xx: a retry would not help. */
  request: { source: 'service', codes: ['wrong-argument', 'context-length', 'quota', 'content-filter'] },
  /** One of our own time limits was exceeded, or that of VS Code's network stack. */
  timeout: { source: 'transport', codes: timeCodes },
  /** There was no connection, or it broke before the first delta. */
  network: { source: 'transport', codes: [] },
  /** 407, or the proxy cannot be reached. */
  proxy: { source: 'transport', codes: ['proxy-auth', 'proxy-refused', 'proxy-scheme', 'proxy-url'] },
  /** The peer could not prove its identity. */
  certificate: {
    source: 'transport',
    codes: ['tls-check-off', 'ca-file', 'client-certificate', 'client-key', 'key-mismatch'],
  },
  /** 5xx: the service failed. */
  server: { source: 'transport', codes: [] },
  /** The answer violates the interface, or contains nothing that can be used. */
  protocol: { source: 'transport', codes: [...answerCodes, ...editCodes, ...summaryCodes] },
  /**
   * The answer broke off after its first delta: a time limit was exceeded, it violates the interface, or the connection ended;
   * or the turn was stopped because of its tool calls.
   */
  interrupted: {
    source: 'transport',
    codes: [...timeCodes, 'end', 'reset', 'error-event', 'malformed', 'too-long', 'window-closed', ...stopCodes],
  },
  /** The settings or the administrator forbid the request, or the settings cannot be resolved. */
  policy: {
    source: 'rules',
    codes: [
      ...['settings', 'settings-file', 'no-base-url', 'managed-broken', 'feature-disabled', 'preview-required'],
      'context-budget',
    ],
  },
  /** Part of the request must not be sent, or cannot be read. */
  gate: { source: 'rules', codes: [...refusalCodes, ...contextCodes, ...gitCodes, ...lengthCodes] },
  /** The history, a setting or an export could not be read from or written to the disk. */
  storage: {
    source: 'machine',
    codes: ['not-exported', 'not-signed', 'not-delivered', 'not-set', 'newer-version', 'too-large', 'bad-id', 'locked'],
  },
  /** An internal error; `reason` contains its class. */
  internal: { source: 'machine', codes: ['internal'] },
  /** The user cancelled, or the client was closed. This kind is never shown. */
  aborted: { source: 'user', codes: ['aborted', 'closed'] },
} as const satisfies Record<string, { readonly source: ErrorSource; readonly codes: readonly string[] }>;

type ErrorSource = 'service' | 'transport' | 'rules' | 'machine' | 'user';

export type ServiceErrorKind = keyof typeof errorKinds;
export type ErrorCode<K extends ServiceErrorKind> = (typeof errorKinds)[K]['codes'][number];

export type KindFrom<S extends ErrorSource> = {
  [K in ServiceErrorKind]: (typeof errorKinds)[K]['source'] extends S ? K : never;
}[ServiceErrorKind];

export function isKindFrom<S extends ErrorSource>(kind: ServiceErrorKind, source: S): kind is KindFrom<S> {
  return errorKinds[kind].source === source;
}

export function isFrom<E extends { readonly kind: ServiceErrorKind }, S extends ErrorSource>(
  error: E,
  source: S,
): error is Extract<E, { readonly kind: KindFrom<S> }> {
  return isKindFrom(error.kind, source);
}
