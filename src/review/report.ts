import type { Framework } from '../policy/compliance/compliance.ts';
import type { ServiceErrorKind } from '../util/errors.ts';
import type { AnswerProblem, LostFinding } from './findings/finding.ts';
import type { PlacedFinding } from './findings/placed.ts';
import type { UselessSuppression } from './findings/suppress.ts';

/** The reason why a part of a file was not reviewed, or only partly. */
export type Gap =
  | { readonly reason: AnswerProblem }
  /** No content was sent, or no answer arrived. `detail` is an HTTP status, or an error code from outside the extension. */
  | { readonly reason: 'request-failed'; readonly kind: ServiceErrorKind; readonly detail: string }
  /** The run ended before its turn: the user cancelled, or an error would have affected every request. */
  | { readonly reason: 'cancelled' | 'run-stopped' }
  | { readonly reason: 'excluded' | 'unreadable' | 'binary' | 'too-large' | 'beyond-limit' | 'line-cut' }
  /** In a review of changes: a submodule or a link, which has no text. */
  | { readonly reason: 'submodule' | 'link' };

/** An item that was not reviewed, by name. */
export type NotReviewed = Gap & {
  readonly file: string;
  /** The affected lines; missing for the whole file. */
  readonly lines?: readonly [first: number, last: number];
  /** Whether part of it was reviewed, so that its findings are in the report. */
  readonly isPartial: boolean;
};

/** A finding of an answer that is not in the report, with the name and the location of its file. */
export type LostInFile = LostFinding & { readonly file: string; readonly uri: string };

interface FileSummary {
  readonly name: string;
  readonly uri: string;
  readonly isComplete: boolean;
}

/** The comparison of this review with the previous one. */
export interface Comparison {
  readonly added: readonly PlacedFinding[];
  readonly gone: readonly PlacedFinding[];
  readonly unchanged: readonly PlacedFinding[];
  /** Findings of the earlier review in files that this one did not cover: their state is unknown. */
  readonly unknown: readonly PlacedFinding[];
}

/** The complete result of one review. */
export interface ReviewReport {
  /** The time in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly kind: 'file' | 'changes' | 'workspace';
  readonly frameworks: readonly Framework[];
  readonly model: string;
  /** The number of answered requests. */
  readonly requests: number;
  readonly files: readonly FileSummary[];
  /** The number of other files that were chosen but may not be sent: they are never reviewed. */
  readonly excluded: number;
  /** The findings, including the suppressed ones. */
  readonly findings: readonly PlacedFinding[];
  readonly uselessSuppressions: readonly (UselessSuppression & { readonly file: string })[];
  readonly notReviewed: readonly NotReviewed[];
  readonly lost: readonly LostInFile[];
  /** The comparison with the previous review; null for the first review. */
  readonly comparison: Comparison | null;
}

/** Whether everything that was chosen was reviewed, and every finding was read. */
export function isComplete({ notReviewed, lost }: Pick<ReviewReport, 'notReviewed' | 'lost'>): boolean {
  return notReviewed.length + lost.length === 0;
}

/** Groups what was not reviewed by file and lines, because the same lines may have several reasons. */
export function placesNotReviewed(notReviewed: readonly NotReviewed[]): readonly (readonly NotReviewed[])[] {
  return [...Map.groupBy(notReviewed, ({ file, lines }) => JSON.stringify([file, lines])).values()];
}
