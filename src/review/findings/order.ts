import { severities } from '../rule.ts';
import type { PlacedFinding } from './placed.ts';

/** Sorts findings in the order of every list: the most severe first, and those of the same severity by file and position. */
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

/** The rank of a finding by its severity; 0 for the most severe. */
function rankOf({ severity }: PlacedFinding): number {
  return severities.indexOf(severity);
}

/** Compares two texts by code units, so that the order is the same on every machine, regardless of its language. */
function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
