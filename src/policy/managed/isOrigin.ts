import { mayReceiveKey } from '../origin.ts';

/** Whether a value is the origin of an address that a key may be sent to, written exactly so. */
export function isOrigin(value: unknown): value is string {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  return url !== null && mayReceiveKey(url) && url.origin === value;
}
