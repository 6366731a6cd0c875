import { ServiceError } from '../../util/errors.ts';
import { maskInRounds } from './maskInRounds.ts';
import type { SecretScanner } from './secretScanner.ts';
import type { SecretSpan } from './span.ts';

/** A secret that was found in a request. Does not contain the secret itself. */
export interface FoundSecret {
  /** The name of the rule, such as `aws-access-key`. */
  readonly rule: string;
  /** The attachment that contains the secret; null for the user's own text. */
  readonly where: string | null;
  /** The line, counted from 1, in the file if there is one. */
  readonly line: number;
}

interface ExaminedText {
  readonly masked: string;
  readonly found: readonly FoundSecret[];
}

interface ExaminedPlace {
  /** The reported place of a secret; null for the user’s own text. */
  readonly where: string | null;
  readonly firstLine?: number;
  /** Secrets that a scan of the whole document found in the text; undefined if there is no document. */
  readonly marks?: readonly SecretSpan[] | undefined;
  /** Whether the text may be part of a key that begins or ends elsewhere. True by default if there is no document. */
  readonly isFragment?: boolean;
}

/** Masks a text until a scan finds nothing. Throws a ServiceError if that does not terminate. */
export async function examineText(
  text: string,
  { where, firstLine = 1, marks, isFragment = marks === undefined }: ExaminedPlace,
  scanner: SecretScanner,
  signal?: AbortSignal,
): Promise<ExaminedText> {
  const found: FoundSecret[] = [];
  const masked = await maskInRounds(
    text,
    { isFragment, known: marks ?? [] },
    scanner,
    // Masking keeps line numbers.
    (spans) => {
      for (const { rule, line } of spans) found.push({ rule, where, line: firstLine + line - 1 });
    },
    signal,
  );
  if (masked !== null) return { masked, found };
  throw new ServiceError('gate', 'Masking did not come to an end.', {
    code: 'masking-endless',
    ...(where === null ? {} : { file: where }),
  });
}
