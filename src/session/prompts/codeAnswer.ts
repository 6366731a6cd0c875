import { type Block, blocksIn } from './fences.ts';

/** The content of a complete answer to a request for code only. */
type AnswerCode =
  /** The code for each place, in order. Each ends with one line end, or is empty. */
  | { readonly is: 'code'; readonly codes: readonly string[] }
  /** The answer ends inside a block: the end of the code is missing. */
  | { readonly is: 'open' }
  | { readonly is: 'none' }
  /** The blocks cannot be assigned to the places. */
  | { readonly is: 'unclear'; readonly blocks: number };

/**
 * Reads a complete answer: one fenced block for each of `count` places, in order; for one place also the whole text, if
 * the model omitted the fence. Blocks are those of CommonMark, or the outermost ones if only their number matches. Code
 * that may be incomplete is never accepted.
 */
export function readCode(answer: string, count: number): AnswerCode {
  const plain = blocksIn(answer);
  if (plain.length === 0) {
    const code = withLineEnd(answer);
    return code === '' ? { is: 'none' } : count === 1 ? { is: 'code', codes: [code] } : { is: 'unclear', blocks: 0 };
  }
  const nested = blocksIn(answer, true);
  const isSame = plain.length === nested.length && plain.every(({ end }, index) => end === nested[index]?.end);
  const isAsAsked = (blocks: readonly Block[]): boolean =>
    blocks.length === count && blocks.every(({ isClosed }) => isClosed);
  if (isAsAsked(nested) && (isSame || !isAsAsked(plain))) {
    const codes = nested.map(({ code }) => withLineEnd(code));
    return codes.every((code) => code === '') ? { is: 'none' } : { is: 'code', codes };
  }
  const isOpen = nested.at(-1)?.isClosed === false && nested.length <= count;
  return isOpen ? { is: 'open' } : { is: 'unclear', blocks: nested.length };
}

/** The code for each of `count` places as far as it has arrived, for display; empty if there is none yet. */
export function codesSoFar(answer: string, count: number): readonly string[] {
  const blocks = blocksIn(answer, true);
  if (blocks.length === 0 && count === 1) return [withLineEnd(answer)];
  return Array.from({ length: count }, (_, index) => withLineEnd(blocks[index]?.code ?? ''));
}

function withLineEnd(code: string): string {
  const text = code.replace(/^(\s*\n)+/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}
