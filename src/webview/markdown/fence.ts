/** The mark that opened a fence, which determines how it is closed. */
export interface FenceMark {
  readonly character: string;
  readonly length: number;
  /** The number of spaces before the opening fence; as many are removed from each line of the code. */
  readonly indent: number;
}

/** Returns the mark of the fence with which `text` starts. */
export function fenceMark(text: string): FenceMark {
  const [, indent = '', mark = '```'] = /^( {0,3})(`{3,}|~{3,})/.exec(text) ?? [];
  return { character: mark.charAt(0), length: mark.length, indent: indent.length };
}

/**
 * Whether a line closes a fence. CommonMark allows up to three spaces, at least as many marks as in the opening fence, and
 * nothing else.
 */
export function isClosing(line: string, { character, length }: FenceMark): boolean {
  const [, marks = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line.endsWith('\n') ? line.slice(0, -1) : line) ?? [];
  return marks.startsWith(character) && marks.length >= length;
}

/** Returns the line without as many leading columns of space as the opening fence has; a tab that is cut becomes spaces. */
export function unindented(line: string, indent: number): string {
  let at = 0;
  let column = 0;
  while (column < indent && (line[at] === ' ' || line[at] === '\t')) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1;
    at += 1;
  }
  return ' '.repeat(Math.max(0, column - indent)) + line.slice(at);
}

/** Counts the fences in an answer, without the parser, which is loaded with the first answer. */
export function countFences(markdown: string): number {
  return readFences(markdown).count;
}

/** Whether the last fence of an answer is unclosed: its code may be incomplete. */
export function endsInFence(markdown: string): boolean {
  return readFences(markdown).isOpen;
}

function readFences(markdown: string): { readonly count: number; readonly isOpen: boolean } {
  let count = 0;
  let open: FenceMark | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    // A fence in a list is indented like its item.
    const text = line.trimStart();
    if (open !== undefined) {
      if (isClosing(text, open)) open = undefined;
    } else if (/^(`{3,}[^`]*|~{3,}.*)$/s.test(text)) {
      open = fenceMark(text);
      count += 1;
    }
  }
  return { count, isOpen: open !== undefined };
}
