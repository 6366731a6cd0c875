/** Where code is from. */
export interface CodeSource {
  /** The id of the request in the audit log. */
  readonly request?: string;
  readonly model?: string;
}

/**
 * Code that the user has accepted, after formatting: the text before and after. If `before` is null, `after` has only new
 * lines.
 */
export interface AcceptedCode {
  readonly source: CodeSource;
  readonly languageId: string;
  readonly before: string | null;
  readonly after: string;
}

/** Called after the code was written. Resolves when that is recorded, and never rejects. */
export type OnAccepted = (code: AcceptedCode) => Promise<void>;
