import type { Allowed } from './allowed.ts';
import type { HelperCommand } from './managed/helperCommand.ts';
import { mayReceiveKey } from './origin.ts';
import { readValue, showValue } from './readValue.ts';
import type { Layer, PolicyProblem } from './requestPolicy.ts';
import { resolveSetting } from './resolveSetting.ts';

/** The address in use. An API key belongs to one connection name and one exact origin. */
export interface Connection {
  /** The name in svc.connections; null for svc.baseUrl itself. */
  readonly name: string | null;
  /** The address without a trailing slash. */
  readonly baseUrl: string;
  /** The scheme, host and port. */
  readonly origin: string;
  /** The program of the user that prints the key. The managed policy can name another source. */
  readonly helper?: HelperCommand;
}

export type ConnectionResolution =
  | { readonly ok: true; readonly connection: Connection }
  /** No address is set yet, which is a setup step and not an error. */
  | { readonly ok: false; readonly unset: true; readonly problems: readonly [] }
  | { readonly ok: false; readonly unset: false; readonly problems: readonly PolicyProblem[] };

/**
 * Returns the address for requests, with the user's program that prints the key: svc.connection selects one of svc.connections,
 * otherwise it is svc.baseUrl.
 */
export function resolveConnection(layers: readonly Layer[]): ConnectionResolution {
  const address = resolveAddress(layers);
  const read = resolveSetting(layers, 'svc.credentialHelper');
  if (!read.ok) return { ok: false, unset: false, problems: [read.problem] };
  const helper = read.value as HelperCommand;
  // The default is an empty object.
  return address.ok && 'command' in helper ? { ok: true, connection: { ...address.connection, helper } } : address;
}

function resolveAddress(layers: readonly Layer[]): ConnectionResolution {
  const selected = resolveSetting(layers, 'svc.connection');
  const connectionsSetting = resolveSetting(layers, 'svc.connections');
  const baseUrlSetting = resolveSetting(layers, 'svc.baseUrl');
  const problems = [selected, connectionsSetting, baseUrlSetting].flatMap((read) => (read.ok ? [] : [read.problem]));
  if (!selected.ok || !connectionsSetting.ok || !baseUrlSetting.ok) return { ok: false, unset: false, problems };

  const connections = (connectionsSetting.value ?? []) as readonly {
    readonly name: string;
    readonly baseUrl: string;
  }[];
  if (typeof selected.value !== 'string' || selected.value === '') {
    const raw = String(baseUrlSetting.value ?? '').trim();
    if (raw === '') return { ok: false, unset: true, problems: [] };
    return addressOf(null, raw, 'svc.baseUrl');
  }
  const connection = connections.find(({ name }) => name === selected.value);
  if (connection !== undefined) return addressOf(connection.name, connection.baseUrl.trim(), 'svc.connections');
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
  // The raw value must not be shown, because an address may contain a password.
  const value = showValue(name ?? withoutPassword(raw));
  return {
    ok: false,
    unset: false,
    problems: [{ reason: 'invalid', key, found: [{ layer: 'user', value }], allowed: { kind: 'baseUrl' } }],
  };
}

/**
 * Completes the address that the user typed or pasted: a host such as `svc.example.com`, the whole URL, or the URL of one of
 * its endpoints. Adds `https://` (`http://` for this machine) and `/api/v1` if they are missing.
 */
export function completeAddress(typed: string): string {
  const text = typed.trim();
  if (text === '') return '';
  const updatesFolderTimes = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$)/.test(text);
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `${updatesFolderTimes ? 'http' : 'https'}://${text}`;
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

/** Parses the address of a service. Returns null if a key must not be sent to it. */
export function parseBaseUrl(raw: string): { readonly baseUrl: string; readonly origin: string } | null {
  if (!URL.canParse(raw)) return null;
  const url = new URL(raw);
  if (!mayReceiveKey(url)) return null;
  if (url.username !== '' || url.password !== '' || raw.includes('?') || raw.includes('#')) return null;
  const path = withoutSlashesAtEnd(url.pathname);
  if (!path.endsWith('/api/v1')) return null;
  return { baseUrl: url.origin + path, origin: url.origin };
}

function withoutPassword(raw: string): string {
  return raw.replace(/\/\/[^/]*@/, '//…@');
}
