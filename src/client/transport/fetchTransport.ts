import { ServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import type { NetworkOptions } from './network.ts';
import { assertChecksAreOn } from './network.ts';
import { routeFor } from './route.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

/** The option not to cache answers, as Electron's fetch would; Node's types do not have this field. */
const notCached: RequestInit & { readonly cache: 'no-store' } = { cache: 'no-store' };

/**
 * Uses the host's fetch. VS Code's fetch uses its own proxy resolver and signs in with Kerberos; it accepts neither our
 * certificate settings nor our connect limit, and has its own limits: five minutes for the headers, and between two parts of
 * the body. All other limits come from the request's signal.
 */
export class FetchTransport implements Transport {
  readonly #network: () => NetworkOptions;
  readonly #logger: Logger;
  readonly #running = new Set<AbortController>();
  #hasWarned = false;

  constructor(network: () => NetworkOptions, logger: Logger) {
    this.#network = network;
    this.#logger = logger;
  }

  async request({ method, url, headers, body, signal }: TransportRequest): Promise<TransportResponse> {
    const network = this.#network();
    signal.throwIfAborted();
    assertChecksAreOn(url, network);
    this.#warnAboutIgnoredSettings(network);
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal.reason);
    const release = (): void => {
      signal.removeEventListener('abort', abort);
      this.#running.delete(controller);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#running.add(controller);
    try {
      // fetch is looked up for each request because VS Code patches it. The caller handles redirects.
      const response = await globalThis.fetch(url.href, {
        method,
        headers,
        body: body ?? null,
        redirect: 'manual',
        credentials: 'omit',
        signal: controller.signal,
        ...notCached,
      });
      return {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: read(response, controller, release),
        destroy: () => {
          release();
          controller.abort(new Error('No longer wanted'));
        },
      };
    } catch (error) {
      release();
      throw controller.signal.aborted ? controller.signal.reason : failureOf(error, url, network);
    }
  }

  async close(): Promise<void> {
    for (const controller of this.#running) {
      controller.abort(new ServiceError('aborted', 'The client was closed.', { code: 'closed' }));
    }
    this.#running.clear();
  }

  #warnAboutIgnoredSettings({ caFile = '', clientCertificate = '' }: NetworkOptions): void {
    if (this.#hasWarned || (caFile === '' && clientCertificate === '')) return;
    this.#hasWarned = true;
    this.#logger.warn("VS Code's own network stack uses neither svc.network.caFile nor svc.network.clientCertificate.");
  }
}

async function* read(
  { body }: Response,
  controller: AbortController,
  release: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader();
  let isFinished = reader === undefined;
  try {
    while (reader !== undefined && !isFinished) {
      const { done, value } = await reader.read();
      isFinished = done;
      if (value !== undefined) yield value;
    }
  } catch (error) {
    isFinished = true;
    throw controller.signal.aborted ? controller.signal.reason : (hostTimeout(innermost(error)) ?? innermost(error));
  } finally {
    release();
    if (!isFinished) controller.abort(new Error('No longer wanted'));
  }
}

/** The actual error, which fetch keeps as the cause of "fetch failed". */
function innermost(error: unknown): unknown {
  let found = error;
  for (let depth = 0; depth < 5 && found instanceof Error && found.cause instanceof Error; depth++) found = found.cause;
  return found;
}

/** Returns the error if a timeout of the host's stack expired, or null. It is not retried: the service has the request. */
function hostTimeout(cause: unknown): ServiceError | null {
  const isTimeout =
    cause instanceof Error && 'code' in cause && /^UND_ERR_(HEADERS|BODY)_TIMEOUT$/.test(String(cause.code));
  return isTimeout ? new ServiceError('timeout', "VS Code's network stack gave up.", { code: 'host-stack' }) : null;
}

/** If a proxy refuses a tunnel, fetch reports an abort that nobody requested; this must not look like a cancel. */
function failureOf(error: unknown, url: URL, network: NetworkOptions): unknown {
  const cause = innermost(error);
  const limit = hostTimeout(cause);
  if (limit !== null) return limit;
  if (!(cause instanceof Error) || !('code' in cause) || cause.code !== 'UND_ERR_ABORTED') return cause;
  const route = routeFor(url, network);
  const host = route.via === 'proxy' ? route.proxy.host : undefined;
  return new ServiceError('proxy', `The proxy ${host ?? 'of the system'} did not let the request through.`, {
    code: 'proxy-refused',
    host,
  });
}
