import { afterDecorators, isAsideLine, isCommentLine } from '../text/asideLines.ts';
import { isBlank } from '../text/lines.ts';
import type { Code } from '../text/units.ts';

/** A comment that is an instruction for a tool about the line below: it stays, whatever the model documents. */
const directive =
  /^\s*(?:\/\/|\/\*|#|--)\s*(?:eslint|tslint|biome|prettier|ts-|@ts-|istanbul|c8|v8|noqa|type:|pylint|mypy|pragma|nolint|go:|nosec|NOSONAR|noinspection|region|endregion|language=|fmt:|yaml-language|jscpd|cspell|spell|!)/i;

/** The line of the first of the comments and decorators directly above a line. */
export function asidesAbove({ lines, scan, languageId }: Code, line: number): number {
  let at = line;
  while (at > 0) {
    const above = lines[at - 1] ?? '';
    const isIn = scan.inComment[at - 1] === true && isCommentLike(above);
    if (isBlank(above) || !(isIn || isAsideLine(above, languageId))) break;
    at -= 1;
  }
  // The middle of a comment is not its beginning.
  while (at < line && scan.inComment[at] === true) at += 1;
  return at;
}

function isCommentLike(line: string): boolean {
  return /^\s*(?:\*|\/\*)|\*\/\s*$/.test(line) || !isBlank(line);
}

/**
 * Merges the comments and decorators above a declaration: those of the answer replace the matching ones of the file.
 */
export function mergedAsides(
  fromAnswer: readonly string[],
  fromFile: readonly string[],
  languageId: string,
): readonly string[] {
  if (fromAnswer.length === 0) return fromFile;
  if (fromFile.length === 0) return fromAnswer;
  const answerTexts = new Set(fromAnswer.map((line) => line.trim()));
  const names = new Set(fromAnswer.map((line) => decoratorName(line) ?? ''));
  const groups = groupsOf(fromFile, languageId);
  const documents = groupsOf(fromAnswer, languageId).some(
    ({ is, lines }) => is === 'comment' && !directive.test(lines[0] ?? ''),
  );
  const isKept = ({ is, lines }: Group): boolean => {
    const first = lines[0] ?? '';
    if (lines.every((line) => answerTexts.has(line.trim()))) return false;
    if (is === 'decorator') return !names.has(decoratorName(first) ?? '');
    if (directive.test(first)) return true;
    // A line comment may contain something else; a block comment documents the same as the new one.
    return !documents || (!/^\s*(?:\/\*|\/\/[/!])/.test(first) && !isSameComment(first, fromAnswer));
  };
  const kept = groups.filter(isKept);
  const before = kept.filter(({ is, lines }) => is === 'comment' && !directive.test(lines[0] ?? ''));
  const after = kept.filter((group) => !before.includes(group));
  return [...before.flatMap(({ lines }) => lines), ...fromAnswer, ...after.flatMap(({ lines }) => lines)];

  function decoratorName(line: string): string | null {
    if (isCommentLine(line, languageId) || afterDecorators(line, languageId) === line.trim()) return null;
    return /^\s*[@#[!]*([\w.]+)/.exec(line)?.[1] ?? null;
  }
}

/**
 * Whether a comment begins with the same name as one of the answer: comments in Go begin with the name that they
 * document.
 */
function isSameComment(line: string, fromAnswer: readonly string[]): boolean {
  const [word] = /^\s*\/\/ \w+/.exec(line) ?? [];
  return word !== undefined && fromAnswer.some((each) => each.trim().startsWith(`${word.trim()} `));
}

interface Group {
  readonly is: 'comment' | 'decorator';
  readonly lines: string[];
}

/**
 * Groups decorators, each with its continuation lines, and comments: block comments, and adjacent lines of the same
 * kind.
 */
function groupsOf(lines: readonly string[], languageId: string): readonly Group[] {
  const groups: Group[] = [];
  for (const line of lines) {
    const last = groups.at(-1);
    const isComment = isCommentLine(line, languageId);
    const isMore =
      last?.is === 'comment' &&
      !/^\s*(?:@|\[|#\[)/.test(line) &&
      !directive.test(line) &&
      !directive.test(last.lines[0] ?? '');
    const begins = isComment || /^\s*(?:@|\[|#!?\[)/.test(line);
    if (last !== undefined && (isMore || !begins)) last.lines.push(line);
    else groups.push({ is: isComment ? 'comment' : 'decorator', lines: [line] });
  }
  return groups;
}
