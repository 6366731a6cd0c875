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

/** An open fence, which reads its lines up to the one that closes it. */
export class OpenFence {
  readonly mark: FenceMark;
  /** Whether its code is Markdown: a fence with a language opens another one inside, although CommonMark reads it as code. */
  readonly isDocument: boolean;
  /** Whether a fence was inside. If this one has no end then, it was probably meant as CommonMark reads it. */
  hasInner = false;
  readonly #inner: FenceMark[] = [];

  /** @param opening the text from the opening fence on. */
  constructor(opening: string) {
    this.mark = fenceMark(opening);
    this.isDocument = /^ {0,3}(?:`{3,}|~{3,})[ \t]*(?:md|markdown|mdx)\b[^`\n]*(?:\n|$)/i.test(opening);
  }

  /** Whether this line, which follows those before it, closes the fence. */
  isClosedBy(line: string): boolean {
    if (isClosing(line, this.#inner.at(-1) ?? this.mark)) return this.#inner.pop() === undefined;
    if (!this.isDocument || !/^ {0,3}(?:`{3,}(?!.*`)|~{3,}(?!~))[ \t]*\S/.test(line)) return false;
    const inner = fenceMark(line);
    if (inner.character === this.mark.character && inner.length >= this.mark.length) {
      this.#inner.push(inner);
      this.hasInner = true;
    }
    return false;
  }
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

function readFences(markdown: string, isPlain = false): { readonly count: number; readonly isOpen: boolean } {
  let count = 0;
  let open: OpenFence | undefined;
  for (const line of markdown.split(/\r\n?|\n/)) {
    // A fence in a list is indented like its item.
    const text = line.trimStart();
    if (open !== undefined) {
      if (isPlain ? isClosing(text, open.mark) : open.isClosedBy(text)) open = undefined;
    } else if (/^(`{3,}[^`]*|~{3,}.*)$/s.test(text)) {
      open = new OpenFence(text);
      count += 1;
    }
  }
  if (open?.hasInner) return readFences(markdown, true);
  return { count, isOpen: open !== undefined };
}
