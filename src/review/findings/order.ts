import { severities } from '../rule.ts';
import type { PlacedFinding } from './placed.ts';

/** The findings as they are read everywhere: the most severe first; of the same severity, by file and place. */
export function bySeverity<T extends PlacedFinding>(findings: readonly T[]): readonly T[] {
  return findings.toSorted(
    (a, b) =>
      rankOf(a) - rankOf(b) ||
      order(a.file, b.file) ||
      a.start - b.start ||
      order(a.rule.id, b.rule.id) ||
      order(a.fingerprint, b.fingerprint),
  );
}

/** 0 for the most severe. */
function rankOf({ severity }: PlacedFinding): number {
  return severities.indexOf(severity);
}

/** The same on every machine, regardless of its language. */
function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
