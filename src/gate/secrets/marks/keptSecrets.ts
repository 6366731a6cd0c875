import { isPauseDue, pause } from '../pace.ts';
import type { SecretSpan } from '../span.ts';
import { SecretIndex } from './secretIndex.ts';
import type { Part } from './targetSecrets.ts';

/** The minimum length of a piece of a secret: shorter ones tell nothing, and are often part of other text. */
const minPiece = 6;

/** Returns the lines of a secret, without the short ones. */
export function piecesOf(secret: string): readonly string[] {
  return secret.split(/\r\n|\r|\n/).filter(({ length }) => length >= minPiece);
}

/**
 * Finds the secrets of a text in another one that was made from it or is about it, in order and without overlaps. A scan may not
 * find them there: the name or the line by which they were recognized can be gone.
 */
export async function keptSecrets({ text, marks }: Part, other: string): Promise<readonly SecretSpan[]> {
  const rules = new Map(
    marks.flatMap(({ rule, start, end }) => piecesOf(text.slice(start, end)).map((piece) => [piece, rule] as const)),
  );
  if (rules.size === 0) return [];
  const index = new SecretIndex([...rules], ([piece]) => piece);
  const found: SecretSpan[] = [];
  for (let start = 0; start < other.length; start += 1) {
    for (const [piece, rule] of index.at(other, start)) {
      const end = start + piece.length;
      const last = found.at(-1);
      if (last === undefined || start >= last.end) found.push({ rule, start, end });
      else if (end > last.end) found[found.length - 1] = { ...last, end };
    }
    if (start % 1024 === 0 && isPauseDue()) await pause();
  }
  return found;
}
