import type { Framework } from '../policy/compliance/compliance.ts';
import { fenceFor } from '../util/text/fence.ts';
import { frameworkNames } from './catalog.ts';
import { bySeverity } from './findings/order.ts';
import type { PlacedFinding } from './findings/placed.ts';
import { visibleLine, visibleText } from './findings/visible.ts';
import { isComplete, type LostInFile, type NotReviewed, placesNotReviewed, type ReviewReport } from './report.ts';
import { type Rule, type Severity, severities } from './rule.ts';

/** The report's texts in the user's language, from the host. */
export interface ReportWords {
  readonly title: string;
  readonly incomplete: string;
  readonly complete: string;
  readonly nothingFound: string;
  readonly facts: (report: ReviewReport) => readonly (readonly [name: string, value: string])[];
  readonly findings: string;
  readonly notReviewed: string;
  readonly lost: string;
  readonly suppressed: string;
  readonly uselessSuppressions: string;
  readonly added: string;
  readonly gone: string;
  readonly unchanged: string;
  readonly unknown: string;
  readonly wholeFile: string;
  readonly approximate: string;
  readonly fix: string;
  readonly reason: string;
  readonly severity: (severity: Severity) => string;
  readonly sentence: (rule: Rule) => string;
  /** A line that names one file or range that was not reviewed, with each reason. */
  readonly gaps: (gaps: readonly NotReviewed[]) => string;
  readonly lostFinding: (lost: LostInFile) => string;
  readonly useless: (useless: ReviewReport['uselessSuppressions'][number]) => string;
}

/** Returns the path of a link to a line of a file, or null for no link. */
type LinkTo = (uri: string, line: number) => string | null;

/**
 * Returns a review as Markdown for reading. Everything from the service, and every file name, is escaped, so that it cannot
 * become a picture, a link or a heading. The only links are those of `linkTo`, on the position of a finding.
 */
export function reviewAsMarkdown(report: ReviewReport, words: ReportWords, linkTo: LinkTo = () => null): string {
  const findings = bySeverity(report.findings);
  const open = findings.filter(({ suppression }) => suppression === null);
  const suppressed = findings.filter(({ suppression }) => suppression !== null);
  const states = statesOf(report, words);
  const { comparison } = report;
  const one = (finding: PlacedFinding): string =>
    `- ${placeOf(finding, linkTo)}: ${plain(finding.rule.id)}: ${plain(finding.message)}`;
  return [
    `# ${words.title}`,
    `**${isComplete(report) ? words.complete : words.incomplete}**`,
    words
      .facts(report)
      .map(([name, value]) => `- ${name}: ${plain(value)}`)
      .join('\n'),
    ...section(
      words.notReviewed,
      placesNotReviewed(report.notReviewed).map((gaps) => `- ${plain(words.gaps(gaps))}`),
    ),
    ...section(
      words.lost,
      report.lost.map((each) => `- ${plain(words.lostFinding(each))}`),
    ),
    `## ${words.findings}`,
    ...(open.length === 0 && isComplete(report) ? [words.nothingFound] : []),
    ...worstFirst(report.frameworks, open).flatMap((framework) =>
      frameworkPart(framework, open, { states, words, linkTo }),
    ),
    ...section(words.gone, bySeverity(comparison?.gone ?? []).map(one)),
    ...section(words.unknown, bySeverity(comparison?.unknown ?? []).map(one)),
    ...section(
      words.suppressed,
      suppressed.map((finding) => `${one(finding)} (${words.reason}: ${plain(finding.suppression?.reason ?? '')})`),
    ),
    ...section(
      words.uselessSuppressions,
      report.uselessSuppressions.map((useless) => `- ${plain(words.useless(useless))}`),
    ),
    '',
  ].join('\n\n');
}

/** The frameworks in the order of their most severe findings, which `open` begins with. */
function worstFirst(frameworks: readonly Framework[], open: readonly PlacedFinding[]): readonly Framework[] {
  const worst = (framework: Framework): number => {
    const first = open.find(({ rule }) => rule.framework === framework);
    return first === undefined ? severities.length : severities.indexOf(first.severity);
  };
  return frameworks.toSorted((a, b) => worst(a) - worst(b));
}

interface FindingsAbout {
  readonly states: ReadonlyMap<string, string>;
  readonly words: ReportWords;
  readonly linkTo: LinkTo;
}

function frameworkPart(framework: Framework, open: readonly PlacedFinding[], about: FindingsAbout): readonly string[] {
  const inFramework = open.filter(({ rule }) => rule.framework === framework);
  if (inFramework.length === 0) return [];
  return [
    `### ${frameworkNames[framework]} (${inFramework.length})`,
    ...inFramework.flatMap((finding) => findingPart(finding, about)),
  ];
}

function findingPart(finding: PlacedFinding, { states, words, linkTo }: FindingsAbout): readonly string[] {
  const { rule, severity, placed, message, fix, quote } = finding;
  const kinds: Partial<Record<PlacedFinding['placed'], string>> = { file: words.wholeFile, line: words.approximate };
  const kind = kinds[placed];
  const where = placeOf(finding, linkTo) + (kind === undefined ? '' : ` (${kind})`);
  const state = states.get(finding.fingerprint);
  const tag = state === undefined ? '' : ` · ${state}`;
  return [
    `#### ${words.severity(severity)} · ${where} · ${plain(rule.id)}${tag}`,
    plain(message),
    fenced(quote),
    ...(fix === '' ? [] : [`${words.fix}: ${plain(fix)}`]),
    `*${plain(words.sentence(rule))}* ${plain(rule.reference)}`,
  ];
}

function placeOf({ file, uri, firstLine, placed }: PlacedFinding, linkTo: LinkTo): string {
  const shown = plain(file) + (placed === 'file' ? '' : `:${firstLine}`);
  const link = linkTo(uri, firstLine);
  return link === null ? shown : `[${shown}](<${link}>)`;
}

function statesOf({ comparison }: ReviewReport, words: ReportWords): ReadonlyMap<string, string> {
  if (comparison === null) return new Map();
  return new Map([
    ...comparison.added.map(({ fingerprint }) => [fingerprint, words.added] as const),
    ...comparison.unchanged.map(({ fingerprint }) => [fingerprint, words.unchanged] as const),
  ]);
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`## ${title} (${lines.length})`, lines.join('\n')];
}

/**
 * Escapes text to one line of plain Markdown: nothing is formatted, and addresses do not become links. Invisible characters,
 * which may reorder the text around them, are replaced with their code points.
 */
export function plain(text: string): string {
  return (
    visibleLine(text)
      .replace(/[\\`*_{}[\]<>#|!~&$@]/g, '\\$&')
      // https://host, //host, mailto:host and www.host, which Markdown viewers turn into links.
      .replace(/\/(?=\/)|:(?=\/\/)|(?<=mailto|xmpp):|(?<=www)\./gi, '\\$&')
  );
}

/** Returns text as a code block, in a fence that the text cannot end. */
function fenced(text: string): string {
  const shown = visibleText(text);
  const fence = fenceFor(shown);
  return `${fence}text\n${shown}\n${fence}`;
}
