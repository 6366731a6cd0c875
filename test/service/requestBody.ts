import type { IncomingMessage } from 'node:http';

export interface RequestBody {
  /** The body up to the limit. */
  readonly text: string;
  readonly isTooLarge: boolean;
}

/**
 * Reads a body to its end even if it exceeds the limit. An earlier answer would close the socket while the client still
 * writes, which would then see a reset instead of the 413. Rejects when the client disconnects.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<RequestBody> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= limit) parts.push(part);
  }
  return { text: Buffer.concat(parts).toString('utf8'), isTooLarge: size > limit };
}

export function safeParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
