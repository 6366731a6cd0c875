import type { PlacedFinding } from './placed.ts';

/**
 * Returns the findings of a review, each with the fingerprint of the earlier finding that is about the same code, if there
 * is one. Two findings are about the same code if they have the same rule and file, and the code of one begins within the
 * code of the other, whatever the two answers have quoted. Each earlier finding is matched at most once.
 */
export function withEarlierFingerprints(
  now: readonly PlacedFinding[],
  before: readonly PlacedFinding[],
): readonly PlacedFinding[] {
  const present = new Set(now.map(({ fingerprint }) => fingerprint));
  const known = new Set(before.map(({ fingerprint }) => fingerprint));
  const place = ({ file, rule }: PlacedFinding): string => JSON.stringify([file, rule.id]);
  const unmatched = Map.groupBy(
    before.filter(({ fingerprint }) => !present.has(fingerprint)),
    place,
  );
  return now.map((finding) => {
    const candidates = known.has(finding.fingerprint) ? [] : (unmatched.get(place(finding)) ?? []);
    const same = candidates.find(({ code }) => beginsIn(code, finding.code) || beginsIn(finding.code, code));
    if (same === undefined) return finding;
    unmatched.set(
      place(finding),
      candidates.filter((each) => each !== same),
    );
    return { ...finding, fingerprint: same.fingerprint };
  });
}

function beginsIn([first]: readonly string[], code: readonly string[]): boolean {
  return first !== undefined && code.includes(first);
}
