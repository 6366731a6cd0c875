import type { SecretSpan } from '../../gate/secrets/span.ts';
import { ServiceError } from '../../util/errors.ts';
import type { FoundSecret } from './confirmation.ts';
import type { SecretScanner } from './secretScanner.ts';

export interface ExaminedText {
  readonly masked: string;
  readonly found: readonly FoundSecret[];
}

export interface ExaminedPlace {
  /** What a secret is said to be found in; null for the user’s own words. */
  readonly where: string | null;
  readonly firstLine?: number;
  /** What a scan of the whole document found in the text; absent where there is no document. */
  readonly marks?: readonly SecretSpan[] | undefined;
}

/** What was masked may have hidden another beside it, and that one a third. No text that anybody writes needs more. */
const mostRounds = 8;

/** Masks a text until nothing is found in it. Throws a ServiceError where that has no end. */
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
    // Lines stay where they are.
    found.push(...spans.map(({ rule, line }) => ({ rule, where, line: firstLine + line - 1 })));
    masked = scanner.maskText(masked, spans);
  }
  throw new ServiceError('gate', 'Masking did not come to an end.', {
    code: 'masking-endless',
    ...(where === null ? {} : { file: where }),
  });
}
