// Lines of the log of earlier versions: each has an HMAC of itself and of the line before. They are read, never written.
import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { maxWord } from '../../../protocol/audit/auditRequest.ts';

/** The `prev` of a session's first line. */
export const chainStart = '0'.repeat(64);

const tail = /,"mac":"([0-9a-f]{64})"\}$/;

/** The HMAC-SHA256 in hexadecimal. `latin1` for a line that was read with that encoding. */
export function macOf(text: string, key: Uint8Array, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return createHmac('sha256', key).update(text, encoding).digest('hex');
}

/**
 * Returns the text that a line's mac covers, which is the line without its last field, and that mac; null if the line
 * does not have this format.
 */
export function splitLine(line: string): { readonly text: string; readonly mac: string } | null {
  const found = tail.exec(line);
  return found?.[1] === undefined ? null : { text: `${line.slice(0, found.index)}}`, mac: found[1] };
}

const word = z.string().check(z.maxLength(maxWord));
const linkSchema = z.object({ seq: z.number(), session: word, prev: word });

type HmacLink = z.infer<typeof linkSchema>;

/** Returns the fields that link a line to the previous one: verify needs no others for kinds from later versions. */
export function safeParseLink(line: string): HmacLink | null {
  try {
    const parsed = linkSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
