import type { Rule, Severity } from '../rule.ts';

/** A finding from an answer, checked against the catalogue but not yet located in the file. */
export interface Finding {
  readonly rule: Rule;
  readonly severity: Severity;
  /** One line without hidden characters. */
  readonly message: string;
  /** The suggested fix; empty if the answer has none. */
  readonly fix: string;
  /** Text of the file, as quoted by the answer: with marks in place of masked secrets. */
  readonly quote: string;
  /** The line according to the answer, counted from 1 in the file; null if it gives none. */
  readonly line: number | null;
}

/** Why an answer is not a complete review of the sent text. */
export type AnswerProblem =
  /** Not JSON, or JSON with other text. */
  | 'prose'
  /** It ends before it is complete. */
  | 'truncated'
  /** JSON in an unexpected format. */
  | 'malformed'
  /** No text at all, or a refusal. */
  | 'refused'
  /** Findings of rules that were not requested were omitted. */
  | 'unknown-rule'
  /** Findings that lack a required field, or exceed a limit, were omitted. */
  | 'invalid-finding'
  /** Findings for a file that was not sent were omitted. */
  | 'other-file'
  /** Findings above the maximum number were omitted. */
  | 'too-many'
  /** The answer exceeds the length that is read. */
  | 'too-long';
