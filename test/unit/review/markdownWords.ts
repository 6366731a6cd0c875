import type { ReportWords } from '../../../src/review/markdown.ts';

/** The words of a report in tests. */
export const words: ReportWords = {
  title: 'Compliance review',
  incomplete: 'Review incomplete',
  complete: 'Review complete',
  nothingFound: 'Nothing found',
  facts: ({ model }) => [['Model', model]],
  findings: 'Findings',
  notReviewed: 'Not reviewed',
  lost: 'Not read',
  suppressed: 'Suppressed',
  uselessSuppressions: 'Comments that count for nothing',
  added: 'new',
  gone: 'Gone',
  unchanged: 'unchanged',
  unknown: 'Not reviewed again',
  wholeFile: 'file',
  approximate: 'approximate',
  fix: 'Fix',
  reason: 'reason',
  severity: (severity) => severity,
  sentence: ({ sentence }) => sentence,
  gaps: (gaps) => `${gaps[0]?.file}: ${gaps.map(({ reason }) => reason).join(', ')}`,
  lostFinding: ({ file, rule, reason }) => `${file}: ${rule}: ${reason}`,
  useless: ({ file, line }) => `${file}:${line}`,
};
