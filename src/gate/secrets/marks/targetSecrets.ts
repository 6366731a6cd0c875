import { maskInRounds } from '../maskInRounds.ts';
import type { SecretScanner } from '../secretScanner.ts';
import type { SecretSpan } from '../span.ts';
import { tagOf } from './tags.ts';

/** A secret of the document that is to be changed. Held only while there is a proposal for it. */
export interface TargetSecret {
  readonly rule: string;
  readonly tag: string;
  readonly text: string;
}

/** A text that was sent, and its known secrets. */
export interface Part {
  readonly text: string;
  readonly marks: readonly SecretSpan[];
}

/**
 * Returns the distinct secrets of a document as they are masked on sending: as a whole, or in parts, with the portion of a
 * secret in each part. For the whole, the marks come from its scan. Line breaks are `\n`.
 */
export async function secretsOf(
  whole: Part,
  parts: readonly Part[],
  scanner: SecretScanner,
): Promise<readonly TargetSecret[]> {
  const found = new Map<string, TargetSecret>();
  for (const { text, marks } of [...(whole.marks.length === 0 ? [] : [whole]), ...parts]) {
    await maskInRounds(text, { known: marks }, scanner, (spans, masked) => {
      for (const { rule, start, end } of spans) {
        const secret = masked.slice(start, end).replace(/\r\n?/g, '\n');
        if (!found.has(secret)) found.set(secret, { rule, tag: tagOf(secret), text: secret });
      }
    });
  }
  return [...found.values()];
}
