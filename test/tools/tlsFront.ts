import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';

export interface TlsFront {
  readonly port: number;
  close(): void;
}

/** TLS on loopback in front of a service that speaks plain HTTP there. */
export async function startTlsFront(servicePort: number, options: TlsOptions): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const server = createServer(options, (socket) => {
    const onward = connect(servicePort, '127.0.0.1');
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => {});
      end.once('close', () => [socket, onward].map((either) => either.destroy()));
    }
    socket.pipe(onward).pipe(socket);
  });
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
