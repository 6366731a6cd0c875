import { languageOf } from './language.ts';
import { isBlank } from './lines.ts';

/** Whether a line is a comment, a decorator or an attribute, which belongs to the code after it. */
export function isAsideLine(line: string, languageId: string): boolean {
  return isCommentLine(line, languageId) || isDecorator(line, languageId);
}

export function isDecorator(line: string, languageId: string): boolean {
  const rest = afterDecorators(line, languageId);
  return rest === null || (rest === '' && !isBlank(line));
}

/** Returns the rest of a line after decorators or attributes, or null if one of them continues in the next line. */
export function afterDecorators(line: string, languageId: string): string | null {
  const mark = decoratorOf(languageId);
  let rest = line.trim();
  for (let remaining = 8; remaining > 0; remaining -= 1) {
    const found = mark?.exec(rest);
    if (found === null || found === undefined) return rest;
    const end = /[([]$/.test(found[0]) ? afterBracket(rest, found[0].length - 1) : found[0].length;
    if (end === null) return null;
    rest = rest.slice(end).trimStart();
  }
  return rest;
}

function decoratorOf(languageId: string): RegExp | null {
  if (languageId === 'csharp') return /^\[(?=(?:\w+: *)?[A-Z])/;
  if (languageId === 'rust' || languageId === 'php') return /^#!?\[/;
  if (/^(?:yaml|sql|css|scss|less|markdown|dockercompose|shellscript)$/.test(languageId)) return null;
  return /^@(?!interface\b)[A-Za-z][\w.]*(?: ?\()?/;
}

function afterBracket(text: string, open: number): number | null {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if ('([{'.includes(text[at] ?? '')) depth += 1;
    else if (')]}'.includes(text[at] ?? '')) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

/** Whether a line contains only a comment, in the languages known here. */
export function isCommentLine(line: string, languageId: string): boolean {
  const { comment, texts } = languageOf(languageId);
  const text = line.trimStart();
  return (
    comment.some((mark) => text.startsWith(mark)) || (texts.some(([open]) => open === '/*') && text.startsWith('/*'))
  );
}
