import { BlockList, isIP } from 'node:net';
import { orAborted } from '../../util/orAborted.ts';
import type { NetworkOptions } from './network.ts';

export type Route =
  | { readonly via: 'direct' }
  | { readonly via: 'proxy'; readonly proxy: URL }
  /** No proxy is configured here; the system may have one. */
  | { readonly via: 'system' }
  /** A proxy is configured that we cannot use. Its address may hold a password, so only its host is reported. */
  | { readonly via: 'unusable'; readonly code: 'proxy-scheme' | 'proxy-url'; readonly host: string | undefined };

/**
 * Returns the route to a URL. The order is that of VS Code: loopback addresses bypass the proxy; then http.noProxy applies,
 * or NO_PROXY if that is empty; then http.proxy; then the environment; then the system. VS Code tries https_proxy, then
 * http_proxy, for both kinds of URLs.
 */
export function routeFor(
  url: URL,
  { useProxies, httpProxy, proxyAuthorization, noProxy = [], env = {} }: NetworkOptions,
): Route {
  if (useProxies === false || isLoopback(url)) return { via: 'direct' };
  const configured = noProxy.filter((entry) => entry.trim() !== '');
  const exceptions = configured.length > 0 ? configured : (env.no_proxy || env.NO_PROXY || '').split(/[\s,;]+/);
  if (exceptions.some((entry) => matchesNoProxy(entry, url))) return { via: 'direct' };
  const named = httpProxy?.trim() || env.https_proxy || env.HTTPS_PROXY || env.http_proxy || env.HTTP_PROXY;
  return named === undefined || named.trim() === '' ? { via: 'system' } : routeThrough(named, proxyAuthorization);
}

/** The route to a URL, from the system's resolver if nothing else names a proxy. */
export async function findRoute(url: URL, network: NetworkOptions, signal: AbortSignal): Promise<Route> {
  const route = routeFor(url, network);
  if (route.via !== 'system' || network.resolveProxy === undefined) return route;
  // If the resolver fails, no proxy is used.
  const resolving = network.resolveProxy(url.origin).catch(() => undefined);
  const proxy = await orAborted(resolving, signal, () => signal.reason);
  return proxy === undefined || proxy === '' ? route : routeThrough(proxy, network.proxyAuthorization);
}

/**
 * The route through a configured proxy: `http://user:password@host:port`, where http:// may be omitted. Without a user in it,
 * the one of `authorization` is used.
 */
export function routeThrough(written: string, authorization = ''): Route {
  const text = withEncodedUser(written.trim());
  const address = text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(address)) return { via: 'unusable', code: 'proxy-url', host: undefined };
  const proxy = new URL(address);
  if (proxy.protocol === 'http:' || proxy.protocol === 'https:')
    return { via: 'proxy', proxy: withUser(proxy, authorization) };
  return { via: 'unusable', code: 'proxy-scheme', host: proxy.host };
}

/**
 * Encodes the characters of a user name and a password that would end them: `DOMAIN\\me:pass#word@proxy` would otherwise be a
 * request to the host `DOMAIN`.
 */
function withEncodedUser(address: string): string {
  const end = address.lastIndexOf('@');
  const start = /^(?:\w+:\/\/)?/.exec(address)?.[0].length ?? 0;
  if (end < start) return address;
  return (
    address.slice(0, start) + address.slice(start, end).replace(/[\\/?#@[\]]/g, encodeURIComponent) + address.slice(end)
  );
}

/** Adds the user of a value of the header Proxy-Authorization: `Basic`, and the user and the password in base64. */
function withUser(proxy: URL, authorization: string): URL {
  const [, coded = ''] = /^\s*basic\s+(\S+)\s*$/i.exec(authorization) ?? [];
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(coded, 'base64').toString()) ?? [];
  if (user === undefined || password === undefined || proxy.username !== '' || proxy.password !== '') return proxy;
  const whole = new URL(proxy);
  whole.username = encodeURIComponent(user);
  whole.password = encodeURIComponent(password);
  return whole;
}

function isLoopback({ hostname }: URL): boolean {
  // URL normalizes all spellings of an address to one.
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])\.?$/.test(hostname);
}

/**
 * Whether an entry of NO_PROXY matches a URL: `*` matches everything; otherwise, the entry is a domain with all its
 * subdomains, or an address or a range of addresses (`10.0.0.0/8`, `10.*`), optionally with a scheme or a port.
 */
function matchesNoProxy(entry: string, { hostname, port, protocol }: URL): boolean {
  const text = entry
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '');
  if (text === '') return false;
  if (text === '*') return true;
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(text.replace(/^\[|\]$/g, '')) === 6) return text.replace(/^\[|\]$/g, '') === host;
  if (text.includes('/')) return isInRange(host, text);
  const [, name = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(text) ?? [];
  if (wantedPort !== undefined && wantedPort !== (port || (protocol === 'https:' ? '443' : '80'))) return false;
  if (/^\d[\d.]*\*$/.test(name)) return isIP(host) === 4 && host.startsWith(name.slice(0, -1));
  const domain = name.replace(/^\[|\]$/g, '').replace(/^\*?\.?/, '');
  return domain !== '' && (host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`)));
}

/** Whether an address is in a range such as `10.0.0.0/8`. A name is in no range. */
function isInRange(host: string, range: string): boolean {
  const [first = '', length = ''] = range.split('/');
  const family = isIP(first) === 6 ? 'ipv6' : 'ipv4';
  const isRange = isIP(first) !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= (family === 'ipv6' ? 128 : 32);
  if (!isRange || isIP(host) !== isIP(first)) return false;
  const list = new BlockList();
  list.addSubnet(first, Number(length), family);
  return list.check(host, family);
}
