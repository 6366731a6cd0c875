import { type Block, blocksIn } from './fences.ts';

/** What there is in a complete answer that was asked for as code alone. */
export type AnswerCode =
  /** The code of each place, in order, as the answer means it. Each ends with one line end, or is empty. */
  | { readonly is: 'code'; readonly codes: readonly string[] }
  /** The answer ends inside a block: there is more to come, or was. */
  | { readonly is: 'open' }
  | { readonly is: 'none' }
  /** Which block is for which place cannot be told. */
  | { readonly is: 'unclear'; readonly blocks: number };

/**
 * Reads a complete answer: one fenced block for each of `count` places, in order; for one place also the whole text,
 * where the model left the fence out. Blocks are those of CommonMark, or the outermost ones where only these are as many
 * as asked for. Code that might be only a part of what was meant is never taken.
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

/** The code of each of `count` places as far as it has come, to be shown while more comes; empty where there is none yet. */
export function codesSoFar(answer: string, count: number): readonly string[] {
  const blocks = blocksIn(answer, true);
  if (blocks.length === 0 && count === 1) return [withLineEnd(answer)];
  return Array.from({ length: count }, (_, index) => withLineEnd(blocks[index]?.code ?? ''));
}

function withLineEnd(code: string): string {
  const text = code.replace(/^(\s*\n)+/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}

/** Why an answer ended before it was complete; null where it was not cut off. `finishReason` is the service's word. */
export function whyCut(finishReason: string | undefined): 'length' | 'filter' | null {
  if (/^(length|max_(output_)?tokens)$/i.test(finishReason ?? '')) return 'length';
  return /filter|safety/i.test(finishReason ?? '') ? 'filter' : null;
}
