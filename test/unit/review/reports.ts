import fc from 'fast-check';
import { ruleOf } from '../../../src/review/catalog.ts';
import type { Finding } from '../../../src/review/findings/finding.ts';
import { type PlacedFinding, placeFindings } from '../../../src/review/findings/placed.ts';
import type { ReviewReport } from '../../../src/review/report.ts';
import { severities } from '../../../src/review/rule.ts';
import { sha256Hex } from '../../../src/util/sha256.ts';

export function finding(rule: string, quote: string, more: Partial<Finding> = {}): Finding {
  const found = ruleOf(rule);
  if (found === undefined) throw new Error(`There is no rule ${rule}.`);
  return { rule: found, severity: found.severity, message: `About ${rule}.`, fix: '', quote, line: null, ...more };
}

/** Findings in a file with that text, each in its place. */
export function place(
  text: string,
  findings: readonly Finding[],
  more: { readonly name?: string; readonly languageId?: string } = {},
): readonly PlacedFinding[] {
  const { name = 'src/pay.ts', languageId = 'typescript' } = more;
  return placeFindings({ name, uri: `file:///w/${name}`, languageId, text }, findings, sha256Hex).findings;
}

export function report(more: Partial<ReviewReport> = {}): ReviewReport {
  return {
    startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    endedAt: Date.UTC(2026, 0, 2, 3, 4, 9),
    kind: 'file',
    frameworks: ['pci-dss', 'gdpr'],
    model: 'svc/compliance-assistant',
    requests: 1,
    files: [{ name: 'src/pay.ts', uri: 'file:///w/src/pay.ts', isComplete: true }],
    excluded: 0,
    findings: [],
    uselessSuppressions: [],
    notReviewed: [],
    lost: [],
    comparison: null,
    ...more,
  };
}

/** Any findings, in any order, in some files. */
export const anyFindings = fc
  .array(
    fc.record({
      rule: fc.constantFrom('pci-injection', 'gdpr-erasure', 'gdpr-encryption', 'hipaa-unique-user'),
      severity: fc.constantFrom(...severities),
      line: fc.nat({ max: 9 }),
      name: fc.constantFrom('src/a.ts', 'src/ä.ts', 'b.py'),
      isSuppressed: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .map((rows) =>
    rows.flatMap(({ rule, severity, line, name, isSuppressed }) =>
      place(
        Array.from({ length: 10 }, (_, index) => `call${index}();`).join('\n'),
        [finding(rule, `call${line}();`, { severity })],
        { name },
      ).map((found) => ({
        ...found,
        suppression: isSuppressed ? { rule, reason: 'kept by law', line: 1, target: 2 } : null,
      })),
    ),
  );
