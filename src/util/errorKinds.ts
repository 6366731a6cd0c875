/** What must not be sent, or may not be sent before the audit log has it. */
const refusalCodes = [
  ...['excluded', 'too-large', 'untrusted', 'changed', 'masking-endless', 'not-recognized'],
  ...['audit-unwritable', 'not-delivered'],
] as const;
export type RefusalCode = (typeof refusalCodes)[number];

/** What a question is about cannot be read, or is nothing that can be sent. */
const contextCodes = [
  ...['gone', 'not-text', 'no-images', 'no-data', 'unknown-part', 'over-budget', 'nothing-there', 'not-here'],
  ...['nothing-to-work-on', 'broken-prompt', 'outside-workspace'],
] as const;
export type ContextCode = (typeof contextCodes)[number];

const gitCodes = ['no-repository', 'git-off', 'git-failed'] as const;
export type GitCode = (typeof gitCodes)[number];

/** The conversation does not fit the model. */
const lengthCodes = [
  ...['conversation-too-long', 'question-too-long', 'summary-wanted', 'nothing-to-summarize'],
] as const;
export type LengthCode = (typeof lengthCodes)[number];

/** The service has answered, but not as the interface says. */
const answerCodes = [
  ...['redirect', 'status', 'html', 'content-type', 'content-coding', 'malformed', 'too-long'],
  ...['empty', 'no-choices', 'no-content', 'tool-call', 'tool-call-cut', 'cut', 'filtered', 'doubtful-end'],
] as const;
export type AnswerCode = (typeof answerCodes)[number];

/** The answer was to change code, and cannot. */
const editCodes = ['no-code', 'misplaced-code'] as const;
export type EditCode = (typeof editCodes)[number];

/** The answer was to be a summary, and is none. */
const summaryCodes = ['summary-cut', 'summary-too-long', 'summary-unread'] as const;
export type SummaryCode = (typeof summaryCodes)[number];

/** The limits of a request's time: ours, and that of VS Code's network stack. */
const timeCodes = [
  ...['first-token', 'stall', 'attempts', 'answer', 'trailing', 'check', 'names', 'host-stack'],
] as const;

/**
 * The kinds of errors that a user can act on, each with its own codes. `source` says where it comes from: the service
 * refused, the transport failed, the rules allow no request, this machine failed, or the user cancelled. Most
 * places know only sources, so that they need no change for a new kind; the compiler names the others.
 */
export const errorKinds = {
  /** 401: the key is missing, unknown or refused; or a web page of the network says so. */
  auth: { source: 'service', codes: ['no-key', 'malformed-key', 'page'] },
  /** 403: the key may not use this model; or a web page of the network says so. */
  permission: { source: 'service', codes: ['page'] },
  /** 429. */
  rateLimit: { source: 'service', codes: [] },
  /** 400, 404, 413, 422 and other 4xx: a retry would not help. */
  request: { source: 'service', codes: ['wrong-argument', 'context-length', 'quota', 'content-filter'] },
  /** One of our own time limits was exceeded, or that of VS Code's network stack. */
  timeout: { source: 'transport', codes: timeCodes },
  /** No connection, or it broke before the first delta. */
  network: { source: 'transport', codes: [] },
  /** 407, or the proxy cannot be reached. */
  proxy: { source: 'transport', codes: ['proxy-auth', 'proxy-refused', 'proxy-scheme', 'proxy-url'] },
  /** The peer could not prove its identity. */
  certificate: {
    source: 'transport',
    codes: ['tls-check-off', 'ca-file', 'client-certificate', 'client-key', 'key-mismatch'],
  },
  /** 5xx. */
  server: { source: 'transport', codes: [] },
  /** An answer that violates the interface, or has nothing to use. */
  protocol: { source: 'transport', codes: [...answerCodes, ...editCodes, ...summaryCodes] },
  /** The answer broke off after its first delta: a time limit was exceeded, it violates the interface, or it ended. */
  interrupted: {
    source: 'transport',
    codes: [...timeCodes, 'end', 'reset', 'error-event', 'malformed', 'too-long', 'window-closed'],
  },
  /** The settings or the administrator forbid it, or the settings do not resolve. */
  policy: {
    source: 'rules',
    codes: [
      ...['settings', 'settings-file', 'no-base-url', 'managed-broken', 'feature-disabled', 'preview-required'],
      'context-budget',
    ],
  },
  /** Part of the request may not leave, or cannot be read. */
  gate: { source: 'rules', codes: [...refusalCodes, ...contextCodes, ...gitCodes, ...lengthCodes] },
  /** The disk: history, a setting or an export could not be read or written. */
  storage: {
    source: 'machine',
    codes: ['not-exported', 'not-signed', 'not-delivered', 'not-set', 'newer-version', 'too-large', 'bad-id', 'locked'],
  },
  /** An internal fault; `reason` has its class. */
  internal: { source: 'machine', codes: ['internal'] },
  /** The user cancelled, or the client was closed: never shown. */
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
