import { abortedError } from '../../util/errors.ts';
import { type ClientParts, filterFor, readWhole, sendOnce } from '../call.ts';
import { fromTransportError } from '../serviceError.ts';
import { Watchdog } from '../timeouts.ts';
import { policyRequest } from '../wireRequest.ts';

/**
 * Fetches the policy that an administrator delivers, once. No key is sent, and no redirect is followed. Throws a ServiceError.
 */
export async function fetchPolicy(parts: ClientParts, url: string, signal: AbortSignal): Promise<string> {
  const watchdog = new Watchdog(signal);
  watchdog.start('check', parts.limits.checkMs);
  try {
    const response = await sendOnce(
      parts,
      policyRequest(url, parts.userAgent),
      '',
      await filterFor(parts, ''),
      watchdog,
    );
    try {
      return await readWhole(response);
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
