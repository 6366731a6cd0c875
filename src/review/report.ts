import type { Framework } from '../policy/compliance.ts';
import type { AnswerProblem } from './finding.ts';
import type { PlacedFinding } from './placed.ts';
import type { UselessSuppression } from './suppress.ts';

/** Why a part of a file was not reviewed, or not as a whole. */
export type Gap =
  | { readonly reason: AnswerProblem }
  /** Nothing was sent of it, or the answer never came. `error` is the kind and code of a ServiceError. */
  | { readonly reason: 'request-failed'; readonly error: string }
  /** The run ended before its turn came: a person cancelled, or a fault that every request would have met. */
  | { readonly reason: 'cancelled' | 'run-stopped' }
  | { readonly reason: 'excluded' | 'unreadable' | 'binary' | 'too-large' | 'beyond-limit' | 'line-cut' }
  /** Of changes: it has no text of its own. */
  | { readonly reason: 'submodule' | 'link' };

export type GapReason = Gap['reason'];

/** What was not reviewed, by name. */
export type NotReviewed = Gap & {
  readonly file: string;
  /** The lines it is about; absent for all of the file. */
  readonly lines?: readonly [first: number, last: number];
  /** Something of it was read all the same: its findings are in the report. */
  readonly isPartial: boolean;
};

export interface FileSummary {
  readonly name: string;
  readonly uri: string;
  readonly isComplete: boolean;
}

/** How this review compares with the one before. */
export interface Comparison {
  readonly added: readonly PlacedFinding[];
  readonly gone: readonly PlacedFinding[];
  readonly unchanged: readonly PlacedFinding[];
  /** Of the earlier review, in what this one did not look at: nobody knows. */
  readonly unknown: readonly PlacedFinding[];
}

/** All of one review. */
export interface ReviewReport {
  /** Epoch, milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly kind: 'file' | 'changes' | 'workspace';
  readonly frameworks: readonly Framework[];
  readonly model: string;
  /** Requests that were answered. */
  readonly requests: number;
  readonly files: readonly FileSummary[];
  /** How many more were chosen and may not leave this machine: no review ever has them. */
  readonly excluded: number;
  /** Suppressed ones with them. */
  readonly findings: readonly PlacedFinding[];
  readonly uselessSuppressions: readonly (UselessSuppression & { readonly file: string })[];
  /** Empty: everything that was chosen was reviewed. Otherwise the review is incomplete. */
  readonly notReviewed: readonly NotReviewed[];
  /** null for the first review. */
  readonly comparison: Comparison | null;
}

export function isComplete({ notReviewed }: Pick<ReviewReport, 'notReviewed'>): boolean {
  return notReviewed.length === 0;
}
