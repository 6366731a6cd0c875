import type { Rule, Severity } from './rule.ts';

/** What an answer says is wrong, checked against the catalogue and not yet looked for in the file. */
export interface Finding {
  readonly rule: Rule;
  readonly severity: Severity;
  /** One line, nothing hidden in it. */
  readonly message: string;
  /** What to do about it; empty where the answer says nothing. */
  readonly fix: string;
  /** Text of the file, as the answer has it: with marks where secrets were masked. */
  readonly quote: string;
  /** Where the answer says it stands, counted from 1 in the file; null where it does not say. */
  readonly line: number | null;
}

/** Why an answer is not the whole review of what was sent. */
export type AnswerProblem =
  /** Not JSON, or not JSON alone. */
  | 'prose'
  /** It ends before it is complete. */
  | 'truncated'
  /** JSON, but not of the shape that was asked for. */
  | 'malformed'
  /** No text at all, or a refusal. */
  | 'refused'
  /** Findings of rules that were not asked about were left out. */
  | 'unknown-rule'
  /** Findings without a needed field, or with one beyond its limit, were left out. */
  | 'invalid-finding'
  /** Findings for a file that was not sent were left out. */
  | 'other-file'
  /** Findings beyond the most that are read were left out. */
  | 'too-many'
  /** The answer is longer than what is read. */
  | 'too-long';
