import type { Framework } from '../policy/compliance/compliance.ts';
import type { ServiceErrorKind } from '../util/errors.ts';
import type { AnswerProblem } from './findings/finding.ts';
import type { PlacedFinding } from './findings/placed.ts';
import type { UselessSuppression } from './findings/suppress.ts';

/** Why a part of a file was not reviewed, or only partly. */
export type Gap =
  | { readonly reason: AnswerProblem }
  /** Nothing of it was sent, or no answer arrived. `detail`: a status, or a code of others. */
  | { readonly reason: 'request-failed'; readonly kind: ServiceErrorKind; readonly detail: string }
  /** The run ended before its turn: the user cancelled, or an error would have affected every request. */
  | { readonly reason: 'cancelled' | 'run-stopped' }
  | { readonly reason: 'excluded' | 'unreadable' | 'binary' | 'too-large' | 'beyond-limit' | 'line-cut' }
  /** For changes: it has no text. */
  | { readonly reason: 'submodule' | 'link' };

/** An item that was not reviewed, by name. */
export type NotReviewed = Gap & {
  readonly file: string;
  /** The affected lines; absent for the whole file. */
  readonly lines?: readonly [first: number, last: number];
  /** True if part of it was read: its findings are in the report. */
  readonly isPartial: boolean;
};

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
  /** Epoch, milliseconds. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly kind: 'file' | 'changes' | 'workspace';
  readonly frameworks: readonly Framework[];
  readonly model: string;
  /** The number of answered requests. */
  readonly requests: number;
  readonly files: readonly FileSummary[];
  /** How many more files were chosen but may not leave this machine: they are never reviewed. */
  readonly excluded: number;
  /** Includes suppressed ones. */
  readonly findings: readonly PlacedFinding[];
  readonly uselessSuppressions: readonly (UselessSuppression & { readonly file: string })[];
  /** If empty, everything that was chosen was reviewed. Otherwise the review is incomplete. */
  readonly notReviewed: readonly NotReviewed[];
  /** null for the first review. */
  readonly comparison: Comparison | null;
}

export function isComplete({ notReviewed }: Pick<ReviewReport, 'notReviewed'>): boolean {
  return notReviewed.length === 0;
}
