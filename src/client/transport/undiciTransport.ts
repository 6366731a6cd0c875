import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { ServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import { Exchange } from '../exchange.ts';
import { Semaphore } from '../semaphore.ts';
import { readTrust, type Trust, trustCacheKey } from './certificates.ts';
import { type Connector, createConnector } from './connector.ts';
import { decodeContent } from './contentCoding.ts';
import type { NetworkOptions } from './network.ts';
import { assertChecksAreOn } from './network.ts';
import { connectorTo, proxyAuthorization, refusal, tunnelThrough } from './proxy.ts';
import { findRoute, type Route } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** The maximum number of concurrent connections to one origin; further requests wait for a free one. */
export const maxConnections = 32;

/** The maximum size of a response's head. Gateways add large cookies and policies to it; Node's own limit is 16 KiB. */
const maxHeadBytes = 256 * 1024;

/**
 * The maximum time in milliseconds that an idle connection is kept, if the service offers to keep it longer. A firewall, or a
 * computer that slept or changed its network, drops a connection silently, and a request on it would have no answer.
 */
const maxIdleMs = 15_000;

interface Pooled {
  readonly dispatcher: Dispatcher;
  readonly queue: Semaphore;
}

interface PooledRoute extends Pooled {
  /** The proxy that receives absolute URLs, for targets without TLS. */
  readonly forwardProxy: URL | undefined;
}

/**
 * undici over HTTP/1.1 with its own timers off: they are late by up to half a second, and timeouts.ts provides ours.
 * Routes and certificates follow the current network options of each request.
 */
export class UndiciTransport implements Transport {
  readonly #network: () => NetworkOptions;
  readonly #logger: Logger;
  /** One pool for each route to an origin and each connect limit. */
  readonly #pools = new Map<string, Pooled>();
  /** Pools with earlier certificates, each of which closes after its last answer. */
  readonly #retired = new Set<Dispatcher>();
  #trustKey: string | undefined;
  #trust: Trust | undefined;

  constructor(network: () => NetworkOptions, logger: Logger) {
    this.#network = network;
    this.#logger = logger;
  }

  async request({ method, url, headers, body, signal, connectMs }: TransportRequest): Promise<TransportResponse> {
    signal.throwIfAborted();
    const network = this.#network();
    assertChecksAreOn(url, network);
    const { dispatcher, queue, forwardProxy } = this.#pooledRoute(
      url,
      network,
      await findRoute(url, network, signal),
      connectMs,
    );
    await queue.enter(signal);
    if (signal.aborted) {
      queue.leave();
      throw signal.reason;
    }
    const exchange = new Exchange(signal, () => queue.leave());
    dispatcher.dispatch(
      {
        method,
        path: forwardProxy === undefined ? url.pathname + url.search : url.origin + url.pathname + url.search,
        headers: {
          ...headers,
          ...(forwardProxy === undefined ? {} : { host: url.host, ...proxyAuthorization(forwardProxy) }),
        },
        body: body ?? null,
      },
      exchange,
    );
    const head = await exchange.head;
    try {
      if (forwardProxy !== undefined && head.status === 407) throw refusal(forwardProxy, 407, head.headers);
      const content = decodeContent(exchange.body, String(head.headers['content-encoding'] ?? ''));
      return { ...head, body: content, destroy: () => exchange.destroy() };
    } catch (error) {
      exchange.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    const closing = [...this.#dispatchers(), ...this.#retired].map((pool) => pool.destroy());
    this.#pools.clear();
    await Promise.all(closing);
  }

  #pooledRoute(url: URL, network: NetworkOptions, route: Route, connectMs: number): PooledRoute {
    if (route.via === 'unusable') {
      const { code, host } = route;
      throw new ServiceError('proxy', `The proxy cannot be used: ${code}.`, { code, host });
    }
    const proxy = route.via === 'proxy' ? route.proxy : undefined;
    const needsTrust = url.protocol === 'https:' || proxy?.protocol === 'https:';
    if (needsTrust) this.#renewTrust(network);
    const forwardProxy = url.protocol === 'https:' ? undefined : proxy;
    const key = `${url.origin} ${proxy?.href ?? ''} ${connectMs}`;
    let pooled = this.#pools.get(key);
    if (pooled === undefined) {
      const connect = this.#connectorFor(network, proxy, forwardProxy !== undefined, connectMs);
      const dispatcher = new Pool(forwardProxy?.origin ?? url.origin, {
        connect,
        connections: maxConnections,
        allowH2: false,
        pipelining: 1,
        maxHeaderSize: maxHeadBytes,
        keepAliveMaxTimeout: maxIdleMs,
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      pooled = { dispatcher, queue: new Semaphore(maxConnections) };
      this.#pools.set(key, pooled);
    }
    return { ...pooled, forwardProxy };
  }

  #dispatchers(): readonly Dispatcher[] {
    return [...this.#pools.values()].map(({ dispatcher }) => dispatcher);
  }

  #connectorFor({ lookup }: NetworkOptions, proxy: URL | undefined, forwards: boolean, connectMs: number): Connector {
    const trust = this.#trust;
    const connector = (whose: 'service' | 'proxy'): Connector =>
      createConnector(
        {
          ...(lookup === undefined ? {} : { lookup }),
          ...(trust === undefined ? {} : { secureContext: trust[whose], ca: [...trust.ca] }),
        },
        connectMs,
      );
    if (proxy === undefined) return connector('service');
    const toProxy = connectorTo(proxy, connector('proxy'));
    return forwards ? toProxy : tunnelThrough(proxy, toProxy, connector('service'), connectMs);
  }

  /** Reads certificates at first use, and again when they or the settings have changed. A failure is not cached. */
  #renewTrust(network: NetworkOptions): void {
    const trustKey = trustCacheKey(network);
    if (trustKey === this.#trustKey) return;
    const trust = readTrust(network, this.#logger);
    for (const pool of this.#dispatchers()) {
      this.#retired.add(pool);
      void pool.close().finally(() => this.#retired.delete(pool));
    }
    this.#pools.clear();
    this.#trust = trust;
    this.#trustKey = trustKey;
  }
}
