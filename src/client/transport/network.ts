import type { LookupFunction } from 'node:net';
import { ServiceError } from '../../util/errors.ts';

/**
 * `undici` is our own stack; `vscode` is the host's fetch; `auto` uses the first, and the second if a proxy demands it.
 */
export type Stack = 'auto' | 'undici' | 'vscode';

/**
 * The settings and the environment with which this machine reaches the service. They are read for each request, so that a
 * change needs no restart. Everything is optional: by default, connections are direct.
 */
export interface NetworkOptions {
  readonly stack?: Stack;
  /** Whether proxies are used; false if http.proxySupport is off, so that all connections are direct. */
  readonly useProxies?: boolean;
  /** The setting http.proxy. It may contain a user name and a password, so it is never logged. */
  readonly httpProxy?: string;
  /** The setting http.proxyAuthorization: a header for proxies whose address has no user name. It is never logged. */
  readonly proxyAuthorization?: string;
  /** The setting http.noProxy. If it has entries, the environment's NO_PROXY is not read. */
  readonly noProxy?: readonly string[];
  /**
   * The host's proxy resolver, for the system's proxy settings and PAC scripts; called if neither a setting nor the
   * environment names a proxy. undefined means direct.
   */
  readonly resolveProxy?: (url: string) => Promise<string | undefined>;
  /** The source of proxies, NODE_EXTRA_CA_CERTS and NODE_TLS_REJECT_UNAUTHORIZED. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether the system's certificates are trusted; false if http.systemCertificates is off. */
  readonly systemCertificates?: boolean;
  /** Additional trusted certificates (PEM). Like the next two, it is an absolute path or one from ~/. */
  readonly caFile?: string;
  /** The client certificate (PEM, leaf first). */
  readonly clientCertificate?: string;
  /** The private key of the client certificate (PEM, not encrypted); read from the certificate's file by default. */
  readonly clientKey?: string;
  /** Resolves host names in place of the machine's resolver. */
  readonly lookup?: LookupFunction;
}

/**
 * Throws if the environment disables the check of certificates: they are always checked, and an error is better than ignoring
 * the environment silently.
 */
export function assertChecksAreOn(url: URL, { env }: NetworkOptions): void {
  if (url.protocol !== 'https:' || env?.NODE_TLS_REJECT_UNAUTHORIZED !== '0') return;
  throw new ServiceError('certificate', 'NODE_TLS_REJECT_UNAUTHORIZED=0 would turn off the check of certificates.', {
    code: 'tls-check-off',
  });
}
