import { piecesOf } from '../../../gate/secrets/marks/keptSecrets.ts';

/** The maximum number of pieces: each is searched in the whole text. */
const maxPieces = 200;
/** The first character of the private use area, which source files do not use. */
const firstOfPrivate = 0xf0000;

/**
 * Hides the secrets of a file while a place is searched in it. Otherwise the result of a search would tell a model whether a
 * guessed beginning of a secret is right. Line breaks are not hidden.
 */
export class SecretCover {
  readonly #pieces: readonly (readonly [piece: string, cover: string])[];

  constructor(secrets: readonly string[]) {
    // A secret may contain another one.
    const longestFirst = allPieces(secrets).sort((a, b) => b.length - a.length);
    this.#pieces = longestFirst.map((piece, at) => [piece, String.fromCodePoint(firstOfPrivate + at)]);
  }

  hide(text: string): string {
    return this.#pieces.reduce((hidden, [piece, cover]) => hidden.replaceAll(piece, cover), text);
  }

  show(text: string): string {
    return this.#pieces.reduce((shown, [piece, cover]) => shown.replaceAll(cover, () => piece), text);
  }
}

/** Whether a file has so few secrets that they can be hidden in a short time. */
export function canCover(secrets: readonly string[]): boolean {
  return allPieces(secrets).length <= maxPieces;
}

function allPieces(secrets: readonly string[]): string[] {
  return [...new Set(secrets.flatMap(piecesOf))];
}
