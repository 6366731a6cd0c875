import type { IncomingMessage } from 'node:http';

export interface RequestBody {
  /** As far as it was kept: nothing past the limit is. */
  readonly text: string;
  readonly isTooLarge: boolean;
}

/**
 * Reads a body to its end even when it is past the limit: answering earlier would close the socket under a client
 * that still writes, which would then see a reset instead of the 413. Rejects when the client goes away.
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
