import { maskText as maskTagged } from '../../../src/gate/secrets/scanner.ts';
import type { SecretSpan } from '../../../src/gate/secrets/span.ts';

/** The same text with marks without tags: tags differ from run to run. */
export function untagged(text: string): string {
  return text.replace(/(\[masked: [a-z\d-]+) [a-z2-7]{5}\]/g, '$1]');
}

export async function maskText(text: string, found: readonly SecretSpan[]): Promise<string> {
  return untagged(await maskTagged(text, found));
}
