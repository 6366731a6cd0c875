import type { LookupFunction } from 'node:net';

/** `undici` is our own; `vscode` the fetch of the host; `auto` the first, and the second where a proxy demands it. */
export type Stack = 'auto' | 'undici' | 'vscode';

/**
 * How this machine reaches the service, as its settings and its environment say. Asked for anew with each request, so
 * that a change needs no restart. All is optional: without any of it connections are direct.
 */
export interface NetworkOptions {
  readonly stack?: Stack;
  /** False where http.proxySupport is off: all connections are direct. */
  readonly useProxies?: boolean;
  /** http.proxy. May hold a user name and a password, so it is never logged. */
  readonly httpProxy?: string;
  /** http.noProxy. Where it has entries, the environment's NO_PROXY is not read. */
  readonly noProxy?: readonly string[];
  /**
   * The host's own answer, for the system's proxy settings and PAC scripts; asked where neither a setting nor the
   * environment names a proxy. Nothing means direct.
   */
  readonly resolveProxy?: (url: string) => Promise<string | undefined>;
  /** Proxies, NODE_EXTRA_CA_CERTS and NODE_TLS_REJECT_UNAUTHORIZED are read from it. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** False where http.systemCertificates is off. */
  readonly systemCertificates?: boolean;
  /** Certificates (PEM) to trust besides the known ones. Like the two below an absolute path, or one from ~/. */
  readonly caFile?: string;
  /** Proves to the service who is calling (PEM, leaf first). */
  readonly clientCertificate?: string;
  /** Its private key (PEM, not encrypted); where it is not set, it is looked for in the certificate's file. */
  readonly clientKey?: string;
  /** Resolves host names in place of the machine's resolver. */
  readonly lookup?: LookupFunction;
}
