import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { buildConnector as Undici } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';

export interface ConnectOptions {
  readonly lookup?: LookupFunction;
  /** The trusted authorities; Node's own list if undefined. */
  readonly secureContext?: SecureContext;
  /** The authorities in `secureContext`. If given, VS Code's patched `tls` does not change our context. */
  readonly ca?: string[];
}

/** `withinMs` replaces the connector's own limit if part of the time has already elapsed. */
export type Connector = (options: Undici.Options, callback: Undici.Callback, withinMs?: number) => void;

/** The error for a connection that was not established in time. Its code is undici's: one list decides on retries. */
export class ConnectTimeout extends Error {
  readonly code = 'UND_ERR_CONNECT_TIMEOUT';
}

/**
 * Returns a connector that opens sockets, TLS handshake included, within `timeoutMs`. undici's own connect limit runs on a
 * coarse clock and is late by up to half a second, so it is off and a plain timer replaces it. Certificates are always
 * checked, regardless of the environment.
 */
export function createConnector(build: ConnectOptions, timeoutMs: number): Connector {
  return connectorOf(build, timeoutMs, true);
}

/**
 * Returns a connector without a certificate check, so that a diagnosis can name the refused certificate. The caller must not
 * send anything over its sockets: no request is ever made on one.
 */
export function createUncheckedConnector(build: ConnectOptions, timeoutMs: number): Connector {
  return connectorOf(build, timeoutMs, false);
}

function connectorOf(build: ConnectOptions, timeoutMs: number, rejectUnauthorized: boolean): Connector {
  const fixed = { ...build, allowH2: false, timeout: 0, rejectUnauthorized, autoSelectFamily: true };
  const first = buildConnector(fixed);
  // Node gives each address of a host except the last 250 ms, so that one that never answers costs little time. A slow network or
  // a lost packet takes longer, and the last address may be of a family that the network lacks.
  const patient = buildConnector({ ...fixed, autoSelectFamilyAttemptTimeout: Math.ceil(timeoutMs / 4) });
  return (options, callback, withinMs = timeoutMs) => {
    const open = (connect: typeof first, onEnd: Undici.Callback): Socket => {
      const opened: Socket = connect(options, onEnd);
      // After a TLS alert (such as a missing client certificate), the socket emits an error and closes by itself; undici would then
      // report only that it closed.
      opened.once('error', (error) => opened.destroy(error));
      return opened;
    };
    const end: Undici.Callback = (...outcome) => {
      clearTimeout(timer);
      callback(...outcome);
    };
    let socket = open(first, (...outcome) => {
      // undici's error for several addresses of which one was given up; with our own limit, there is no cause.
      if (outcome[0]?.cause instanceof AggregateError) socket = open(patient, end);
      else end(...outcome);
    });
    const timer = setTimeout(() => socket.destroy(new ConnectTimeout('Connect time-out')), withinMs);
  };
}
