import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bySeverity } from '../../../src/review/findings/order.ts';
import type { PlacedFinding } from '../../../src/review/findings/placed.ts';
import { reviewAsMarkdown } from '../../../src/review/markdown.ts';
import { severities } from '../../../src/review/rule.ts';
import { reviewAsSarif } from '../../../src/review/sarif.ts';
import { words } from './markdownWords.ts';
import { anyFindings, report } from './reports.ts';

const frameworks = ['pci-dss', 'gdpr', 'hipaa'] as const;
const levels = ['error', 'warning', 'note'];

/** Whether each item is at least as severe as the one after it. */
function assertFalling(found: readonly string[], order: readonly string[]): void {
  const ranks = found.map((one) => order.indexOf(one));
  assert.ok(!ranks.includes(-1));
  assert.deepEqual(
    ranks,
    ranks.toSorted((a, b) => a - b),
  );
}

/** The severities in the headings of a part of the report. */
function severitiesIn(part: string): readonly string[] {
  return [...part.matchAll(/^#### (\w+) · /gm)].map(([, severity = '']) => severity);
}

describe('findings of a review', () => {
  it('are sorted by severity, and in one order, whatever order they come in', () => {
    fc.assert(
      fc.property(anyFindings, fc.infiniteStream(fc.nat()), (findings, random) => {
        const sorted = bySeverity(findings);
        assertFalling(
          sorted.map(({ severity }) => severity),
          severities,
        );
        const mixed = findings
          .map((finding) => ({ finding, at: random.next().value }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ finding }) => finding);
        const key = ({ severity, file, start, rule, fingerprint }: PlacedFinding): string =>
          [severity, file, start, rule.id, fingerprint].join('|');
        assert.deepEqual(bySeverity(mixed).map(key), sorted.map(key));
      }),
    );
  });

  it('are so in a report: in each framework, the frameworks among each other, and in each list', () => {
    fc.assert(
      fc.property(anyFindings, anyFindings, (findings, gone) => {
        const comparison = { added: [], unchanged: [], unknown: [], gone };
        const page = reviewAsMarkdown(report({ frameworks, findings, comparison }), words);
        const [, ...parts] = page.split(/^### /m);
        for (const part of parts) assertFalling(severitiesIn(part), severities);
        assertFalling(
          parts.map((part) => severitiesIn(part)[0] ?? ''),
          severities,
        );
        const open = findings.filter(({ suppression }) => suppression === null);
        assert.equal(parts.flatMap(severitiesIn).length, open.length);
        assert.equal(page.includes(`## Gone (${gone.length})`), gone.length > 0);
      }),
    );
  });

  it('are so in SARIF, before those that are gone', () => {
    fc.assert(
      fc.property(anyFindings, anyFindings, (findings, gone) => {
        const comparison = { added: [], unchanged: [], unknown: [], gone };
        const log = JSON.parse(
          reviewAsSarif(report({ frameworks, findings, comparison }), {
            version: '1.2.3',
            describe: () => '',
            describeLost: () => '',
          }),
        );
        const results: readonly { level: string; baselineState?: string }[] = log.runs[0].results;
        const now = results.filter(({ baselineState }) => baselineState !== 'absent');
        assert.deepEqual(results.slice(0, now.length), now);
        assert.equal(now.length, findings.length);
        for (const part of [now, results.slice(now.length)]) {
          assertFalling(
            part.map(({ level }) => level),
            levels,
          );
        }
      }),
    );
  });
});
