import type { SecretSpan } from '../../gate/secrets/span.ts';

const scanner = () => import('../../gate/secrets/scanner.ts');

/** The secrets in the whole of a text. */
export async function marksOf(text: string): Promise<readonly SecretSpan[]> {
  const { scanText } = await scanner();
  return (await scanText(text)).map(({ rule, start, end }) => ({ rule, start, end }));
}
