import { withoutThoughts } from '../../util/text/thoughts.ts';
import { whyCut } from '../../util/whyCut.ts';
import type { AnswerProblem, Finding, LostFinding } from '../findings/finding.ts';
import { visibleLine, visibleText } from '../findings/visible.ts';
import { type Rule, severities } from '../rule.ts';
import { type RawFinding, rawFindings } from './rawFindings.ts';

/**
 * The maximum number of findings read from one answer. More for one part of one file indicate that the model is not
 * reviewing.
 */
export const maxFindings = 200;
export const maxAnswer = 1_000_000;
/** Longer texts of a finding are cut, in UTF-16 units. */
const maxMessage = 2000;
const maxFix = 8000;
const maxQuote = 4000;
const maxName = 100;

export interface AnswerContext {
  /** The requested rules. */
  readonly rules: readonly Rule[];
  /** Names of the file in the request. */
  readonly names: readonly string[];
  /** The service's reason for the end of the answer. */
  readonly finishReason: string | undefined;
}

/** The content of an answer. The review of the sent text is complete only if `problems` and `lost` are empty. */
export interface ReadAnswer {
  readonly findings: readonly Finding[];
  /** Without duplicates. */
  readonly problems: readonly AnswerProblem[];
  readonly lost: readonly LostFinding[];
}

/**
 * Reads the findings of an answer, whatever is around them. A finding that cannot be read is lost by name, and costs no
 * other. An answer without a list of findings is a named problem, never "no findings".
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
    // One that the end of the answer cuts off belongs to that problem.
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
  // The model may have put its answer into its thoughts, which need not be what it says in the end.
  const read = answered.hasAnswer ? answered : rawFindings(text, maxFindings + 1);
  if (read.isCut) problems.add('truncated');
  if (!answered.hasAnswer && read.hasAnswer) problems.add('prose');
  // For a truncated answer, that problem is already recorded.
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
  // A cut quote could be found anywhere, and a cut rule is another.
  const last = raw.is === 'cut' ? [...raw.fields.keys()].at(-1) : undefined;
  const field = (name: string): string | undefined => {
    const value = raw.fields.get(name);
    const isLost = name === last && name !== 'message' && name !== 'fix';
    return typeof value === 'string' && !isLost ? value : undefined;
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

/** A line as a number, or in a text such as `L12` or `12-14`. */
function lineOf(value: unknown): number | null {
  const line = typeof value === 'string' ? Number(/\d{1,9}/.exec(value.slice(0, maxName))?.[0] ?? 0) : value;
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : null;
}

/** The requested rule of an id, whatever its case and its dashes, without what may be added to it in parentheses. */
function ruleNamed(named: string, rules: readonly Rule[]): Rule | undefined {
  const [first = ''] = named.slice(0, maxName).split(/[(:,]/, 1);
  const id = first
    .toLowerCase()
    .replace(/[`"'[\]]/g, '')
    .trim()
    .replace(/[\s_]+/g, '-');
  return rules.find((rule) => rule.id === id);
}

/** Whether a path means the file, with its folders or without, and with lines after it. */
export function isSameFile(named: string, name: string): boolean {
  const path = named.slice(0, 1000).replaceAll('\\', '/').replace(/^\.\//, '').trim().normalize();
  const own = name.normalize();
  return [path, path.replace(/:\d+(?:-\d+)?$/, '')].some(
    (one) => one === own || (one !== '' && own.endsWith(`/${one}`)) || one.endsWith(`/${own}`),
  );
}

function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
