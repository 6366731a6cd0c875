/**
 * Optional parts of a request that a service may refuse, and how the request is changed then. A Svc header, the model, the
 * messages and `stream` are never changed.
 */
export const formChanges = [
  /** A stream is not asked for its numbers of tokens. */
  'usage',
  /** `tool_choice` is left out if it is `auto`, which is the default of services. */
  'tool-choice',
  'temperature',
  /** `max_tokens` is sent as `max_completion_tokens`, or not at all. */
  'max-tokens-renamed',
  'max-tokens',
  /** The rules of a system message precede the first question. */
  'system-role',
] as const;
export type FormChange = (typeof formChanges)[number];

/** The form in which a request is sent to a service that refuses parts of it. */
export interface Form {
  readonly changes: ReadonlySet<FormChange>;
  /** Names of the tools that are not offered; `all` if the model accepts no tools. */
  readonly withoutTools: ReadonlySet<string> | 'all';
}

export const wholeForm: Form = { changes: new Set(), withoutTools: new Set() };

export function isWhole({ changes, withoutTools }: Form): boolean {
  return changes.size === 0 && withoutTools !== 'all' && withoutTools.size === 0;
}

export function withChange(form: Form, ...added: readonly FormChange[]): Form {
  const changes = new Set([...form.changes, ...added]);
  if (changes.has('max-tokens')) changes.delete('max-tokens-renamed');
  return { ...form, changes };
}

export function leaveOutTools(form: Form, names: Iterable<string>): Form {
  if (form.withoutTools === 'all') return form;
  return { ...form, withoutTools: new Set([...form.withoutTools, ...names]) };
}

/** The form in which a request was sent, as far as the user should know. */
export interface SentForm {
  /** The number of requests that were sent. */
  readonly requests: number;
  /** The changes that these requests made. */
  readonly changed: readonly FormChange[];
  /** The parts that the user has set and that were not sent. */
  readonly unsent: readonly FormChange[];
  /** Names of the tools that were not offered although other tools were. */
  readonly tools: readonly string[];
}
