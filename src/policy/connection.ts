import type { Allowed } from './allowed.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { resolveSetting } from './resolveSetting.ts';

/** The address in use. A key belongs to one name and one exact origin. */
export interface Connection {
  /** null for svc.baseUrl itself. */
  readonly name: string | null;
  /** No trailing slash. */
  readonly baseUrl: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

export type ConnectionResolution =
  | { readonly ok: true; readonly connection: Connection }
  /** No address is set yet: a setup step, not an error. */
  | { readonly ok: false; readonly unset: true; readonly problems: readonly [] }
  | { readonly ok: false; readonly unset: false; readonly problems: readonly PolicyProblem[] };

/** Returns the address for requests: svc.connection selects one of svc.connections, otherwise it is svc.baseUrl. */
export function resolveConnection(layers: readonly Layer[]): ConnectionResolution {
  const chosen = resolveSetting(layers, 'svc.connection');
  const listed = resolveSetting(layers, 'svc.connections');
  const plain = resolveSetting(layers, 'svc.baseUrl');
  const problems = [chosen, listed, plain].flatMap((read) => (read.ok ? [] : [read.problem]));
  if (!chosen.ok || !listed.ok || !plain.ok) return { ok: false, unset: false, problems };

  const connections = (listed.value ?? []) as readonly { readonly name: string; readonly baseUrl: string }[];
  if (typeof chosen.value !== 'string' || chosen.value === '') {
    const raw = String(plain.value ?? '').trim();
    if (raw === '') return { ok: false, unset: true, problems: [] };
    return addressOf(null, raw, 'svc.baseUrl');
  }
  const named = connections.find(({ name }) => name === chosen.value);
  if (named !== undefined) return addressOf(named.name, named.baseUrl.trim(), 'svc.connections');
  const found = layers
    .filter((layer) => readValue('svc.connection', layer.values['svc.connection']).is === 'value')
    .map(({ layer, name, values }) => ({
      layer,
      ...(name === undefined ? {} : { name }),
      value: showValue(values['svc.connection']),
    }));
  const allowed: Allowed = { kind: 'oneOf', values: connections.map(({ name }) => name), orNull: true };
  return {
    ok: false,
    unset: false,
    problems: [{ reason: 'unknown-connection', key: 'svc.connection', found, allowed }],
  };
}

function addressOf(name: string | null, raw: string, key: 'svc.baseUrl' | 'svc.connections'): ConnectionResolution {
  const url = parseBaseUrl(raw);
  if (url !== null) return { ok: true, connection: { name, baseUrl: url.baseUrl, origin: url.origin } };
  // Not the raw value: an address may hold a password.
  const value = showValue(name ?? withoutPassword(raw));
  return {
    ok: false,
    unset: false,
    problems: [{ reason: 'invalid', key, found: [{ layer: 'user', value }], allowed: { kind: 'baseUrl' } }],
  };
}

/**
 * The address that a user means by what they typed or pasted: `svc.example.com` as well as the whole URL, or the URL of
 * one of its endpoints. Adds `https://` (`http://` for this machine) and `/api/v1` where they are missing.
 */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  const isOnThisMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/.test(text);
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${isOnThisMachine ? 'http' : 'https'}://${text}`;
  const base = withoutSlashesAtEnd(address).replace(
    /(\/api\/v1)\/(?:chat\/completions|models|health|auth\/token)$/,
    '$1',
  );
  return base.endsWith('/api/v1') || /[?#]/.test(base) ? base : `${base}/api/v1`;
}

function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** Parses the address of a service; returns null if a key may not be sent to it. */
export function parseBaseUrl(raw: string): { readonly baseUrl: string; readonly origin: string } | null {
  if (!URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (!isKeyOrigin(url)) return null;
  if (url.username !== '' || url.password !== '' || raw.includes('?') || raw.includes('#')) return null;
  const path = withoutSlashesAtEnd(url.pathname);
  if (!path.endsWith('/api/v1')) return null;
  return { baseUrl: url.origin + path, origin: url.origin };
}

/** Whether a key may be sent there: only encrypted, or within this machine. */
export function isKeyOrigin({ protocol, hostname }: URL): boolean {
  const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

function withoutPassword(raw: string): string {
  return raw.replace(/\/\/[^/]*@/, '//…@');
}
