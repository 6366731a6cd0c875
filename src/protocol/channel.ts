/**
 * The channel between a page and the host. The page numbers its calls, and the host answers each call with a reply of the same
 * number. Each kind of page defines which other messages the host sends.
 */

/** The calls of a page by name. Each call takes one object or nothing, and returns the value of its reply. */
export type CallTable<Calls> = { readonly [Name in keyof Calls]: (params: never) => unknown };

export interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly method: string;
  /** Omitted if the call takes no parameters. */
  readonly params?: unknown;
}

export interface ReplyMessage {
  readonly type: 'reply';
  readonly id: number;
  /** Omitted if the call returns nothing, or failed. */
  readonly value?: unknown;
  /** The localized error of a failed call; empty for a cancellation, which shows nothing. */
  readonly err?: string;
}
