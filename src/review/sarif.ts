import { frameworkNames, rulesFor } from './catalog.ts';
import { bySeverity } from './findings/order.ts';
import type { PlacedFinding } from './findings/placed.ts';
import { visibleText } from './findings/visible.ts';
import { isComplete, type LostInFile, type NotReviewed, type ReviewReport } from './report.ts';
import type { Rule, Severity } from './rule.ts';

const levels: Readonly<Record<Severity, string>> = { high: 'error', medium: 'warning', low: 'note' };

type Json = Readonly<Record<string, unknown>>;

interface Tool {
  readonly version: string;
  readonly describe: (gap: NotReviewed) => string;
  readonly describeLost: (lost: LostInFile) => string;
}

/**
 * Returns a review as a SARIF 2.1.0 log (OASIS, with errata 01). For an incomplete review, `executionSuccessful` is false,
 * and each item that was not reviewed, and each finding that could not be read, is a notification. Snippets contain the text
 * as sent, with secrets masked.
 */
export function reviewAsSarif(report: ReviewReport, tool: Tool): string {
  const rules = rulesFor(report.frameworks);
  const reasons = [...new Set([...report.notReviewed, ...report.lost].map(({ reason }) => reason))];
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Svc Coder',
            semanticVersion: tool.version,
            rules: rules.map(ruleOf),
            notifications: reasons.map((reason) => ({ id: reason })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [invocationOf(report, tool, reasons)],
        artifacts: report.files.map(({ name, isComplete: isWhole }) => ({
          location: artifact(name),
          roles: ['analysisTarget'],
          properties: { reviewed: isWhole ? 'complete' : 'incomplete' },
        })),
        results: resultsOf(report, new Map(rules.map(({ id }, index) => [id, index]))),
        properties: { frameworks: report.frameworks, model: report.model, requests: report.requests },
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleOf({ id, framework, sentence, reference, severity }: Rule): Json {
  return {
    id,
    shortDescription: { text: sentence },
    help: { text: `${frameworkNames[framework]}: ${reference}. ${sentence}` },
    defaultConfiguration: { level: levels[severity] },
    properties: { tags: [framework], reference },
  };
}

function invocationOf(report: ReviewReport, tool: Tool, reasons: readonly string[]): Json {
  const notification = (id: string, text: string, physicalLocation: Json): Json => ({
    level: 'error',
    descriptor: { id, index: reasons.indexOf(id) },
    message: { text },
    locations: [{ physicalLocation }],
  });
  return {
    executionSuccessful: isComplete(report),
    startTimeUtc: new Date(report.startedAt).toISOString(),
    endTimeUtc: new Date(report.endedAt).toISOString(),
    toolExecutionNotifications: [
      ...report.notReviewed.map((gap) =>
        notification(gap.reason, `Not reviewed: ${tool.describe(gap)}`, placeOf(gap.file, gap.lines)),
      ),
      ...report.lost.map((lost) =>
        notification(lost.reason, `Finding not read: ${tool.describeLost(lost)}`, placeOf(lost.file, undefined)),
      ),
    ],
  };
}

/** The findings, the most severe first, each with its baseline state; then those of the previous review that are absent now. */
function resultsOf({ findings, comparison }: ReviewReport, indexes: ReadonlyMap<string, number>): readonly Json[] {
  const { added = [], unchanged = [], gone: absent = [] } = comparison ?? {};
  const states = new Map<string, string>([
    ...added.map(({ fingerprint }) => [fingerprint, 'new'] as const),
    ...unchanged.map(({ fingerprint }) => [fingerprint, 'unchanged'] as const),
  ]);
  const present = new Set(findings.map(({ fingerprint }) => fingerprint));
  return [
    ...bySeverity(findings).map((finding) => resultOf(finding, indexes, states.get(finding.fingerprint))),
    ...bySeverity(absent)
      // An absent finding of a framework that this review did not check has no rule in this log.
      .filter(({ rule, fingerprint }) => indexes.has(rule.id) && !present.has(fingerprint))
      .map((finding) => resultOf(finding, indexes, 'absent')),
  ];
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
    partialFingerprints: { 'svcReview/v2': fingerprint },
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

/** The location of a file, relative to the root of the source, so that the log is valid on every machine. */
function artifact(name: string): Json {
  const uri = name.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return { uri, uriBaseId: '%SRCROOT%' };
}
