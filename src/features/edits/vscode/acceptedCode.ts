/** The origin of code. */
export interface CodeSource {
  /** The ID of the request in the audit log. */
  readonly request?: string;
  readonly model?: string;
}

/**
 * Code that the user has accepted, after formatting. `before` and `after` are the texts; if `before` is null, `after`
 * contains only new lines.
 */
export interface AcceptedCode {
  readonly source: CodeSource;
  readonly languageId: string;
  readonly before: string | null;
  readonly after: string;
}

/** Called after the code has been written. Resolves when the acceptance has been recorded, and never rejects. */
export type OnAccepted = (code: AcceptedCode) => Promise<void>;
