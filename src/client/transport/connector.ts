import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector as Undici } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';

export interface ConnectOptions {
  readonly lookup?: LookupFunction;
  /** Whom to believe; Node's own list where it is not given. */
  readonly secureContext?: SecureContext;
  /** What the context holds. With it VS Code's patched tls leaves our context as it is. */
  readonly ca?: string[];
}

/** `withinMs` stands in for the connector's own limit, where part of the time has gone by. */
export type Connector = (options: Undici.Options, callback: Undici.Callback, withinMs?: number) => void;

/** The connection was not up in time. undici's code, so that one list of codes says what is retried. */
export class ConnectTimeout extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

/**
 * Opens sockets, TLS handshake included, within `timeoutMs`. undici's own connect limit runs on a coarse clock and is
 * late by up to half a second, so it is off and a plain timer stands in for it. Certificates are checked whatever the
 * environment says.
 */
export function createConnector(build: ConnectOptions, timeoutMs: number): Connector {
  return connectorOf(build, timeoutMs, true);
}

/**
 * Opens sockets to whoever answers, so that a diagnosis can say whose certificate was refused. Whoever calls this sends
 * nothing over the socket: no request is ever made on one.
 */
export function createUncheckedConnector(build: ConnectOptions, timeoutMs: number): Connector {
  return connectorOf(build, timeoutMs, false);
}

function connectorOf(build: ConnectOptions, timeoutMs: number, rejectUnauthorized: boolean): Connector {
  const connect = buildConnector({ ...build, allowH2: false, timeout: 0, rejectUnauthorized });
  return (options, callback, withinMs = timeoutMs) => {
    const socket: Socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      callback(...outcome);
    });
    // TLS reports an alert (no client certificate, say) and lets the connection end by itself; undici would then know
    // no more than that it ended.
    socket.once('error', (error) => socket.destroy(error));
    const timer = setTimeout(() => socket.destroy(new ConnectTimeout('Connect time-out')), withinMs);
  };
}
