import * as z from 'zod/mini';
import { ServiceError } from '../../util/errors.ts';
import { readJson } from '../answer/readJson.ts';
import { keyFilter } from '../answer/withoutKey.ts';
import { type ClientParts, sendWithoutKey } from '../call.ts';
import { logsRequest } from '../wireRequest.ts';

/** The OTLP endpoint that receives the logs. */
export interface Collector {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface LogsAccepted {
  /** The number of records that the collector rejected permanently; sending them again does not help. */
  readonly rejected: number;
}

/**
 * Sends logs once; no redirect is followed, and the service key is not sent. Resolves when the collector has accepted them.
 * Throws a ServiceError.
 */
export async function sendLogs(
  parts: ClientParts,
  { url, headers = {} }: Collector,
  body: string,
  signal: AbortSignal,
): Promise<LogsAccepted> {
  // An error response may quote a token from these headers, with or without its scheme (such as `Bearer`).
  const tokens = Object.values(headers).flatMap((value) => [value, ...value.split(' ')]);
  const makeFilter = async () => keyFilter([...new Set([...tokens, ...(await parts.storedKeys())])]);
  const request = logsRequest(url, headers, body, parts.userAgent);
  return { rejected: rejectedIn(await sendWithoutKey(parts, request, makeFilter, signal)) };
}

const answer = z.object({
  partialSuccess: z.optional(
    z.nullable(z.object({ rejectedLogRecords: z.optional(z.union([z.string(), z.number()])) })),
  ),
});

/**
 * The number of rejected records. Some collectors answer with an empty body (204). Any other body that is not an OTLP
 * response, such as a gateway's error page, does not confirm that the logs were accepted.
 */
function rejectedIn(text: string): number {
  if (text.trim() === '') return 0;
  const parsed = answer.safeParse(readJson(text));
  if (!parsed.success)
    throw new ServiceError('protocol', "The collector's response is not JSON.", { code: 'malformed' });
  const count = Number(parsed.data.partialSuccess?.rejectedLogRecords ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
