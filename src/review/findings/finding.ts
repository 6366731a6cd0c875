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
  /** Text without a list of findings. */
  | 'prose'
  /** It ends before it is complete. */
  | 'truncated'
  /** JSON in an unexpected format. */
  | 'malformed'
  /** No text at all, or a refusal. */
  | 'refused'
  /** Findings above the maximum number were omitted. */
  | 'too-many'
  /** The answer exceeds the length that is read. */
  | 'too-long';

/** A finding of an answer that is not in the report. All texts are one visible line. */
export interface LostFinding {
  readonly reason: /** The rule was not requested. */
    | 'unknown-rule'
    /** It has no rule, or neither a message nor a quote, or cannot be read. */
    | 'invalid-finding'
    /** Its file was not sent. */
    | 'other-file';
  /** The rule that it names; empty for none. */
  readonly rule: string;
  readonly line: number | null;
  /** The beginning of its message, else of its quote, else of what the answer has. */
  readonly text: string;
}
