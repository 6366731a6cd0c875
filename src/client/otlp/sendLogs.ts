import * as z from 'zod/mini';
import { abortedError, ServiceError } from '../../util/errors.ts';
import { readJson } from '../answer/readJson.ts';
import { keyFilter } from '../answer/withoutKey.ts';
import { type ClientParts, readWhole, sendOnce } from '../call.ts';
import { fromTransportError } from '../serviceError.ts';
import { Watchdog } from '../timeouts.ts';
import { logsRequest } from '../wireRequest.ts';

/** Where logs go. */
export interface Collector {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface LogsTaken {
  /** The number of records that the collector did not take, and will not take if they are sent again. */
  readonly rejected: number;
}

/**
 * Sends logs once; no redirect is followed, and no key is sent. Resolves when the collector has taken them. Throws a
 * ServiceError.
 */
export async function sendLogs(
  parts: ClientParts,
  { url, headers = {} }: Collector,
  body: string,
  signal: AbortSignal,
): Promise<LogsTaken> {
  const watchdog = new Watchdog(signal);
  watchdog.start('check', parts.limits.checkMs);
  try {
    const request = logsRequest(url, headers, body, parts.userAgent);
    // The collector may quote a token of its own, with or without the word before it.
    const tokens = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
    const filter = keyFilter([...new Set([...tokens, ...(await parts.storedKeys())])]);
    const response = await sendOnce(parts, request, '', filter, watchdog);
    try {
      return { rejected: rejectedIn(await readWhole(response)) };
    } finally {
      response.destroy();
    }
  } catch (error) {
    const failure = fromTransportError(error);
    throw signal.aborted ? abortedError() : failure;
  } finally {
    watchdog.dispose();
  }
}

const answer = z.object({
  partialSuccess: z.optional(
    z.nullable(z.object({ rejectedLogRecords: z.optional(z.union([z.string(), z.number()])) })),
  ),
});

/**
 * Some collectors answer nothing (204). Anything else but the answer of the protocol, such as a page of a gateway, does
 * not say that the logs were taken.
 */
function rejectedIn(text: string): number {
  if (text.trim() === '') return 0;
  const parsed = answer.safeParse(readJson(text));
  if (!parsed.success) throw new ServiceError('protocol', 'The collector answered no JSON.', { code: 'malformed' });
  const count = Number(parsed.data.partialSuccess?.rejectedLogRecords ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
