import type { SecretSpan } from '../../gate/secrets/span.ts';
import { ServiceError } from '../../util/errors.ts';
import type { FoundSecret } from './confirmation.ts';
import type { SecretScanner } from './secretScanner.ts';

export interface ExaminedText {
  readonly masked: string;
  readonly found: readonly FoundSecret[];
}

export interface ExaminedPlace {
  /** The reported place of a secret; null for the user’s own text. */
  readonly where: string | null;
  readonly firstLine?: number;
  /** Secrets that a scan of the whole document found in the text; absent if there is no document. */
  readonly marks?: readonly SecretSpan[] | undefined;
}

/** A masked secret may have hidden an adjacent one, and that one a third. No realistic text needs more rounds. */
const mostRounds = 8;

/** Masks a text until a scan finds nothing. Throws a ServiceError if that does not terminate. */
export async function examineText(
  text: string,
  { where, firstLine = 1, marks }: ExaminedPlace,
  scanner: SecretScanner,
  signal?: AbortSignal,
): Promise<ExaminedText> {
  let masked = text;
  const found: FoundSecret[] = [];
  const isFragment = marks === undefined;
  for (let round = 0; round < mostRounds; round += 1) {
    const known = round === 0 ? (marks ?? []) : [];
    const spans = await scanner.scanText(masked, { isFragment, known }, signal);
    if (spans.length === 0) return { masked, found };
    // Masking keeps line numbers.
    found.push(...spans.map(({ rule, line }) => ({ rule, where, line: firstLine + line - 1 })));
    masked = scanner.maskText(masked, spans);
  }
  throw new ServiceError('gate', 'Masking did not come to an end.', {
    code: 'masking-endless',
    ...(where === null ? {} : { file: where }),
  });
}
