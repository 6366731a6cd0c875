import type { Work } from './wildmatch.ts';

/** The number of codes of pairs. Two pairs may share a code. */
const codes = 1_024;

/** The code of two adjacent bytes. */
function codeOf(first: number, second: number): number {
  return (first * 31 + second) % codes;
}

/**
 * Returns the codes of the adjacent bytes that every match of a pattern with wildcards contains. They reject most paths in a
 * hundredth of the time of wildmatch(), so that tens of thousands of patterns can be tried for each name.
 */
export function neededPairs(foldedPattern: string): readonly number[] {
  const odd = foldedPattern.search(/[[\\]/);
  const plain = odd < 0 ? foldedPattern : foldedPattern.slice(0, odd);
  const pairs: number[] = [];
  // The slash after `**` is not needed: `**/` may match no folder.
  for (const part of plain.split(/\*{2,}\/?|[*?]/)) {
    for (let at = 1; at < part.length; at += 1) pairs.push(codeOf(part.charCodeAt(at - 1), part.charCodeAt(at)));
  }
  return [...new Set(pairs)];
}

/** The pairs of adjacent bytes of a name or path in lower case. */
export class Pairs {
  readonly #folded: string;
  #has: Uint8Array | null = null;

  constructor(folded: string) {
    this.#folded = folded;
  }

  /** Whether all needed pairs may be in the text; if not, the pattern does not match. */
  mayHave(needed: readonly number[], work: Work): boolean {
    if (needed.length === 0) return true;
    this.#has ??= flagsOf(this.#folded);
    let at = 0;
    while (at < needed.length && this.#has[needed[at] ?? 0] === 1) at += 1;
    work.left -= at >> 3;
    return at === needed.length;
  }
}

function flagsOf(text: string): Uint8Array {
  const flags = new Uint8Array(codes);
  for (let at = 1; at < text.length; at += 1) flags[codeOf(text.charCodeAt(at - 1), text.charCodeAt(at))] = 1;
  return flags;
}
