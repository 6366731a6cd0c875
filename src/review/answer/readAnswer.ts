import { withoutThoughts } from '../../util/text/thoughts.ts';
import { whyCut } from '../../util/whyCut.ts';
import type { AnswerProblem, Finding, LostFinding } from '../findings/finding.ts';
import { visibleLine, visibleText } from '../findings/visible.ts';
import { type Rule, severities } from '../rule.ts';
import { type RawFinding, rawFindings } from './rawFindings.ts';

/**
 * The maximum number of findings read from one answer. More findings for one part of one file indicate that the model is not
 * reviewing.
 */
export const maxFindings = 200;
/** The maximum length in UTF-16 units of an answer that is read. */
export const maxAnswer = 1_000_000;
/** The maximum lengths in UTF-16 units of the texts of a finding. Longer texts are cut. */
const maxMessage = 2000;
const maxFix = 8000;
const maxQuote = 4000;
const maxName = 100;

export interface AnswerContext {
  /** The requested rules. */
  readonly rules: readonly Rule[];
  /** The names of the file in the request. */
  readonly names: readonly string[];
  /** The service's reason for the end of the answer. */
  readonly finishReason: string | undefined;
}

/**
 * The findings in an answer, and what is wrong with the answer. The review of the sent text is complete only if `problems`
 * and `lost` are empty.
 */
export interface ReadAnswer {
  readonly findings: readonly Finding[];
  /** The problems of the answer, without duplicates. */
  readonly problems: readonly AnswerProblem[];
  readonly lost: readonly LostFinding[];
}

/**
 * Reads the findings of an answer, whatever text is around them. A finding that cannot be read is listed in `lost` and does
 * not affect the other findings. An answer without a list of findings is a problem, never "no findings".
 */
export function readAnswer(answer: string, context: AnswerContext): ReadAnswer {
  const problems = new Set<AnswerProblem>();
  const text = answer.length > maxAnswer ? answer.slice(0, maxAnswer) : answer;
  if (text.length < answer.length) problems.add('too-long');
  const cut = whyCut(context.finishReason);
  if (cut === 'filter' || text.trim() === '') problems.add('refused');
  else if (cut !== null) problems.add('truncated');

  const findings = new Map<string, Finding>();
  const lost: LostFinding[] = [];
  const raw = text.trim() === '' ? [] : findingsIn(text, problems);
  if (raw.length > maxFindings) problems.add('too-many');
  for (const each of raw.slice(0, maxFindings)) {
    const finding = findingOf(each, context);
    // A finding that the end of the answer cuts off is covered by the problem `truncated`.
    if ('reason' in finding && each.is === 'cut') continue;
    if ('reason' in finding) lost.push(finding);
    // A repeated finding counts once.
    else findings.set(JSON.stringify([finding.rule.id, finding.line, finding.quote]), finding);
  }
  return { findings: [...findings.values()], problems: [...problems], lost };
}

/** Returns the raw findings of the answer, and records problems with its form. */
function findingsIn(text: string, problems: Set<AnswerProblem>): readonly RawFinding[] {
  const answered = rawFindings(withoutThoughts(text).text, maxFindings + 1);
  // The model may have put its answer into its thoughts, which may differ from its final answer.
  const read = answered.hasAnswer ? answered : rawFindings(text, maxFindings + 1);
  if (read.isCut) problems.add('truncated');
  if (!answered.hasAnswer && read.hasAnswer) problems.add('prose');
  // If the answer is truncated, this problem is already recorded.
  else if (!read.hasAnswer && !problems.has('truncated')) problems.add(isJson(text) ? 'malformed' : 'prose');
  return read.found;
}

function isJson(text: string): boolean {
  const json = /^\s*(`{3,})[ \t]*(?:json[ \t]*)?\r?\n([\s\S]*)\n\1\s*$/i.exec(text)?.[2] ?? text;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return /^[{[]/.test(json.trimStart());
  }
}

/** Checks one finding of an answer. */
export function findingOf(
  raw: RawFinding,
  { rules, names }: Pick<AnswerContext, 'rules' | 'names'>,
): Finding | LostFinding {
  // The last field of a truncated finding is ignored: a truncated quote could be found anywhere, and a truncated rule ID may
  // be the ID of another rule.
  const last = raw.is === 'cut' ? [...raw.fields.keys()].at(-1) : undefined;
  const field = (name: string): string | undefined => {
    const value = raw.fields.get(name);
    const isTruncated = name === last && name !== 'message' && name !== 'fix';
    return typeof value === 'string' && !isTruncated ? value : undefined;
  };
  const [named, line, quote] = [field('rule'), lineOf(raw.fields.get('line')), field('quote') ?? ''];
  const lost = (reason: LostFinding['reason']): LostFinding => ({
    reason,
    rule: visibleLine((named ?? '').slice(0, maxName)),
    line,
    text: visibleLine((field('message') ?? (quote === '' ? raw.beginning : quote)).slice(0, maxName)),
  });
  const file = field('file');
  const message = field('message') ?? '';
  const isReadable = raw.is === 'broken' ? message !== '' : message.trim() !== '' || quote.trim() !== '';
  if (named === undefined || !isReadable) return lost('invalid-finding');
  const rule = ruleNamed(named, rules);
  if (rule === undefined) return lost('unknown-rule');
  if (file !== undefined && !names.some((name) => isSameFile(file, name))) return lost('other-file');
  const severity = field('severity')?.trim().toLowerCase();
  return {
    rule,
    severity: severities.find((one) => one === severity) ?? rule.severity,
    message: visibleLine(shortened(message, maxMessage)) || rule.sentence,
    fix: visibleText(shortened(field('fix') ?? '', maxFix)).trim(),
    quote: quote.slice(0, maxQuote),
    line,
  };
}

/** Reads a line number, given as a number or in a text such as `L12` or `12-14`. */
function lineOf(value: unknown): number | null {
  const line = typeof value === 'string' ? Number(/\d{1,9}/.exec(value.slice(0, maxName))?.[0] ?? 0) : value;
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : null;
}

/**
 * Returns the requested rule with an ID, ignoring the case, the kind of separators, and anything added to the ID in
 * parentheses.
 */
function ruleNamed(named: string, rules: readonly Rule[]): Rule | undefined {
  const [first = ''] = named.slice(0, maxName).split(/[(:,]/, 1);
  const id = first
    .toLowerCase()
    .replace(/[`"'[\]]/g, '')
    .trim()
    .replace(/[\s_]+/g, '-');
  return rules.find((rule) => rule.id === id);
}

/** Whether a path means the file, with or without its folders, and with or without line numbers after it. */
export function isSameFile(named: string, name: string): boolean {
  const path = named.slice(0, 1000).replaceAll('\\', '/').replace(/^\.\//, '').trim().normalize();
  const normalName = name.normalize();
  return [path, path.replace(/:\d+(?:-\d+)?$/, '')].some(
    (one) => one === normalName || (one !== '' && normalName.endsWith(`/${one}`)) || one.endsWith(`/${normalName}`),
  );
}

function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
