import * as z from 'zod/mini';
import { wholeObjects } from './brokenJson.ts';
import type { AnswerProblem, Finding } from './finding.ts';
import { type Rule, severities } from './rule.ts';
import { visibleLine, visibleText } from './visible.ts';

/** The most that is read of one answer. A model that says more of one part of one file is not reviewing it. */
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
  /** The rules that were asked about. */
  readonly rules: readonly Rule[];
  /** Names that the file goes by in the request. */
  readonly names: readonly string[];
  /** How the service says that the answer ended. */
  readonly finishReason: string | undefined;
}

/** What an answer holds. It is the whole review of what was sent only where `problems` is empty. */
export interface ReadAnswer {
  readonly findings: readonly Finding[];
  /** Each once. */
  readonly problems: readonly AnswerProblem[];
}

/**
 * Reads an answer: JSON alone, or in one fence. Whatever else it is, is a problem with a name, and never "no findings";
 * what can be read of it is kept beside the problem.
 */
export function readAnswer(answer: string, { rules, names, finishReason }: AnswerContext): ReadAnswer {
  const problems = new Set<AnswerProblem>();
  const text = answer.length > maxAnswer ? answer.slice(0, maxAnswer) : answer;
  if (text.length < answer.length) problems.add('too-long');
  if (finishReason === 'content_filter' || text.trim() === '') problems.add('refused');
  else if (finishReason === 'length') problems.add('truncated');

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
    // Said twice is found once.
    findings.set(JSON.stringify([rule.id, finding.line, finding.quote]), finding);
  }
  return { findings: [...findings.values()], problems: [...problems] };
}

/** The findings as they stand in the answer, and what is wrong with how they stand there. */
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
    // An answer that was cut says so already.
    else if (!problems.has('truncated')) problems.add('prose');
    return objects;
  }
}

/** The inside of the one fence around all of a text; the text itself where there is none. */
function unfenced(text: string): string {
  return /^(`{3,})[ \t]*(?:json)?[ \t]*\r?\n([\s\S]*)\n\1$/i.exec(text)?.[2] ?? text;
}
