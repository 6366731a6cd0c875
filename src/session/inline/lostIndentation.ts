/** The beginning of a declaration, which may follow a block in the first column. */
const declaration =
  /^(?:def|class|function|export|import|from|public|private|protected|func|fn|pub|type|interface|enum|struct|async|@)\b|^@/;
const directive = /^#\s*(?:if|ifdef|ifndef|else|elif|endif|define|include|pragma|region|endregion)\b/;
/** The beginnings of strings that may have several lines and end in the first column. */
const longString = /`|"""|'''|<<[-~]?['"]?\w/;

/**
 * Indents the lines after the first one if a model has left out the indentation of the place for all of them. They are
 * unchanged if that does not explain each line, such as a directive, a multi-line string, or the end of the outermost
 * block. From the first line that may be code after the block, everything is dropped.
 */
export function withLostIndentation(code: string, before: string): string {
  const lines = code.split('\n');
  const indent = /^[ \t]*/.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
  const at = lines.findIndex((line, index) => index > 0 && /^[^\s]/.test(line));
  if (indent === '' || at === -1 || longString.test(code) || lines.some((line) => directive.test(line))) return code;
  const line = lines[at] ?? '';
  const isEnd = /^[)\]}]|^end\b/.test(line);
  const balance = balanceOf(lines.slice(0, at));
  const around = enclosing(before, indent);
  if (isEnd && balance <= 0 && around === '') return code;
  if (!isEnd && (balance > 0 || /:\s*$/.test(lines[at - 1] ?? ''))) return code;
  if (!isEnd && (declaration.test(line) || lines[at - 1]?.trim() === ''))
    return lines.slice(0, at).join('\n').trimEnd();
  return indented(lines, indent, around);
}

/**
 * Returns each line with the indentation of the place; from the end of the enclosing block on, with the indentation of
 * that block.
 */
function indented(lines: readonly string[], indent: string, around: string): string {
  let base = indent;
  let balance = 0;
  return lines
    .map((line, index) => {
      if (base === indent && balance <= 0 && index > 0 && /^[)\]}]|^end\b/.test(line)) base = around;
      balance += balanceOf([line]);
      return index === 0 || line.trim() === '' ? line : base + line;
    })
    .join('\n');
}

/** The number of opening brackets minus the number of closing brackets. */
function balanceOf(lines: readonly string[]): number {
  let balance = 0;
  for (const character of lines.join('')) {
    if ('([{'.includes(character)) balance += 1;
    else if (')]}'.includes(character)) balance -= 1;
  }
  return balance;
}

/** The indentation of the block around the place: that of the last line above with less indentation. */
function enclosing(before: string, indent: string): string {
  for (let end = before.lastIndexOf('\n'); end > 0; ) {
    const start = before.lastIndexOf('\n', end - 1) + 1;
    const line = before.slice(start, end);
    const lineIndent = line.length - line.trimStart().length;
    if (line.trim() !== '' && lineIndent < indent.length) return line.slice(0, lineIndent);
    end = start - 1;
  }
  return '';
}
