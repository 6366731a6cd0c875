import type { Comparison, ReviewReport } from '../report.ts';
import type { PlacedFinding } from './placed.ts';

/**
 * Returns the new, resolved (`gone`) and unchanged findings since the previous review. Suppressed findings are treated as
 * resolved, because the user has dealt with them. Otherwise, a finding is resolved only if this review covered its whole file for
 * its framework.
 */
export function compareReviews(
  before: Pick<ReviewReport, 'findings'>,
  now: Pick<ReviewReport, 'findings' | 'files' | 'frameworks'>,
): Comparison {
  const open = (findings: readonly PlacedFinding[]): readonly PlacedFinding[] =>
    findings.filter(({ suppression }) => suppression === null);
  const earlier = new Map(open(before.findings).map((finding) => [finding.fingerprint, finding]));
  const current = new Map(open(now.findings).map((finding) => [finding.fingerprint, finding]));
  const whole = new Set(now.files.filter(({ isComplete }) => isComplete).map(({ name }) => name));
  const missing = [...earlier.values()].filter(({ fingerprint }) => !current.has(fingerprint));
  const suppressed = new Set(
    now.findings.filter(({ suppression }) => suppression !== null).map(({ fingerprint }) => fingerprint),
  );
  const isResolved = ({ file, rule, fingerprint }: PlacedFinding): boolean =>
    suppressed.has(fingerprint) || (whole.has(file) && now.frameworks.includes(rule.framework));
  return {
    added: [...current.values()].filter(({ fingerprint }) => !earlier.has(fingerprint)),
    unchanged: [...current.values()].filter(({ fingerprint }) => earlier.has(fingerprint)),
    gone: missing.filter(isResolved),
    unknown: missing.filter((finding) => !isResolved(finding)),
  };
}
