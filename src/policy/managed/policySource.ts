import { mayReceiveKey } from '../origin.ts';
import { listOf, objectIn, unknownKey, wrong } from './fileValues.ts';

/** The address that delivers a policy for many machines. */
export interface PolicySource {
  readonly url: string;
  /** The keys of which one must have signed it, as `<name>+<key id>+<key>` of a signed note. */
  readonly publicKeys: readonly string[];
}

const keys = ['url', 'publicKeys'];

export function policySourceIn(value: unknown, where: string): PolicySource {
  const { url, publicKeys, ...others } = objectIn(value, where);
  for (const name of Object.keys(others)) throw unknownKey(`${where}.${name}`, keys);
  if (typeof url !== 'string' || !isSource(url)) throw wrong(`${where}.url`, url, { kind: 'policyUrl' });
  return { url, publicKeys: listOf(publicKeyIn)(publicKeys, `${where}.publicKeys`) };
}

/** Whether a URL follows the rules for the service's address: HTTPS, or HTTP to this machine; no user or fragment. */
function isSource(text: string): boolean {
  if (!URL.canParse(text) || text.length > 2_000 || /[#\s\p{Cc}]/u.test(text)) return false;
  const url = new URL(text);
  return mayReceiveKey(url) && url.username === '' && url.password === '';
}

function publicKeyIn(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[^\s+]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/=]{44}$/.test(value)) return value;
  throw wrong(where, value, { kind: 'publicKey' });
}
