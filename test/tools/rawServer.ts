import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** A request parsed from its bytes. Header names are lower-cased. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One request's socket, to be answered byte by byte. */
export interface RawExchange {
  readonly request: RawRequest;
  /** 0 for the first request of the server. */
  readonly index: number;
  readonly socket: Socket;
  /** Resolves when the kernel has accepted the bytes. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Sends each part as a separate packet. */
  sendEach(parts: Iterable<string | Uint8Array>): Promise<void>;
  /** FIN. */
  end(bytes?: string | Uint8Array): void;
  /** RST. */
  reset(): void;
  /** Resolves when the client has closed the socket. */
  readonly closed: Promise<unknown>;
}

export interface RawServer {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly RawRequest[];
  /** The number of open sockets. */
  openSockets(): number;
  close(): Promise<void>;
}

export type RawHandler = (exchange: RawExchange) => void | Promise<void>;

/** A server on loopback that sends only given bytes: it parses HTTP requests but never formats responses. */
export async function startRawServer(handler: RawHandler, tls?: TlsOptions): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const requests: RawRequest[] = [];
  const onSocket = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let buffered = Buffer.alloc(0);
    socket.on('data', (data) => {
      buffered = Buffer.concat([buffered, data]);
      for (let parsed = parseRequest(buffered); parsed !== undefined; parsed = parseRequest(buffered)) {
        buffered = buffered.subarray(parsed.length);
        requests.push(parsed.request);
        void handler(exchangeOn(socket, parsed.request, requests.length - 1, closed));
      }
    });
  };
  const server = tls === undefined ? createServer(onSocket) : createTlsServer(tls, onSocket);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    origin: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    openSockets: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      if (server.listening) await once(server, 'close');
    },
  };
}

function exchangeOn(socket: Socket, request: RawRequest, index: number, closed: Promise<unknown>): RawExchange {
  const send = (bytes: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      if (socket.destroyed) resolve();
      else socket.write(bytes, () => resolve());
    });
  return {
    request,
    index,
    socket,
    closed,
    send,
    async sendEach(parts) {
      for (const part of parts) {
        await send(part);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    end: (bytes = '') => void socket.end(bytes),
    reset: () => void socket.resetAndDestroy(),
  };
}

function parseRequest(bytes: Buffer): { request: RawRequest; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [requestLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const bodyStart = headEnd + 4;
  const length = bodyStart + Number(headers['content-length'] ?? 0);
  if (bytes.length < length) return undefined;
  const [method = '', path = ''] = requestLine.split(' ');
  return { request: { method, path, headers, body: bytes.subarray(bodyStart, length).toString() }, length };
}

/** The head of a response. Without a length or a coding the body lasts until the socket ends. */
export function head(status: number, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Something\r\n${lines.join('')}\r\n`;
}

/** A whole response with its length. */
export function whole(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  return head(status, { 'content-length': String(Buffer.byteLength(body)), ...headers }) + body;
}

/** A chunk of the chunked coding; the last one is `lastChunk`. */
export function chunked(bytes: string | Uint8Array): Buffer {
  const data = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}
export const lastChunk = '0\r\n\r\n';

export const sseHead = head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
/** An event stream that lasts until the socket ends. */
export const openSseHead = head(200, { 'content-type': 'text/event-stream', connection: 'close' });

/** One event with this JSON. */
export function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** An event with this much of the answer. */
export function delta(content: string, rest: object = {}): string {
  return event({ choices: [{ index: 0, delta: { content }, ...rest }] });
}

export const finish = (reason = 'stop'): string => event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });
export const done = 'data: [DONE]\n\n';
