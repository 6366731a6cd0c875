import { hash } from 'node:crypto';
import { KeptScans } from '../../gate/secrets/keptScans.ts';
import type { SecretSpan } from '../../gate/secrets/span.ts';

const scanner = () => import('../../gate/secrets/scanner.ts');

/** Each keystroke may ask for the same document several times, and a request for all that is attached. */
const kept = new KeptScans({ texts: 200, spans: 20_000 });

/** The secrets in the whole of a text. */
export async function marksOf(text: string): Promise<readonly SecretSpan[]> {
  return kept.get(hash('sha256', text), async () => {
    const { scanText } = await scanner();
    return (await scanText(text)).map(({ rule, start, end }) => ({ rule, start, end }));
  });
}
