const lineComment = /^\s*(\/\/+!?|#+!?|--|;+|%+|'|")\s?/;
const blockComment = /^\s*(\/\*+!?|<!--|"""|''')([\s\S]*?)(\*\/|-->|"""|''')\s*$/;

/** The words of a selection that is a comment through and through, without its marks; null where it is not one. */
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
