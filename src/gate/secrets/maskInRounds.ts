import type { FoundSpan, ScanOptions, SecretScanner } from './secretScanner.ts';

/** A masked secret may have hidden an adjacent one, and that one a third. No realistic text needs more rounds. */
const mostRounds = 8;

/**
 * Masks a text until a scan finds nothing, and returns it; null if that does not terminate. `onFound` gets the secrets
 * of each round, and the text they are in. `known` are spans of the given text.
 */
export async function maskInRounds(
  text: string,
  { isFragment = false, known = [] }: ScanOptions,
  scanner: SecretScanner,
  onFound: (spans: readonly FoundSpan[], text: string) => void,
  signal?: AbortSignal,
): Promise<string | null> {
  let masked = text;
  for (let round = 0; round < mostRounds; round += 1) {
    const spans = await scanner.scanText(masked, { isFragment, known: round === 0 ? known : [] }, signal);
    if (spans.length === 0) return masked;
    onFound(spans, masked);
    masked = scanner.maskText(masked, spans);
  }
  return null;
}
