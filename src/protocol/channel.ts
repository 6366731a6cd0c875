/**
 * The channel between a page and the host. The page calls, with a number for each call; the host answers each with a
 * reply of that number. What else the host sends is up to the page.
 */

/** The calls of a page by name; each takes one object or nothing, and returns what its reply carries. */
export type CallTable<Calls> = { readonly [Name in keyof Calls]: (params: never) => unknown };

export interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly method: string;
  /** Absent where a call takes none. */
  readonly params?: unknown;
}

export interface ReplyMessage {
  readonly type: 'reply';
  readonly id: number;
  /** Absent where a call returns nothing, and where it failed. */
  readonly value?: unknown;
  /** Localised; empty for a cancellation, which shows nothing. */
  readonly err?: string;
}
