/**
 * The kinds of errors that a user can act on, each with its own codes. platform/messages/errors/describeError.ts turns a kind and
 * its code into text; the compiler asks there for each of them.
 */
export const errorCodes = {
  /** 401: the key is missing, unknown or refused; or a web page of the network says so. */
  auth: ['no-key', 'malformed-key', 'page'],
  /** 403: the key may not use this model; or a web page of the network says so. */
  permission: ['page'],
  /** 429. */
  rateLimit: [],
  /** 400, 404, 413, 422 and other 4xx: a retry would not help. */
  request: ['wrong-argument', 'context-length', 'quota', 'content-filter'],
  /** One of our own time limits was exceeded, or that of VS Code's network stack. */
  timeout: ['first-token', 'stall', 'attempts', 'answer', 'trailing', 'check', 'names', 'host-stack'],
  /** No connection, or it broke before the first delta. */
  network: [],
  /** 407, or the proxy cannot be reached. */
  proxy: ['proxy-auth', 'proxy-refused', 'proxy-scheme', 'proxy-url'],
  /** The peer could not prove its identity. */
  certificate: ['tls-check-off', 'ca-file', 'client-certificate', 'client-key', 'key-mismatch'],
  /** 5xx. */
  server: [],
  /** An answer that violates the interface, or has nothing to use. */
  protocol: [
    ...['redirect', 'status', 'html', 'content-type', 'content-coding', 'malformed', 'too-long'],
    ...['empty', 'no-choices', 'no-content', 'tool-call', 'tool-call-cut'],
    ...['no-code', 'cut', 'filtered', 'doubtful-end', 'misplaced-code'],
    ...['summary-cut', 'summary-too-long', 'summary-unread'],
  ],
  /** The answer broke off after its first delta: a time limit was exceeded, it violates the interface, or it ended. */
  interrupted: [
    ...['first-token', 'stall', 'attempts', 'answer', 'trailing', 'check', 'names', 'host-stack'],
    ...['end', 'reset', 'error-event', 'malformed', 'too-long', 'window-closed'],
  ],
  /** The settings or the administrator forbid it, or the settings do not resolve. */
  policy: [
    ...['settings', 'settings-file', 'no-base-url', 'managed-broken', 'feature-disabled', 'preview-required'],
    'context-budget',
  ],
  /** Part of the request may not leave, or cannot be read. */
  gate: [
    ...['excluded', 'too-large', 'untrusted', 'changed', 'masking-endless', 'audit-unwritable', 'not-recognized'],
    'not-delivered',
    ...['gone', 'not-text', 'no-images', 'no-data', 'unknown-part', 'over-budget', 'nothing-there', 'not-here'],
    ...['nothing-to-work-on', 'broken-prompt', 'outside-workspace', 'no-repository', 'git-off', 'git-failed'],
    ...['conversation-too-long', 'question-too-long', 'summary-wanted', 'nothing-to-summarize'],
  ],
  /** The disk: history, a setting or an export could not be read or written. */
  storage: ['not-exported', 'not-signed', 'not-delivered', 'not-set', 'newer-version', 'too-large', 'bad-id', 'locked'],
  /** An internal fault; `reason` has its class. */
  internal: ['internal'],
  /** The user cancelled, or the client was closed: never shown. */
  aborted: ['aborted', 'closed'],
} as const satisfies Record<string, readonly string[]>;
