import type { Connection } from '../../policy/connection.ts';
import { ServiceError } from '../../util/errors.ts';
import type { DispatchParts } from './dispatchParts.ts';

/** The stored key. Throws a ServiceError (`auth`, code `no-key`) if there is none for this exact origin. */
export async function keyFor(parts: Pick<DispatchParts, 'apiKey'>, connection: Connection): Promise<string> {
  const apiKey = await parts.apiKey(connection);
  if (apiKey === undefined) throw new ServiceError('auth', 'No key is stored for this address.', { code: 'no-key' });
  return apiKey;
}
