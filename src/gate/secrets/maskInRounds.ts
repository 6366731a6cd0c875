import type { FoundSpan, ScanOptions, SecretScanner } from './secretScanner.ts';

/** The number of exact rounds: a masked secret may have hidden an adjacent one. No realistic text needs more. */
const exactRounds = 4;
/** The maximum number of rounds. From the fifth one on, the whole word that contains a secret is masked. */
const maxRounds = 8;

const wordCharacter = /[\w.~+/=-]/;

/**
 * Masks a text until a scan finds nothing, and returns it, or null if that does not terminate. `onFound` gets the secrets of
 * each round, and the text they are in. `known` are spans of the given text.
 */
export async function maskInRounds(
  text: string,
  { isFragment = false, known = [] }: ScanOptions,
  scanner: SecretScanner,
  onFound: (spans: readonly FoundSpan[], text: string) => void,
  signal?: AbortSignal,
): Promise<string | null> {
  let masked = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const found = await scanner.scanText(masked, { isFragment, known: round === 0 ? known : [] }, signal);
    if (found.length === 0) return masked;
    const spans = round < exactRounds ? found : [...wholeWords(masked, found)];
    onFound(spans, masked);
    masked = await scanner.maskText(masked, spans, signal);
  }
  return null;
}

/**
 * Widens each secret to the word it is in, up to the next secret. In a chain without gaps, where each secret is found only after
 * its neighbor was masked, this ends the chain immediately.
 */
function* wholeWords(text: string, spans: readonly FoundSpan[]): Generator<FoundSpan> {
  let last = 0;
  for (const [index, span] of spans.entries()) {
    let { start, end } = span;
    const next = spans[index + 1]?.start ?? text.length;
    while (start > last && wordCharacter.test(text.charAt(start - 1))) start -= 1;
    while (end < next && wordCharacter.test(text.charAt(end))) end += 1;
    last = end;
    yield { ...span, start, end };
  }
}
