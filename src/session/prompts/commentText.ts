const lineComment = /^\s*(\/\/+!?|#+!?|--|;+|%+|'|")\s?/;
const blockComment = /^\s*(\/\*{1,100}!?|<!--|"""|''')([\s\S]*?)(\*\/|-->|"""|''')\s*$/;

/**
 * Returns the text of a selection that consists only of comments, without comment marks, or null for any other
 * selection.
 */
export function commentText(selection: string): string | null {
  const block = blockComment.exec(selection);
  const lines = (block?.[2] ?? selection).split(/\r?\n/).filter((line) => line.trim() !== '');
  if (block === null && !(lines.length > 0 && lines.every((line) => lineComment.test(line)))) return null;
  const marks = block === null ? lineComment : /^\s*\*?\s?/;
  const words = lines
    .map((line) => line.replace(marks, '').trim())
    .join('\n')
    .trim();
  return words === '' ? null : words;
}
