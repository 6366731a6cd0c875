import { ruleOf } from '../catalog.ts';
import { commentMarks } from '../languages.ts';
import { visibleLine } from './visible.ts';

/** A comment `svc-ignore <rule>: <reason>`. */
export interface Suppression {
  readonly rule: string;
  /** The line of the comment, counted from 1. */
  readonly line: number;
  /** The line whose findings it suppresses: its own, or the next line that is not itself a suppression comment. */
  readonly target: number;
  readonly reason: string;
}

/** A suppression that has no effect, with the reason. */
export interface UselessSuppression {
  readonly rule: string;
  readonly line: number;
  readonly why: 'no-reason' | 'unknown-rule';
}

interface Suppressions {
  readonly counting: readonly Suppression[];
  readonly useless: readonly UselessSuppression[];
}

/** The maximum length of a reason in UTF-16 units. Longer reasons are cut. */
const maxReason = 500;

/** Finds the comments of a file that accept a finding. A comment without a reason, or for an unknown rule, has no effect. */
export function findSuppressions(text: string, languageId: string): Suppressions {
  const marks = commentMarks(languageId);
  const counting: Suppression[] = [];
  const useless: UselessSuppression[] = [];
  if (marks === null || !text.includes('svc-ignore')) return { counting, useless };
  const pattern = new RegExp(`${escapeRegExp(marks.open.trim())}+\\s*svc-ignore\\b\\s*([\\w.-]*)\\s*(?::(.*))?`);
  const lines = text.split('\n');
  const found = lines.map((line) => pattern.exec(line));
  found.forEach((match, index) => {
    if (match === null) return;
    const rule = visibleLine((match[1] ?? '').slice(0, 100));
    const close = marks.close === '' ? -1 : (match[2] ?? '').indexOf(marks.close);
    const given = close === -1 ? (match[2] ?? '') : (match[2] ?? '').slice(0, close);
    const reason = visibleLine(given.slice(0, maxReason));
    const line = index + 1;
    if (ruleOf(rule) === undefined) useless.push({ rule, line, why: 'unknown-rule' });
    else if (reason === '') useless.push({ rule, line, why: 'no-reason' });
    else counting.push({ rule, line, reason, target: targetOf(lines, found, index) });
  });
  return { counting, useless };
}

/** Returns the suppression of a finding that spans these lines. */
export function suppressionOf(
  { counting }: Suppressions,
  finding: { readonly rule: string; readonly firstLine: number; readonly lastLine: number },
): Suppression | undefined {
  return counting.find(
    ({ rule, line, target }) =>
      rule === finding.rule &&
      ((target >= finding.firstLine && target <= finding.lastLine) ||
        (line >= finding.firstLine && line <= finding.lastLine)),
  );
}

/** Returns the comment to insert above a finding, or null if the language has no comments. */
export function suppressionComment(languageId: string, rule: string, reason: string): string | null {
  const marks = commentMarks(languageId);
  if (marks === null) return null;
  const { open, close } = marks;
  // A reason must not end the comment that contains it.
  const plain = visibleLine(reason).slice(0, maxReason);
  const given = close === '' ? plain : plain.replaceAll(close, ' ').trim();
  return `${open.trim()} svc-ignore ${rule}: ${given}${close === '' ? '' : ` ${close}`}`;
}

/**
 * Returns the comment's own line if it has code before the comment, otherwise the next line that is not itself a suppression
 * comment.
 */
function targetOf(lines: readonly string[], found: readonly (RegExpExecArray | null)[], index: number): number {
  const match = found[index];
  if (match != null && (lines[index] ?? '').slice(0, match.index).trim() !== '') return index + 1;
  let next = index + 1;
  while (next < lines.length && found[next] !== null && found[next]?.index === indentOf(lines[next])) next += 1;
  return next + 1;
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
