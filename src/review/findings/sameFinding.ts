import type { PlacedFinding } from './placed.ts';

/**
 * The findings of a review with the fingerprints of earlier findings that are about the same code: with the same rule, in
 * the same file, where one begins within the other, whatever the two answers have quoted. Each earlier finding is matched
 * once.
 */
export function withEarlierFingerprints(
  now: readonly PlacedFinding[],
  before: readonly PlacedFinding[],
): readonly PlacedFinding[] {
  const present = new Set(now.map(({ fingerprint }) => fingerprint));
  const known = new Set(before.map(({ fingerprint }) => fingerprint));
  const place = ({ file, rule }: PlacedFinding): string => JSON.stringify([file, rule.id]);
  const free = Map.groupBy(
    before.filter(({ fingerprint }) => !present.has(fingerprint)),
    place,
  );
  return now.map((finding) => {
    const candidates = known.has(finding.fingerprint) ? [] : (free.get(place(finding)) ?? []);
    const same = candidates.find(({ code }) => beginsIn(code, finding.code) || beginsIn(finding.code, code));
    if (same === undefined) return finding;
    free.set(
      place(finding),
      candidates.filter((each) => each !== same),
    );
    return { ...finding, fingerprint: same.fingerprint };
  });
}

function beginsIn([first]: readonly string[], code: readonly string[]): boolean {
  return first !== undefined && code.includes(first);
}
