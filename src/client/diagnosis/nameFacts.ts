import { lookup as machineLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { codeOf, ServiceError } from '../../util/errors.ts';
import { orAborted } from '../../util/orAborted.ts';
import { fromTransportError } from '../serviceError.ts';
import type { Target } from './connectionProbe.ts';
import type { Facts, FactValue } from './facts.ts';

interface Found {
  readonly facts: Facts;
  readonly error?: ServiceError;
}

/**
 * The addresses of the service, and of the proxy if one is used. With a proxy, a service that this machine cannot
 * resolve is not a fault: the proxy resolves it.
 */
export async function nameFacts({ url, route, network, connectMs }: Target, signal: AbortSignal): Promise<Found> {
  const lookup = network.lookup ?? machineLookup;
  const proxy = route.via === 'proxy' ? route.proxy : undefined;
  const resolve = (host: string): Promise<Addresses> => limited(addressesOf(host, lookup), connectMs, signal);
  const [service, middle] = await Promise.all([
    resolve(url.hostname),
    proxy === undefined ? undefined : resolve(proxy.hostname),
  ]);
  const error = proxy === undefined ? service.error : middle?.error;
  return {
    facts: {
      service: url.hostname,
      ipv4: shown(service, 'v4'),
      ipv6: shown(service, 'v6'),
      ...(proxy === undefined || middle === undefined
        ? {}
        : { proxy: proxy.hostname, 'proxy-ipv4': shown(middle, 'v4'), 'proxy-ipv6': shown(middle, 'v6') }),
    },
    ...(error === undefined ? {} : { error }),
  };
}

interface Addresses {
  readonly v4: readonly string[];
  readonly v6: readonly string[];
  readonly error?: ServiceError;
}

function shown({ error, ...found }: Addresses, version: 'v4' | 'v6'): FactValue {
  const addresses = found[version];
  if (addresses.length > 0) return addresses.join(', ');
  const code = error === undefined ? undefined : codeOf(error);
  return code === undefined ? { is: 'none' } : { is: 'none', code };
}

function addressesOf(host: string, lookup: LookupFunction): Promise<Addresses> {
  return new Promise((resolve) => {
    lookup(host.replace(/^\[|\]$/g, ''), { all: true }, (failure, found) => {
      if (failure !== null) return resolve({ v4: [], v6: [], error: fromTransportError(failure) });
      const all = [found].flat().map((one) => (typeof one === 'string' ? one : one.address));
      resolve({ v4: all.filter((one) => isIP(one) === 4), v6: all.filter((one) => isIP(one) === 6) });
    });
  });
}

/** Limits the time of a lookup: a resolver cannot be cancelled, so a late result is ignored. */
async function limited(work: Promise<Addresses>, limitMs: number, signal: AbortSignal): Promise<Addresses> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs);
  const error = new ServiceError('timeout', 'No name was resolved in time.', { code: 'names' });
  try {
    // addressesOf() never rejects.
    return await orAborted(work, AbortSignal.any([signal, late.signal])).catch(() => ({ v4: [], v6: [], error }));
  } finally {
    clearTimeout(timer);
  }
}
