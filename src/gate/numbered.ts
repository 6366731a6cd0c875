import { type Content, joinOf, sliceOf } from './content.ts';

/**
 * The content with the number of each line before it, as `12| `, so that a model need not count. A secret of several lines
 * stays one secret: its further lines have no number. `firstLine` is the number of the first line.
 */
export function numbered(content: Content, firstLine: number): Content {
  const { text, marks } = content;
  if (text === '') return content;
  const parts: (string | Content)[] = [];
  let from = 0;
  let line = firstLine;
  let next = 0;
  for (let at = 0; at < text.length; line += 1) {
    while ((marks[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    // A mark that begins at the start of the line comes after its number.
    const isInSecret = (marks[next]?.start ?? at) < at;
    if (!isInSecret) {
      if (at > from) parts.push(sliceOf(content, from, at));
      parts.push(`${line}| `);
      from = at;
    }
    const end = text.indexOf('\n', at);
    at = end === -1 ? text.length : end + 1;
  }
  return joinOf([...parts, sliceOf(content, from, text.length)]);
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
