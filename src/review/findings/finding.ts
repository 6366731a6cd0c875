import type { Rule, Severity } from '../rule.ts';

/** A finding from an answer, checked against the catalog but not yet located in the file. */
export interface Finding {
  readonly rule: Rule;
  readonly severity: Severity;
  /** The message on one line, without hidden characters. */
  readonly message: string;
  /** The suggested fix; empty if the answer has none. */
  readonly fix: string;
  /** The text of the file as the answer quotes it, with marks in place of masked secrets. */
  readonly quote: string;
  /** The line in the file that the answer gives, counted from 1; null if it gives no line. */
  readonly line: number | null;
}

/** The reason why an answer is not a complete review of the sent text. */
export type AnswerProblem =
  /** The answer is text without a list of findings. */
  | 'prose'
  /** The answer ends before it is complete. */
  | 'truncated'
  /** The answer is JSON in an unexpected format. */
  | 'malformed'
  /** The answer has no text, or is a refusal. */
  | 'refused'
  /** Findings above the maximum number were omitted. */
  | 'too-many'
  /** The answer exceeds the length that is read. */
  | 'too-long';

/** A finding of an answer that is not in the report. Each text is a single line without hidden characters. */
export interface LostFinding {
  readonly reason: /** The rule was not requested. */
    | 'unknown-rule'
    /** The finding has no rule, has neither a message nor a quote, or cannot be read. */
    | 'invalid-finding'
    /** The file was not sent. */
    | 'other-file';
  /** The rule that the finding names, or '' if it names none. */
  readonly rule: string;
  readonly line: number | null;
  /** The beginning of the message, otherwise of the quote, otherwise of the finding's text in the answer. */
  readonly text: string;
}
