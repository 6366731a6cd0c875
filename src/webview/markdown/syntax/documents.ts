import type { MarkdownIt, StateBlock } from 'markdown-it';
import { OpenFence } from '../fence.ts';

export interface DocumentEnv {
  /** Set by the caller: fences are read as CommonMark reads them. */
  isPlain?: boolean;
  /** Whether a document with fences inside has no end. */
  isOpenDocument?: boolean;
}

/**
 * A fence with Markdown, as models write it: its end is not that of a fence inside it, although the inner one is as long. In
 * CommonMark the outer fence would have to be longer.
 */
export function documents(parser: MarkdownIt): void {
  parser.block.ruler.before('fence', 'document', documentFence);
}

function documentFence(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const env = state.env as DocumentEnv;
  const lineAt = (line: number): string => state.src.slice(state.bMarks[line], state.eMarks[line]);
  const opening = lineAt(start);
  const fence = new OpenFence(opening);
  if (silent || env.isPlain === true || state.level > 0 || !fence.isDocument) return false;
  let line = start + 1;
  while (line < end && !fence.isClosedBy(lineAt(line))) line += 1;
  if (line >= end && fence.hasInner) env.isOpenDocument = true;
  const { indent, length } = fence.mark;
  const token = state.push('fence', 'code', 0);
  token.info = opening.slice(indent + length);
  token.content = state.getLines(start + 1, Math.min(line, end), indent, true);
  token.markup = opening.slice(indent, indent + length);
  state.line = Math.min(line + 1, end);
  token.map = [start, state.line];
  return true;
}
