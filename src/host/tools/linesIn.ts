/** A longer line is cut: one of a minified file would be all there is room for. */
const maxChars = 300;

export interface FoundLine {
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a text that have `query`, without regard to case. A long one is shown around it. */
export function linesIn(text: string, query: string): readonly FoundLine[] {
  const wanted = query.toLowerCase();
  if (!text.toLowerCase().includes(wanted)) return [];
  return text.split(/\r\n|\r|\n/).flatMap((line, index) => {
    const at = line.toLowerCase().indexOf(wanted);
    if (at < 0) return [];
    const from = Math.max(0, Math.min(at - maxChars / 2, line.length - maxChars));
    return [{ line: index + 1, text: line.slice(from, from + maxChars).toWellFormed() }];
  });
}
