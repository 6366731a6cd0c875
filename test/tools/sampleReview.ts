import { quote } from '../../src/send/message/quote.ts';
// Writes into docs/review.md what a review of the sample workspace finds and misses.

import { readFileSync } from 'node:fs';
import { frameworks } from '../../src/policy/compliance/compliance.ts';
import { readAnswer } from '../../src/review/answer/readAnswer.ts';
import { rulesFor } from '../../src/review/catalog.ts';
import { type PlacedFinding, placeFindings } from '../../src/review/findings/placed.ts';
import { languageOf } from '../../src/review/languages.ts';
import { reviewInstructions, reviewQuestion } from '../../src/review/prompt.ts';

import { sha256Hex } from '../../src/util/sha256.ts';
import { answerFor } from '../service/answer.ts';
import { tableOf, updatePage, withGeneratedPart } from './generatedPart.ts';

export const sample = 'test/fixtures/review-sample/';
export const reviewPage = 'docs/review.md';

/** The known problems of the sample. */
export interface Violation {
  readonly file: string;
  readonly rule: string;
  /** A part of its line. */
  readonly quote: string;
  /** It is false if the rules of the local service cannot detect it. */
  readonly byRules?: boolean;
}

export function sampleViolations(): readonly Violation[] {
  return JSON.parse(readFileSync(`${sample}manifest.json`, 'utf8')).violations;
}

/** The local service's answer to the extension's review request for a file of the sample. */
export function answerAbout(name: string): string {
  const text = readFileSync(sample + name, 'utf8');
  const attachment = { label: name, uri: '', firstLine: 1, languageId: languageOf(name), text, folder: null };
  return answerFor({
    model: 'svc/compliance-assistant',
    messages: [
      { role: 'system', content: reviewInstructions(frameworks) },
      { role: 'user', content: `${reviewQuestion(name)}\n\n${quote(attachment)}` },
    ],
    svcHeaders: [],
  });
}

/** The extension's result of that answer. */
export function findingsIn(name: string): readonly PlacedFinding[] {
  const text = readFileSync(sample + name, 'utf8');
  const rules = rulesFor(frameworks);
  const { findings, problems, lost } = readAnswer(answerAbout(name), { rules, names: [name], finishReason: 'stop' });
  if (problems.length + lost.length > 0) throw new Error(`${name}: ${problems.join(', ')} ${JSON.stringify(lost)}`);
  return placeFindings({ name, uri: '', languageId: languageOf(name), text }, findings, sha256Hex).findings;
}

/** The page with the current findings and misses. */
export function withSampleReview(page: string): string {
  const violations = sampleViolations();
  const found = violations.filter(isFound);
  const missed = violations.filter((each) => !found.includes(each));
  const files = [...new Set(violations.map(({ file }) => file))];
  const text = [
    `\`${sample.slice(0, -1)}\` has ${violations.length} known violations of the four frameworks. The local service, which looks at one`,
    `line at a time, finds ${found.length} of them and nothing else. It misses ${missed.length}, which are about something that is *not* there:`,
    '',
    tableOf(
      ['File', 'Found', 'Missed'],
      files.map((file) => [`\`${file}\``, listed(found, file), listed(missed, file)]),
    ),
  ].join('\n');
  return withGeneratedPart(page, 'review-sample', text);
}

function isFound({ file, rule, quote: part }: Violation): boolean {
  return findingsIn(file).some((finding) => finding.rule.id === rule && finding.text.includes(part));
}

function listed(violations: readonly Violation[], of: string): string {
  return violations.flatMap(({ file, rule }) => (file === of ? [rule] : [])).join(', ');
}

if (import.meta.main) updatePage(reviewPage, withSampleReview);
