import * as z from 'zod/mini';
import { whyCut } from '../util/whyCut.ts';
import { wholeObjects } from './brokenJson.ts';
import type { AnswerProblem, Finding } from './findings/finding.ts';
import { visibleLine, visibleText } from './findings/visible.ts';
import { type Rule, severities } from './rule.ts';

/**
 * The maximum number of findings read from one answer. More for one part of one file indicate that the model is not
 * reviewing.
 */
export const maxFindings = 200;
export const maxAnswer = 1_000_000;
const maxMessage = 2000;
const maxFix = 8000;
const maxQuote = 4000;

const findingSchema = z.object({
  rule: z.string().check(z.maxLength(100)),
  severity: z.optional(z.nullable(z.string().check(z.maxLength(20)))),
  line: z.optional(z.nullable(z.number())),
  quote: z.string().check(z.maxLength(maxQuote)),
  message: z.string().check(z.minLength(1), z.maxLength(maxMessage)),
  fix: z.optional(z.nullable(z.string().check(z.maxLength(maxFix)))),
  file: z.optional(z.nullable(z.string().check(z.maxLength(1000)))),
});
const answerSchema = z.object({ findings: z.array(z.unknown()) });

export interface AnswerContext {
  /** The requested rules. */
  readonly rules: readonly Rule[];
  /** Names of the file in the request. */
  readonly names: readonly string[];
  /** The service's reason for the end of the answer. */
  readonly finishReason: string | undefined;
}

/** The content of an answer. The review of the sent text is complete only if `problems` is empty. */
export interface ReadAnswer {
  readonly findings: readonly Finding[];
  /** Without duplicates. */
  readonly problems: readonly AnswerProblem[];
}

/**
 * Parses an answer: only JSON, or JSON in one fence. Any other form is a named problem, never "no findings"; its
 * readable part is kept beside the problem.
 */
export function readAnswer(answer: string, { rules, names, finishReason }: AnswerContext): ReadAnswer {
  const problems = new Set<AnswerProblem>();
  const text = answer.length > maxAnswer ? answer.slice(0, maxAnswer) : answer;
  if (text.length < answer.length) problems.add('too-long');
  const cut = whyCut(finishReason);
  if (cut === 'filter' || text.trim() === '') problems.add('refused');
  else if (cut === 'length') problems.add('truncated');

  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const findings = new Map<string, Finding>();
  const raw = text.trim() === '' ? [] : findingsIn(text, problems);
  if (raw.length > maxFindings) problems.add('too-many');
  for (const item of raw.slice(0, maxFindings)) {
    const parsed = findingSchema.safeParse(item);
    if (!parsed.success) {
      problems.add('invalid-finding');
      continue;
    }
    const { data } = parsed;
    const rule = byId.get(data.rule);
    if (rule === undefined) {
      problems.add('unknown-rule');
      continue;
    }
    if (data.file != null && !names.includes(data.file)) {
      problems.add('other-file');
      continue;
    }
    const line = data.line ?? null;
    const finding: Finding = {
      rule,
      severity: severities.find((severity) => severity === data.severity) ?? rule.severity,
      message: visibleLine(data.message),
      fix: visibleText(data.fix ?? '').trim(),
      quote: data.quote,
      line: line !== null && Number.isSafeInteger(line) && line > 0 ? line : null,
    };
    // A repeated finding counts once.
    findings.set(JSON.stringify([rule.id, finding.line, finding.quote]), finding);
  }
  return { findings: [...findings.values()], problems: [...problems] };
}

/** Returns the raw findings of the answer, and records problems with their format. */
function findingsIn(text: string, problems: Set<AnswerProblem>): readonly unknown[] {
  const json = unfenced(text.trim());
  try {
    const parsed = answerSchema.safeParse(JSON.parse(json));
    if (parsed.success) return parsed.data.findings;
    problems.add('malformed');
    return [];
  } catch {
    const { objects, isCut } = wholeObjects(text, maxFindings + 1);
    if (isCut) problems.add('truncated');
    else if (json.startsWith('{')) problems.add('malformed');
    // For a truncated answer, that problem is already recorded.
    else if (!problems.has('truncated')) problems.add('prose');
    return objects;
  }
}

/** The inside of the single fence around a text; the text itself if there is none. */
function unfenced(text: string): string {
  return /^(`{3,})[ \t]*(?:json[ \t]*)?\r?\n([\s\S]*)\n\1$/i.exec(text)?.[2] ?? text;
}
