import { isComplete, type ReviewReport } from '../../review/report.ts';
import { gapWords } from './words.ts';

/** The result of a review, for keybindings and other code. */
export interface Reviewed {
  readonly ok: true;
  /** Whether everything that was chosen was reviewed. */
  readonly complete: boolean;
  readonly files: number;
  readonly requests: number;
  readonly findings: readonly {
    readonly file: string;
    readonly line: number;
    readonly rule: string;
    readonly id: string;
  }[];
  readonly suppressed: number;
  readonly notReviewed: readonly string[];
  readonly added: number;
  readonly gone: number;
  readonly unchanged: number;
}

export function reviewed(report: ReviewReport): Reviewed {
  const { files, requests, findings, notReviewed, comparison } = report;
  const open = findings.filter(({ suppression }) => suppression === null);
  return {
    ok: true,
    complete: isComplete(report),
    files: files.length,
    requests,
    findings: open.map(({ file, firstLine, rule, fingerprint }) => ({
      file,
      line: firstLine,
      rule: rule.id,
      id: fingerprint,
    })),
    suppressed: findings.length - open.length,
    notReviewed: notReviewed.map(gapWords),
    added: comparison?.added.length ?? 0,
    gone: comparison?.gone.length ?? 0,
    unchanged: comparison?.unchanged.length ?? 0,
  };
}
