import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { ServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import { fromTransportError } from '../serviceError.ts';
import { readTrust, type Trust } from '../transport/certificates.ts';
import {
  type ConnectOptions,
  type Connector,
  createConnector,
  createUncheckedConnector,
} from '../transport/connector.ts';
import type { NetworkOptions } from '../transport/network.ts';
import { assertChecksAreOn } from '../transport/network.ts';
import { connectorTo, tunnelThrough } from '../transport/proxy.ts';
import type { Route } from '../transport/route.ts';
import { certificateFacts } from './certificateFacts.ts';
import type { Facts } from './facts.ts';

export interface Target {
  readonly url: URL;
  readonly route: Route;
  readonly network: NetworkOptions;
  readonly connectMs: number;
  readonly logger: Logger;
  readonly now: number;
}

interface Probed {
  readonly facts: Facts;
  readonly error?: ServiceError;
}

/**
 * Opens a connection over the same route and with the same checks as a request, and closes it without sending any HTTP
 * to the service. If the check refuses the certificate, a second connection, without our client certificate, reads that
 * certificate.
 */
export async function probeConnection(target: Target): Promise<Probed> {
  const { url, route, network, logger, now } = target;
  assertChecksAreOn(url, network);
  if (route.via === 'unusable') {
    throw new ServiceError('proxy', `The proxy cannot be used: ${route.code}.`, { code: route.code, host: route.host });
  }
  const proxy = route.via === 'proxy' ? route.proxy : undefined;
  const needsTrust = url.protocol === 'https:' || proxy?.protocol === 'https:';
  const trust = needsTrust ? readTrust(network, logger) : undefined;
  try {
    const socket = await open(target, proxy, trust, true);
    const facts = describe(socket, url, proxy, now);
    socket.destroy();
    return { facts: { ...facts, ...checkedWith(network) } };
  } catch (error) {
    const failure = fromTransportError(error);
    // The failure contains a host if the proxy's certificate was refused.
    if (failure.kind !== 'certificate' || failure.host !== undefined || trust === undefined) throw failure;
    try {
      const socket = await open(target, proxy, trust, false);
      const facts = describe(socket, url, proxy, now);
      socket.destroy();
      return { facts: { ...facts, ...checkedWith(network) }, error: failure };
    } catch {
      return { facts: {}, error: failure };
    }
  }
}

/** States that our own stack made the check: the host's stack gives no access to its certificates. */
function checkedWith({ stack }: NetworkOptions): Facts {
  return stack === 'vscode' ? { 'checked-with': { is: 'undici-for-vscode' } } : {};
}

function describe(socket: Socket, url: URL, proxy: URL | undefined, now: number): Facts {
  const { remoteAddress, remotePort } = socket;
  const where: Facts =
    proxy === undefined
      ? { address: { is: 'port', address: String(remoteAddress), port: String(remotePort) } }
      : { through: proxy.host };
  if (url.protocol !== 'https:') return { ...where, protocol: { is: 'without-tls' } };
  return socket instanceof TLSSocket ? { ...where, ...certificateFacts(socket, now) } : where;
}

function open(
  { url, network, connectMs }: Target,
  proxy: URL | undefined,
  trust: Trust | undefined,
  isChecked: boolean,
): Promise<Socket> {
  const lookup = network.lookup === undefined ? {} : { lookup: network.lookup };
  const optionsFor = (whose: 'service' | 'proxy'): ConnectOptions =>
    trust === undefined ? lookup : { ...lookup, secureContext: trust[whose], ca: [...trust.ca] };
  const toService = isChecked
    ? createConnector(optionsFor('service'), connectMs)
    : createUncheckedConnector(optionsFor('proxy'), connectMs);
  const connect = connectorFor(url, proxy, toService, () => createConnector(optionsFor('proxy'), connectMs), connectMs);
  // Without TLS to the service, requests connect to the proxy.
  const { hostname, host, protocol, port } = proxy !== undefined && url.protocol !== 'https:' ? proxy : url;
  return new Promise((resolve, reject) => {
    connect({ hostname: hostname.replace(/^\[|\]$/g, ''), host, protocol, port }, (error, socket) => {
      if (error !== null) reject(error);
      else resolve(socket);
    });
  });
}

function connectorFor(
  url: URL,
  proxy: URL | undefined,
  toService: Connector,
  proxyConnector: () => Connector,
  connectMs: number,
): Connector {
  if (proxy === undefined) return toService;
  const toProxy = connectorTo(proxy, proxyConnector());
  return url.protocol === 'https:' ? tunnelThrough(proxy, toProxy, toService, connectMs) : toProxy;
}
