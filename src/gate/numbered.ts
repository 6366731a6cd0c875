import { type Content, joinOf, sliceOf } from './content.ts';

/**
 * The content with the number of each line before it, as `12| `, so that a model need not count. A secret of several lines
 * stays one secret: its further lines have no number. `firstLine` is the number of the first line.
 */
export function numbered(content: Content, firstLine: number): Content {
  const parts: (string | Content)[] = [];
  let from = 0;
  eachNumber(content, firstLine, (line, at) => {
    if (at > from) parts.push(sliceOf(content, from, at));
    parts.push(`${line}| `);
    from = at;
  });
  if (parts.length === 0) return content;
  return joinOf([...parts, sliceOf(content, from, content.text.length)]);
}

/** The size in bytes of UTF-8 that numbered() would return, of a text that may be too long to make that. */
export function numberedBytes(content: Content, firstLine: number): number {
  let bytes = Buffer.byteLength(content.text);
  let digits = String(firstLine).length;
  let longer = 10 ** digits;
  eachNumber(content, firstLine, (line) => {
    while (line >= longer) {
      digits += 1;
      longer *= 10;
    }
    bytes += digits + 2;
  });
  return bytes;
}

/** Calls back for each line that gets a number, with its offset: all but the further lines of a secret. */
function eachNumber({ text, marks }: Content, firstLine: number, found: (line: number, at: number) => void): void {
  let line = firstLine;
  let next = 0;
  let mark = marks[0];
  for (let at = 0; at < text.length; line += 1) {
    while (mark !== undefined && mark.end <= at) {
      next += 1;
      mark = marks[next];
    }
    // A mark that begins at the start of the line comes after its number.
    const isInSecret = mark !== undefined && mark.start < at;
    if (!isInSecret) found(line, at);
    // For many short lines, this takes less time than indexOf().
    while (at < text.length && text.charCodeAt(at) !== 10) at += 1;
    at += 1;
  }
}

/** Removes the line numbers that numbered() added. Text without them is returned unchanged. */
export function unnumbered(text: string, firstLine: number): string {
  const lines = text.split('\n');
  return lines
    .map((line, index) => {
      const number = `${firstLine + index}| `;
      return line.startsWith(number) ? line.slice(number.length) : line;
    })
    .join('\n');
}
