import { isAsideLine } from './asideLines.ts';
import type { Language } from './language.ts';
import { indentOf, isBlank } from './lines.ts';
import { isStyles } from './names.ts';
import type { Scan } from './scan.ts';

/** Lines with the facts that decide where a declaration or a statement ends. */
interface ScannedLines {
  readonly lines: readonly string[];
  readonly languageId: string;
  readonly language: Language;
  readonly scan: Scan;
}

/** Returns the line after the declaration or the statement whose first line, without its comments, is `head`. */
export function endOfUnit(code: ScannedLines, head: number, end: number): number {
  switch (code.language.blocks) {
    case 'indentation':
      return endByIndent(code, head, end);
    case 'statements':
      return endOfStatement(code, head, end);
    case 'brackets':
      return endByBrackets(code, head, end);
    case 'markup': {
      let at = head + 1;
      while (at < end && !isBlank(code.lines[at] ?? '')) at += 1;
      return at;
    }
  }
}

/** Returns the beginning of a clause of a `switch`, up to its colon, or undefined for any other line. */
export function clauseAt({ lines, language }: ScannedLines, line: number): string | undefined {
  if (!language.comment.includes('//')) return undefined;
  return /^\s*(case\s.{1,200}?|default\s*):(?=\s*(?:$|\{|return\b|break\b|throw\b|\/\/|\/\*|[\w.]+\(|[\w.]+ = ))/
    .exec(lines[line] ?? '')?.[1]
    ?.trim();
}

/** The end of a clause: before the comments of the next one. */
export function endOfClause(code: ScannedLines, head: number, end: number): number {
  const { before, after } = code.scan;
  const base = before[head] ?? 0;
  let last = head + 1;
  for (let at = head + 1; at < end; at += 1) {
    const line = code.lines[at] ?? '';
    if (isBlank(line)) continue;
    const isOutside = (before[at] ?? 0) <= base && indentOf(line).length <= indentOf(code.lines[head] ?? '').length;
    if (isOutside || (after[at] ?? 0) < base) break;
    last = at + 1;
  }
  return last;
}

function endByIndent(code: ScannedLines, head: number, end: number): number {
  const { before, inText } = code.scan;
  const headIndent = indentOf(code.lines[head] ?? '').length;
  // A mark for omitted items has no colon.
  const isItem = /^\s*- |^[^:]*$/.test(code.lines[head] ?? '');
  const isYaml = code.languageId !== 'python';
  let last = head;
  // A statement without a block ends with its line, regardless of the indentation of the next line.
  let isOpened = isYaml;
  for (let at = head + 1; at < end; at += 1) {
    const line = code.lines[at] ?? '';
    const isOpen = inText[at] === true || (!isYaml && (before[at] ?? 0) > (before[head] ?? 0));
    if (!isOpen && !isOpened) isOpened = /:\s*(?:#.*)?$|\\\s*$/.test(code.lines[at - 1] ?? '');
    if (!isOpen && isBlank(line)) continue;
    const isContinued =
      isOpen ||
      (isOpened && indentOf(line).length > headIndent) ||
      (isYaml && !isItem && indentOf(line).length === headIndent && /^\s*-(?: |$)/.test(line)) ||
      (!isYaml && indentOf(line).length === headIndent && /^\s*(?:else|elif|except|finally)\b|^\s*[)\]}]/.test(line));
    if (!isContinued) break;
    last = at;
  }
  return last + 1;
}

function endOfStatement(code: ScannedLines, head: number, end: number): number {
  const { after, inText } = code.scan;
  const isRoutine = /^\s*create\b.*\b(?:procedure|trigger|function)\b/i.test(code.lines[head] ?? '');
  let isLong = false;
  for (let at = head; at < end; at += 1) {
    const line = code.lines[at] ?? '';
    if (/^\s*(?:begin|as\s+begin)\b(?!\s*(?:;|transaction|work))/i.test(line) && inText[at] !== true)
      isLong ||= isRoutine;
    const isInText = inText[at + 1] === true || (after[at] ?? 0) > (code.scan.before[head] ?? 0);
    if (isInText) continue;
    const text = line.replace(/--.*$/, '').trimEnd();
    if (
      isLong
        ? /^\s*end\b[^;]*;?\s*$/i.test(text) && indentOf(line).length <= indentOf(code.lines[head] ?? '').length
        : /;$/.test(text) || /^\s*go$/i.test(text)
    )
      return at + 1;
  }
  let last = end;
  while (last > head + 1 && isBlank(code.lines[last - 1] ?? '')) last -= 1;
  return last;
}

function endByBrackets(code: ScannedLines, head: number, end: number): number {
  const { before, after, inText, inComment } = code.scan;
  let base = before[head] ?? 0;
  let at = head;
  for (; at < end - 1; at += 1) {
    const depth = after[at] ?? 0;
    if (depth > base || inText[at + 1] === true || inComment[at + 1] === true) continue;
    base = Math.min(base, depth);
    const line = code.lines[at] ?? '';
    const next = code.lines[at + 1] ?? '';
    if (isBlank(next) || isAsideLine(next, code.languageId)) break;
    const isOpenEnd = /(?:=>|[=+*&|?([{]|\bextends|\bimplements)\s*$/.test(line) && !/(?:\+\+|\*\/)\s*$/.test(line);
    // A rule of a style sheet may have several selectors.
    if (isStyles(code.languageId) && /,\s*$/.test(line)) continue;
    const isContinued =
      /^\s*(?:[.)\]}{?:&|=,]|else\b|catch\b|finally\b|throws\b|where\b|extends\b|implements\b)/.test(next) &&
      !/[;]\s*$/.test(line);
    // In Go, a line that can end a statement ends it.
    if (code.languageId === 'go' && /^\s*\{/.test(next) && !isOpenEnd) break;
    // A closing bracket that was not opened here belongs to the enclosing code.
    if (/^\s*[)\]}]/.test(next) && (after[at + 1] ?? 0) < base && !isOpenEnd) break;
    if (!isOpenEnd && !isContinued) break;
  }
  return at + 1;
}
