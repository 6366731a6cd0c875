/** How a fence was opened, which is how its end is known. */
export interface FenceMark {
  readonly character: string;
  readonly length: number;
  /** Spaces before the opening; as many are taken off each line of the code. */
  readonly indent: number;
}

/** The mark of the fence that `text` starts with. */
export function fenceMark(text: string): FenceMark {
  const [, indent = '', mark = '```'] = /^( {0,3})(`{3,}|~{3,})/.exec(text) ?? [];
  return { character: mark.charAt(0), length: mark.length, indent: indent.length };
}

/** CommonMark: up to three spaces, at least as many marks as the opening has, nothing else. */
export function isClosing(line: string, { character, length }: FenceMark): boolean {
  const [, marks = ''] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line.endsWith('\n') ? line.slice(0, -1) : line) ?? [];
  return marks.startsWith(character) && marks.length >= length;
}

/** The line without as many columns of leading space as the fence itself has; a tab cut in two leaves spaces. */
export function unindented(line: string, indent: number): string {
  let at = 0;
  let column = 0;
  while (column < indent && (line[at] === ' ' || line[at] === '\t')) {
    column += line[at] === '\t' ? 4 - (column % 4) : 1;
    at += 1;
  }
  return ' '.repeat(Math.max(0, column - indent)) + line.slice(at);
}

/** How many fences an answer has. Counted without the parser, which is not loaded before an answer is drawn. */
export function countFences(markdown: string): number {
  return readFences(markdown).count;
}

/** Whether the last fence of an answer was never closed: what is in it may be half of it. */
export function endsInFence(markdown: string): boolean {
  return readFences(markdown).isOpen;
}

function readFences(markdown: string): { readonly count: number; readonly isOpen: boolean } {
  let count = 0;
  let open: FenceMark | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    // A fence in a list is indented with its item.
    const text = line.trimStart();
    if (open !== undefined) {
      if (isClosing(text, open)) open = undefined;
    } else if (/^(`{3,}[^`]*|~{3,}.*)$/.test(text)) {
      open = fenceMark(text);
      count += 1;
    }
  }
  return { count, isOpen: open !== undefined };
}
