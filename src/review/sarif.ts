import { frameworkNames, rulesFor } from './catalogue.ts';
import type { PlacedFinding } from './placed.ts';
import { isComplete, type NotReviewed, type ReviewReport } from './report.ts';
import type { Severity } from './rule.ts';
import { visibleText } from './visible.ts';

const levels: Readonly<Record<Severity, string>> = { high: 'error', medium: 'warning', low: 'note' };

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a review as a SARIF 2.1.0 log (OASIS, with errata 01). For an incomplete review, `executionSuccessful` is
 * false, and each item that was not reviewed is a notification. Snippets contain the text as sent, with secrets masked.
 */
export function reviewAsSarif(
  report: ReviewReport,
  tool: { readonly version: string; readonly describe: (gap: NotReviewed) => string },
): string {
  const rules = rulesFor(report.frameworks);
  const indexes = new Map(rules.map(({ id }, index) => [id, index]));
  const reasons = [...new Set(report.notReviewed.map(({ reason }) => reason))];
  const { comparison } = report;
  const states = new Map<string, string>(
    comparison === null
      ? []
      : [
          ...comparison.added.map(({ fingerprint }) => [fingerprint, 'new'] as const),
          ...comparison.unchanged.map(({ fingerprint }) => [fingerprint, 'unchanged'] as const),
        ],
  );
  // An absent finding of a framework that this review did not check has no rule in this log.
  const gone = (comparison?.gone ?? []).filter(({ rule }) => indexes.has(rule.id));
  const stillThere = new Set(report.findings.map(({ fingerprint }) => fingerprint));
  const results = [
    ...report.findings.map((finding) => resultOf(finding, indexes, states.get(finding.fingerprint))),
    ...gone
      .filter(({ fingerprint }) => !stillThere.has(fingerprint))
      .map((finding) => resultOf(finding, indexes, 'absent')),
  ];
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Svc Coder',
            semanticVersion: tool.version,
            rules: rules.map(({ id, framework, sentence, reference, severity }) => ({
              id,
              shortDescription: { text: sentence },
              help: { text: `${frameworkNames[framework]}: ${reference}. ${sentence}` },
              defaultConfiguration: { level: levels[severity] },
              properties: { tags: [framework], reference },
            })),
            notifications: reasons.map((reason) => ({ id: reason })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: isComplete(report),
            startTimeUtc: new Date(report.startedAt).toISOString(),
            endTimeUtc: new Date(report.endedAt).toISOString(),
            toolExecutionNotifications: report.notReviewed.map((gap) => ({
              level: 'error',
              descriptor: { id: gap.reason, index: reasons.indexOf(gap.reason) },
              message: { text: `Not reviewed: ${tool.describe(gap)}` },
              locations: [{ physicalLocation: placeOf(gap.file, gap.lines) }],
            })),
          },
        ],
        artifacts: report.files.map(({ name, isComplete: isWhole }) => ({
          location: artifact(name),
          roles: ['analysisTarget'],
          properties: { reviewed: isWhole ? 'complete' : 'incomplete' },
        })),
        results,
        properties: { frameworks: report.frameworks, model: report.model, requests: report.requests },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(
  finding: PlacedFinding,
  indexes: ReadonlyMap<string, number>,
  baselineState: string | undefined,
): Json {
  const { rule, severity, message, fix, quote, placed, fingerprint, suppression, file } = finding;
  const region = {
    startLine: finding.firstLine,
    startColumn: finding.firstColumn,
    endLine: finding.lastLine,
    endColumn: finding.lastColumn,
    snippet: { text: visibleText(quote) },
  };
  const physicalLocation = {
    artifactLocation: artifact(file),
    ...(placed === 'file' ? {} : { region }),
  };
  return {
    ruleId: rule.id,
    ruleIndex: indexes.get(rule.id) ?? -1,
    level: levels[severity],
    message: { text: fix === '' ? message : `${message}\n\n${fix}` },
    locations: [{ physicalLocation }],
    partialFingerprints: { 'svcReview/v1': fingerprint },
    ...(baselineState === undefined ? {} : { baselineState }),
    ...(suppression === null
      ? {}
      : { suppressions: [{ kind: 'inSource', status: 'accepted', justification: suppression.reason }] }),
    properties: { framework: rule.framework, placed },
  };
}

function placeOf(file: string, lines: NotReviewed['lines']): Json {
  return {
    artifactLocation: artifact(file),
    ...(lines === undefined ? {} : { region: { startLine: lines[0], endLine: lines[1] } }),
  };
}

/** Relative to the root of the source, so that the log is valid on every machine. */
function artifact(name: string): Json {
  const uri = name.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return { uri, uriBaseId: '%SRCROOT%' };
}
