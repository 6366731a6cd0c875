import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.ts';

/** The server of an organization that delivers its policy over TLS, on loopback. */
export interface PolicyServer {
  /** For example, https://127.0.0.1:40100. */
  readonly origin: string;
  /** The number of requests that it has received. */
  readonly requests: number;
  /** The body of its answers. */
  answer: string;
  /** Holds its answers until the returned function is called. */
  hold(): () => void;
  /** Uses another certificate for each further request. */
  use(certificate: Certificate): void;
  /** Ends every connection, and stops listening. */
  close(): Promise<void>;
}

export async function startPolicyServer(certificate: Certificate): Promise<PolicyServer> {
  let held = Promise.resolve();
  let requests = 0;
  const server = createServer(certificate, async (_, response) => {
    requests += 1;
    await held;
    // The next request makes a new connection, with the certificate of that time.
    response.setHeader('Connection', 'close').end(started.answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: PolicyServer = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get requests() {
      return requests;
    },
    answer: '',
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    use: (other) => server.setSecureContext(other),
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return started;
}
