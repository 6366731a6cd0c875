import * as vscode from 'vscode';
import { errorWords } from '../../../platform/messages/errorName.ts';
import { frameworkNames } from '../../../review/catalog.ts';
import type { ReportWords } from '../../../review/markdown.ts';
import {
  type Gap,
  isComplete,
  type LostInFile,
  type NotReviewed,
  placesNotReviewed,
  type ReviewReport,
} from '../../../review/report.ts';
import { severityWord } from './findingDiagnostics.ts';
import type { Plan } from './plan.ts';
import type { ResultWords } from './resultItem.ts';
import type { FoundSoFar } from './results.ts';

const t = vscode.l10n.t;

/** Describes what was not reviewed, and why, in one line. */
export function gapWords(gap: NotReviewed): string {
  return gapsWords([gap]);
}

/** Like gapWords(), but for a place with several reasons. */
export function gapsWords(gaps: readonly NotReviewed[]): string {
  const [{ file, lines }] = gaps as readonly [NotReviewed];
  const where = lines === undefined ? file : t('{0}, lines {1} to {2}', file, lines[0], lines[1]);
  const why = gaps.map(reasonWords).join('; ');
  const isPartial = gaps.some((gap) => gap.isPartial);
  return isPartial ? t('{0}: {1} (the report contains the readable part)', where, why) : `${where}: ${why}`;
}

/** Describes a finding that is not in the report, and why, in one line. */
export function lostWords({ file, rule, line, text, reason }: LostInFile): string {
  const where = line === null ? file : `${file}:${line}`;
  const named = [rule, text].filter((part) => part !== '').join(': ');
  return `${where}: ${lostReason(reason)}: ${named}`;
}

function lostReason(reason: LostInFile['reason']): string {
  switch (reason) {
    case 'unknown-rule':
      return t('its rule was not asked about');
    case 'invalid-finding':
      return t('not readable');
    case 'other-file':
      return t('it is about another file');
  }
}

function reasonWords(gap: Gap): string {
  switch (gap.reason) {
    case 'prose':
      return t('the answer contains text instead of findings');
    case 'truncated':
      return t('the answer was interrupted');
    case 'malformed':
      return t('the answer does not have the requested format');
    case 'refused':
      return t('the service did not answer');
    case 'too-many':
      return t('the answer contains too many findings');
    case 'too-long':
      return t('the answer is too long');
    case 'request-failed':
      return t('the request failed ({0})', errorWords(gap.kind, gap.detail));
    case 'cancelled':
      return t('the review was stopped before its answer');
    case 'run-stopped':
      return t('not sent, because earlier requests failed');
    case 'excluded':
      return t('it is excluded');
    case 'unreadable':
      return t('it cannot be read');
    case 'binary':
      return t('it is not text');
    case 'too-large':
      return t('it is larger than 1 MB');
    case 'submodule':
      return t('it is a submodule');
    case 'link':
      return t('it is a link');
    case 'beyond-limit':
      return t('there are more files than one review can include');
    case 'line-cut':
      return t('the line is too long and was cut');
  }
}

export const reportWords = (): ReportWords => ({
  title: t('Compliance review'),
  complete: t('Complete. Everything you selected was reviewed.'),
  incomplete: t('Review incomplete. See what is missing.'),
  nothingFound: t('The review found nothing. This does not prove that the code is compliant.'),
  facts,
  findings: t('Findings'),
  notReviewed: t('Not reviewed'),
  lost: t('Findings that could not be read'),
  suppressed: t('Suppressed'),
  uselessSuppressions: t('Suppression comments without effect'),
  added: t('new'),
  gone: t('Gone since the last review'),
  unchanged: t('unchanged'),
  unknown: t('Not reviewed again'),
  wholeFile: t('properties of the file'),
  approximate: t('approximate place'),
  fix: t('Fix'),
  reason: t('reason'),
  severity: severityWord,
  sentence: ({ sentence }) => sentence,
  gaps: gapsWords,
  lostFinding: lostWords,
  useless: ({ file, line, rule, why }) =>
    why === 'no-reason'
      ? t('{0}:{1}: {2} has no reason and is ignored', file, line, rule)
      : t('{0}:{1}: unknown rule {2}', file, line, rule === '' ? '""' : rule),
});

function facts(report: ReviewReport) {
  const { startedAt, frameworks, model, requests, files, excluded, findings, comparison } = report;
  const open = findings.filter(({ suppression }) => suppression === null).length;
  const rows: (readonly [string, string])[] = [
    [t('Time'), new Date(startedAt).toLocaleString(vscode.env.language)],
    [t('Frameworks'), frameworks.map((name) => frameworkNames[name]).join(', ')],
    [t('Model'), model],
    [t('Files'), String(files.length)],
    [t('Excluded files'), String(excluded)],
    [t('Requests'), String(requests)],
    [t('Findings'), String(open)],
    [t('Suppressed'), String(findings.length - open)],
  ];
  if (comparison !== null) rows.push([t('Since the last review'), comparisonWords(comparison)]);
  return rows;
}

function comparisonWords(comparison: NonNullable<ReviewReport['comparison']>): string {
  const { added, gone, unchanged } = comparison;
  return t('{0} new, {1} gone, {2} unchanged', added.length, gone.length, unchanged.length);
}

/** Describes the result of a review for the status bar and a notification. */
export function resultWords(report: ReviewReport): ResultWords {
  const { findings, comparison, notReviewed, lost } = report;
  const open = findings.filter(({ suppression }) => suppression === null).length;
  const places = placesNotReviewed(notReviewed);
  const title = isComplete(report)
    ? t('Review complete. Findings: {0}', open)
    : t('Review incomplete. Findings: {0}', open);
  const since = comparison === null ? '' : ` (${comparisonWords(comparison)})`;
  const [gaps] = places;
  const [first] = lost;
  const missing = [
    gaps === undefined ? '' : t('. Not reviewed: {0}, for example {1}', places.length, gapsWords(gaps)),
    first === undefined ? '' : t('. Findings not read: {0}, for example {1}', lost.length, lostWords(first)),
  ];
  return { title, sentence: title + since + missing.join(''), isComplete: isComplete(report) };
}

/** Describes the progress of a review. */
function progressWords({ files, of, findings }: FoundSoFar['progress']): string {
  return findings === 1
    ? t('{0} of {1} files, 1 finding', files, of)
    : t('{0} of {1} files, {2} findings', files, of, findings);
}

/** Passes results on, and reports the progress of a review if it has more than one file. */
export function reportingProgress(
  { targets }: Pick<Plan, 'targets'>,
  report: (message: string, increment: number) => void,
  onFound: (found: FoundSoFar) => void,
): (found: FoundSoFar) => void {
  let done = 0;
  const say = (progress: FoundSoFar['progress']): void => {
    const { files, of } = progress;
    if (of > 1) report(progressWords(progress), ((files - done) * 100) / of);
    done = files;
  };
  say({ files: 0, of: targets.length, findings: 0 });
  return (found) => {
    onFound(found);
    say(found.progress);
  };
}
