import { isServiceError, type ServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import { FetchTransport } from './fetchTransport.ts';
import type { NetworkOptions } from './network.ts';
import { wantsHostStack } from './proxy.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';
import { UndiciTransport } from './undiciTransport.ts';

/** Sends each request with the HTTP stack that svc.network.stack selects at that time. */
export class StackTransport implements Transport {
  readonly #network: () => NetworkOptions;
  readonly #logger: Logger;
  readonly #undici: Transport;
  readonly #host: Transport;
  /** The proxy's error for each route on which only the host's stack can sign in to the proxy. */
  readonly #refused = new Map<string, ServiceError>();

  constructor(network: () => NetworkOptions, logger: Logger) {
    this.#network = network;
    this.#logger = logger;
    this.#undici = new UndiciTransport(network, logger);
    this.#host = new FetchTransport(network, logger);
  }

  async request(init: TransportRequest): Promise<TransportResponse> {
    const { stack = 'auto', httpProxy = '', proxyAuthorization = '' } = this.#network();
    if (stack === 'vscode') return this.#host.request(init);
    // The key includes the proxy: after a change of the proxy or its user, our own stack is tried again.
    const routeKey = `${init.url.origin} ${httpProxy} ${proxyAuthorization}`;
    const refused = this.#refused.get(routeKey);
    if (stack === 'auto' && refused !== undefined) return this.#askHost(init, refused);
    try {
      return await this.#undici.request(init);
    } catch (error) {
      if (stack !== 'auto' || !wantsHostStack(error)) throw error;
      // Retrying is safe: the proxy refused, so the service has not seen the request.
      this.#logger.info(`${error.message} Requests to ${init.url.host} use VS Code's own network stack from now on.`);
      this.#refused.set(routeKey, error);
      return this.#askHost(init, error);
    }
  }

  /** If the host's stack cannot sign in either, the proxy's response to our own request is the better explanation. */
  async #askHost(init: TransportRequest, refused: ServiceError): Promise<TransportResponse> {
    try {
      return await this.#host.request(init);
    } catch (error) {
      throw isServiceError(error) && error.kind === 'proxy' ? refused : error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#undici.close(), this.#host.close()]);
  }
}
