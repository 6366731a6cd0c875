import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TlsOptions } from 'node:tls';

export interface ProxyOptions {
  /** The required `user:password`. Without it, no authentication is required. */
  readonly credentials?: string;
  /** The Proxy-Authenticate lines of its 407. Default: `Basic realm="test"`. */
  readonly offers?: readonly string[];
  /** A fixed answer for all requests. */
  readonly refuseWith?: number;
  /** Accepts connections and never responds. */
  readonly isSilent?: boolean;
  /** Names that resolve to this machine. The proxy connects only to services on it. */
  readonly names?: readonly string[];
  /** Makes it an https:// proxy. */
  readonly tls?: TlsOptions;
}

/** A request to the proxy, `CONNECT host:port` or `GET http://…`, and whether it was allowed. */
export interface Asked {
  readonly line: string;
  readonly hasPassed: boolean;
}

export interface ProxyServer {
  /** Without credentials. */
  readonly url: string;
  readonly host: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** A real HTTP proxy on loopback: CONNECT for tunnels, absolute URLs for other requests. */
export async function startProxy(options: ProxyOptions = {}): Promise<ProxyServer> {
  const asked: Asked[] = [];
  const sockets = new Set<Duplex>();
  const keep = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };

  /** Returns 0 if the request is allowed, else the status of the refusal. */
  const judge = ({ method, url, headers }: IncomingMessage): number => {
    const expected = `Basic ${Buffer.from(options.credentials ?? '').toString('base64')}`;
    const mayPass = options.credentials === undefined ? options.offers === undefined : false;
    const isKnown = mayPass || headers['proxy-authorization'] === expected;
    const status = options.refuseWith ?? (isKnown ? 0 : 407);
    asked.push({ line: `${method} ${url}`, hasPassed: status === 0 });
    return status;
  };
  const offers = options.offers ?? ['Basic realm="test"'];
  const reach = (authority: string): { host: string; port: number } => {
    const { hostname, port } = new URL(`http://${authority}`);
    if (hostname !== '127.0.0.1' && options.names?.includes(hostname) !== true)
      throw new Error(`no way to ${hostname}`);
    return { host: '127.0.0.1', port: Number(port) };
  };

  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void => {
    if (options.isSilent === true) return;
    const status = judge(incoming);
    if (status !== 0) {
      response.writeHead(status, status === 407 ? { 'proxy-authenticate': [...offers] } : {}).end();
      return;
    }
    const url = new URL(incoming.url ?? '');
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const onward = request({ ...reach(url.host), method: incoming.method, path: url.pathname, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  };
  const onConnect = (incoming: IncomingMessage, client: Duplex): void => {
    if (options.isSilent === true) return;
    const status = judge(incoming);
    if (status !== 0) {
      const lines = status === 407 ? offers.map((offer) => `Proxy-Authenticate: ${offer}\r\n`).join('') : '';
      client.end(`HTTP/1.1 ${status} No\r\n${lines}Content-Length: 0\r\n\r\n`);
      return;
    }
    const { host, port } = reach(incoming.url ?? '');
    const target: Socket = keep(connect(port, host));
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    target.once('close', () => client.destroy());
    client.once('close', () => target.destroy());
  };

  const server = options.tls === undefined ? createServer(onRequest) : createTlsServer(options.tls, onRequest);
  server.on('connect', onConnect);
  server.on('connection', keep);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://${host}`,
    host,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}
