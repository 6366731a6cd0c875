import { hash } from 'node:crypto';
import { KeptScans } from '../../gate/secrets/keptScans.ts';
import { keptSecrets } from '../../gate/secrets/marks/keptSecrets.ts';
import type { SecretSpan } from '../../gate/secrets/span.ts';

const scanner = () => import('../../gate/secrets/scanner.ts');

/** A cache, because each keystroke may scan the same document several times, and a request scans all attachments. */
const cache = new KeptScans({ texts: 200, spans: 20_000 });

/** Returns the secrets in a text. A fragment may contain a part of a key that begins or ends outside it. */
export async function marksOf(text: string, isFragment = false): Promise<readonly SecretSpan[]> {
  return cache.get(`${hash('sha256', text)} ${isFragment}`, async () => {
    const { scanText } = await scanner();
    return (await scanText(text, { isFragment })).map(({ rule, start, end }) => ({ rule, start, end }));
  });
}

/** Returns the secrets of a text that another one has, which is about the text or was made from it. */
export async function secretsOf(text: string, other: string): Promise<readonly SecretSpan[]> {
  return keptSecrets({ text, marks: await marksOf(text) }, other);
}

/** Masks the secrets of a text in another one, such as in the message of a problem, which quotes a value without its name. */
export async function maskedIn(text: string, other: string): Promise<string> {
  const [{ maskText }, secrets] = await Promise.all([scanner(), secretsOf(text, other)]);
  return maskText(other, secrets);
}
