import { isCommentLine } from './text/asideLines.ts';
import { indentOf, isBlank } from './text/lines.ts';
import { Code } from './text/units.ts';

/** A line that is written up to the cursor: the text before the cursor, with its indentation, and after it. */
export interface BegunLine {
  readonly before: string;
  /** Brackets that the editor has closed, and the end of the line; usually empty. */
  readonly rest: string;
}

/** The end of a line that continues: an operator, a dot, an open bracket. */
const openEnd = /(?:[^=!<>]=|[=!<>]==?|=>|->|:=|<-|[([.]|&&|\|\||\?\??|[^+]\+|[^-]-|[^/*]\*|[^/*<]\/|[^<>]<|%)\s*$/;
/** Like openEnd, but for words and signs after which a complete line may also end: they match only if a space follows. */
const openWord =
  /(?:^|[^\w$])(?:return|await|new|throw|raise|yield|typeof|in|of|and|or|not|is|extends|implements|assert|from|import|select|where|set|when|then|else|as|print|echo|[\w"']+\s*:)\s+$/i;

/** The maximum number of characters at the end of a line that are examined. */
const maxRead = 200;

/**
 * Returns the line at a cursor if it is only half-written, such as `const total = `, or null for a blank or a complete
 * line.
 */
export function begunLineAt(
  lines: readonly string[],
  languageId: string,
  cursor: { readonly line: number; readonly character: number },
): BegunLine | null {
  const line = lines[cursor.line] ?? '';
  const before = line.slice(0, cursor.character);
  const rest = line.slice(cursor.character).trim();
  if (isBlank(before) || !/^[)\]}]*[;,]?$/.test(rest) || isCommentLine(line, languageId)) return null;
  const code = new Code([...lines.slice(0, cursor.line), before], languageId);
  // In prose, and in a multi-line string, no line is half-written.
  if (code.blocks === 'markup' || code.scan.inText[cursor.line] === true || code.scan.inComment[cursor.line] === true) {
    return null;
  }
  const end = before.slice(-maxRead);
  const isOpen = openEnd.test(end) || openWord.test(end) || isInBracket(code, cursor.line, before);
  return isOpen && !isContinuedBelow(lines, cursor.line) ? { before, rest } : null;
}

/** Whether a round or square bracket is open: `pay(sum, `. An open brace begins a block, whose lines are below. */
function isInBracket({ scan }: Code, line: number, before: string): boolean {
  return (
    (scan.after[line] ?? 0) > (scan.before[line] ?? 0) &&
    !/[{:]\s*$/.test(before.slice(-maxRead)) &&
    /[([]/.test(before)
  );
}

/** Whether the statement continues in the next line. Then the lines between are complete. */
function isContinuedBelow(lines: readonly string[], line: number): boolean {
  const next = lines.slice(line + 1).find((each) => !isBlank(each));
  return next !== undefined && indentOf(next).length > indentOf(lines[line] ?? '').length;
}

/**
 * Returns the whole lines for a half-written line. An answer repeats the line from its beginning, or from a word in it,
 * or gives only what comes next.
 */
export function completedLines(
  code: readonly string[],
  languageId: string,
  { before, rest }: BegunLine,
): readonly string[] {
  const typed = before.trim();
  const isWordDone = /\s$/.test(before);
  const isSql = languageId === 'sql';
  const isSame = (line: string): boolean =>
    isContinued(line.trim(), typed, isWordDone) ||
    (isSql && isContinued(line.trim().toLowerCase(), typed.toLowerCase(), isWordDone));
  const isRepeated = code.some(isSame);
  const lines = isRepeated ? code : joined(code, before);
  return rest === '' ? lines : withRest(lines, languageId, rest);
}

/**
 * Whether one text begins with the other, apart from white space. If the other ends with a word, that word must end
 * there.
 */
function isContinued(line: string, typed: string, isWordDone: boolean): boolean {
  let at = 0;
  for (const character of typed) {
    if (/\s/.test(character)) continue;
    while (/\s/.test(line[at] ?? '')) at += 1;
    if (line[at] !== character) return false;
    at += 1;
  }
  return !(isWordDone && /\w$/.test(typed) && /\w/.test(line[at] ?? ''));
}

function joined(code: readonly string[], before: string): readonly string[] {
  const [opening = '', ...others] = code;
  const first = opening.trim();
  const at = overlapWith(before, first);
  const isSpaced = at < before.length || first === '' || /[\s([.!]$/.test(before) || /^[.,;)\]]/.test(first);
  const indent = indentOf(before);
  const firstIndent = indentOf(opening);
  // Below a first line without indentation, the other lines may already have the indentation of the file.
  const isDeeper = (line: string): boolean => indentOf(line).length > indent.length || /^\s*[)\]}]/.test(line);
  const isInFile =
    firstIndent === '' &&
    indent !== '' &&
    others.every((line) => isBlank(line) || (line.startsWith(indent) && isDeeper(line)));
  const rest = others.map((line) =>
    isInFile || isBlank(line)
      ? line
      : indent + (line.startsWith(firstIndent) ? line.slice(firstIndent.length) : line.trimStart()),
  );
  return [`${before.slice(0, at)}${isSpaced || /\w$/.test(before) ? '' : ' '}${first}`, ...rest];
}

/**
 * The offset in the text before the cursor at which the first line of the answer begins; the end of the text if the
 * answer repeats nothing.
 */
function overlapWith(before: string, first: string): number {
  const typed = before.trimEnd();
  const isWordDone = typed.length < before.length;
  for (let at = indentOf(typed).length; at < typed.length; at += 1) {
    if (/\w\w/.test(typed.slice(Math.max(0, at - 1), at + 1)) || /\s/.test(typed[at] ?? '')) continue;
    const end = typed.slice(at);
    const isDistinctive = /\w/.test(end) || /^(?:[=:]=?|=>|[.,])$/.test(end);
    if (isDistinctive && isContinued(first, end, isWordDone)) return at;
  }
  return before.length;
}

/** Adds the brackets and the end of the line after the cursor that the answer lacks. */
function withRest(lines: readonly string[], languageId: string, rest: string): readonly string[] {
  const [, brackets = '', end = ''] = /^([)\]}]*)([;,]?)$/.exec(rest) ?? [];
  const open = new Code(lines, languageId).scan.after.at(-1) ?? 0;
  const missing = open <= 0 ? '' : brackets.slice(-open);
  const last = (lines.at(-1) ?? '').trimEnd();
  const bare = missing === '' ? last : last.replace(/[;,]$/, '');
  const closed = bare + missing;
  const ended = end === '' || closed.endsWith(end) ? closed : closed + end;
  return [...lines.slice(0, -1), ended];
}
