import { isComplete, placesNotReviewed, type ReviewReport } from '../../../review/report.ts';
import { gapsWords, lostWords } from './words.ts';

/** The result of a review, for keybindings and other code. */
export interface Reviewed {
  readonly ok: true;
  /** Whether everything that was chosen was reviewed, and every finding was read. */
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
  /** The findings that could not be read, by name. */
  readonly lost: readonly string[];
  readonly added: number;
  readonly gone: number;
  readonly unchanged: number;
}

export function reviewed(report: ReviewReport): Reviewed {
  const { files, requests, findings, notReviewed, lost, comparison } = report;
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
    notReviewed: placesNotReviewed(notReviewed).map(gapsWords),
    lost: lost.map(lostWords),
    added: comparison?.added.length ?? 0,
    gone: comparison?.gone.length ?? 0,
    unchanged: comparison?.unchanged.length ?? 0,
  };
}
