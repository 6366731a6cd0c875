/** A fenced code block of a Markdown text. */
export interface Block {
  /** The text after the opening fence: usually the language. */
  readonly info: string;
  /** The lines between the fences, with their line endings. */
  readonly code: string;
  /** The beginning of the line of its opening fence, as a UTF-16 offset. */
  readonly start: number;
  /** The end of its closing fence, as a UTF-16 offset; the end of the text if there is none. */
  readonly end: number;
  readonly isClosed: boolean;
}

interface Fence {
  readonly mark: string;
  readonly indent: number;
  readonly info: string;
}

/**
 * The fenced blocks of a text, by the rules of CommonMark: a fence is closed by one of the same character that is at
 * least as long, has no info string, and is indented by less than four columns. Unlike in CommonMark, a fence that is
 * indented further also opens a block, because it may be in a list. With `isNested`, a fence with an info string inside
 * a block, which is code in CommonMark, opens a nested block, and only the outermost blocks are returned. This is what
 * a model means if it puts a README into a fence that is no longer than the fences inside the README.
 */
export function blocksIn(text: string, isNested = false): readonly Block[] {
  const blocks: Block[] = [];
  let open: { readonly fence: Fence; readonly at: number; readonly start: number; readonly inner: Fence[] } | undefined;
  for (const { line, start, end, next } of linesIn(text)) {
    const fence = fenceOf(line);
    if (fence === null) continue;
    if (open === undefined) {
      if (isOpening(fence)) open = { fence, at: start, start: next, inner: [] };
      continue;
    }
    const around = open.inner.at(-1) ?? open.fence;
    if (isClosing(fence, around)) {
      if (open.inner.pop() !== undefined) continue;
      const code = withoutIndent(text.slice(open.start, start), open.fence.indent);
      blocks.push({ info: open.fence.info, code, start: open.at, end, isClosed: true });
      open = undefined;
    } else if (isNested && fence.info !== '' && isOpening(fence) && couldClose(fence, open.fence)) {
      open.inner.push(fence);
    }
  }
  if (open !== undefined) {
    const code = withoutIndent(text.slice(open.start), open.fence.indent);
    blocks.push({ info: open.fence.info, code, start: open.at, end: text.length, isClosed: false });
  }
  return blocks;
}

function* linesIn(text: string) {
  for (const { 0: whole, 1: line = '', index } of text.matchAll(/([^\r\n]*)(\r\n|\r|\n|$)/g)) {
    if (whole === '' && index > 0 && !/[\r\n]/.test(text[index - 1] ?? '')) continue;
    yield { line, start: index, end: index + line.length, next: index + whole.length };
  }
}

function fenceOf(line: string): Fence | null {
  const [, blank = '', mark = '', rest = ''] = /^([ \t]*)(`{3,}|~{3,})(.*)$/s.exec(line) ?? [];
  return mark === '' ? null : { mark, indent: columnsOf(blank), info: rest.trim() };
}

/** The width of an indentation in columns. A tab advances to the next multiple of four. */
function columnsOf(blank: string): number {
  return [...blank].reduce((column, each) => (each === '\t' ? column + 4 - (column % 4) : column + 1), 0);
}

function isOpening({ mark, info }: Fence): boolean {
  return mark.startsWith('~') || !info.includes('`');
}

function isClosing(fence: Fence, open: Fence): boolean {
  return fence.info === '' && couldClose(fence, open);
}

/** Like isClosing(), but ignores the info string. */
function couldClose({ mark, indent }: Fence, open: Fence): boolean {
  return mark.startsWith(open.mark) && indent < (open.indent < 4 ? 4 : open.indent + 4);
}

/** Removes the indentation of the fence from the lines of its block. */
function withoutIndent(code: string, indent: number): string {
  return indent === 0 ? code : code.replace(new RegExp(`^ {1,${indent}}`, 'gm'), '');
}
