import type { Duplex } from 'node:stream';
import type { buildConnector as Undici } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import { codeOf, isServiceError, ServiceError, withFacts } from '../../util/errors.ts';
import { needsSystemSignIn } from '../../util/networkFacts.ts';
import type { ResponseHeaders } from '../exchange.ts';
import { fromTransportError } from '../serviceError.ts';
import { type Connector, ConnectTimeout } from './connector.ts';

/** The header for a proxy that requires a user name. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const words = `${decode(username)}:${decode(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The text has a per cent sign that was never encoded.
    return text;
  }
}

/** A connector to the proxy itself; its failures are attributed to the proxy, not the service. */
export function connectorTo(proxy: URL, connect: Connector): Connector {
  return (options, callback, withinMs) =>
    connect(
      // undici would take the TLS server name from the Host header, which is the service's.
      { ...options, servername: proxy.hostname.replace(/^\[.*\]$|^[\d.]+$/, '') },
      (error, socket) => (error === null ? callback(null, socket) : callback(proxyFault(proxy, error), null)),
      withinMs,
    );
}

/**
 * A connector to a service through a proxy's CONNECT, TLS with the service included, all within `timeoutMs`. undici's own
 * ProxyAgent reports any refusal only as an aborted request.
 */
export function tunnelThrough(proxy: URL, toProxy: Connector, toTarget: Connector, timeoutMs: number): Connector {
  return (options, callback) => {
    const startedAt = performance.now();
    // The client's only request is the CONNECT; afterwards we own the socket.
    const client = new Client(proxy.origin, { connect: toProxy, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
    const limit = setTimeout(() => void client.destroy(new ConnectTimeout('Connect time-out')), timeoutMs);
    const settle = (): void => {
      clearTimeout(limit);
      void client.close();
    };
    const authority = options.port ? String(options.host) : `${options.host}:443`;
    client.dispatch(
      { method: 'CONNECT', path: authority, headers: { host: authority, ...proxyAuthorization(proxy) } },
      {
        onRequestStart() {},
        onRequestUpgrade(_controller, status, headers, socket) {
          settle();
          // Errors before TLS attaches its listener would otherwise be unhandled.
          socket.on('error', () => {});
          if (status >= 200 && status < 300) {
            const remaining = timeoutMs - (performance.now() - startedAt);
            toTarget({ ...options, httpSocket: asSocket(socket) }, callback, Math.max(1, remaining));
          } else {
            socket.destroy();
            callback(refusal(proxy, status, headers), null);
          }
        },
        onResponseError(_controller, error) {
          settle();
          callback(proxyFault(proxy, error), null);
        },
      },
    );
  };
}

/** Narrows the type of a socket: undici passes on the socket that its connector created, but with the wider type. */
function asSocket(socket: Duplex): NonNullable<Undici.Options['httpSocket']> {
  return socket as NonNullable<Undici.Options['httpSocket']>;
}

/**
 * The error for a proxy's response in place of the service's. 407 is `proxy-auth`, with the offered authentication schemes;
 * all else is `proxy-refused`.
 */
export function refusal({ host }: URL, status: number, headers: ResponseHeaders): ServiceError {
  if (status === 407) {
    const schemes = offeredSchemes(headers);
    return new ServiceError('proxy', `The proxy ${host} asks for sign-in (${schemes.join(', ')}).`, {
      code: 'proxy-auth',
      status,
      host,
      details: { schemes },
    });
  }
  return new ServiceError('proxy', `The proxy ${host} answered ${status}.`, {
    code: 'proxy-refused',
    status,
    host,
    // These statuses mean a temporary failure of a gateway, as with a service.
    isRetryable: status >= 500,
  });
}

function offeredSchemes(headers: ResponseHeaders): readonly string[] {
  const lines = [headers['proxy-authenticate'] ?? []].flat();
  // A scheme begins a line, or follows a comma without being the name of a parameter.
  const schemes = lines.flatMap((line) => [
    ...line.matchAll(/(?:^|,)\s*([A-Za-z][\w-]{0,30})(?=\s*(?:,|$)|\s+[^\s=])/g),
  ]);
  return [...new Set(schemes.map(([, scheme = '']) => scheme))];
}

/** Whether the host's stack may be able to sign in to a proxy when ours is not. */
export function wantsHostStack(error: unknown): error is ServiceError {
  if (!isServiceError(error) || error.kind !== 'proxy') return false;
  if (error.code === 'proxy-scheme') return true;
  return error.code === 'proxy-auth' && needsSystemSignIn(error.details.schemes);
}

function proxyFault({ host }: URL, error: unknown): ServiceError {
  const fault = fromTransportError(error);
  if (fault.kind === 'aborted' || fault.kind === 'proxy') return fault;
  if (fault.kind === 'certificate') return withFacts(fault, { host });
  const code = codeOf(fault);
  return new ServiceError('proxy', `No connection to the proxy ${host}: ${code}.`, {
    // Administrators know the error by this code.
    externalCode: code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : code,
    host,
    isRetryable: fault.isRetryable,
  });
}
