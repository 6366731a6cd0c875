import { type ClientParts, filterFor, sendWithoutKey } from '../call.ts';
import { policyRequest } from '../wireRequest.ts';

/**
 * Fetches the policy that an administrator delivers, once. No key is sent, and no redirect is followed. Throws a ServiceError.
 */
export function fetchPolicy(parts: ClientParts, url: string, signal: AbortSignal): Promise<string> {
  return sendWithoutKey(parts, policyRequest(url, parts.userAgent), () => filterFor(parts, ''), signal);
}
