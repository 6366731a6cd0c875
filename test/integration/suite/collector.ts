import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface LogRecord {
  readonly eventName: string;
  readonly body: { readonly stringValue: string };
}

/** A collector of logs on loopback: it takes everything below /up, and nothing below /down. */
export async function startCollector() {
  const headers: IncomingHttpHeaders[] = [];
  const records: LogRecord[] = [];
  let came = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    headers.push(request.headers);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const isUp = request.url?.startsWith('/up/') === true;
    response.writeHead(isUp ? 200 : 503, { 'Content-Type': 'application/json' }).end('{}');
    if (!isUp) return;
    records.push(...JSON.parse(body).resourceLogs[0].scopeLogs[0].logRecords);
    came.resolve();
    came = Promise.withResolvers();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    headers,
    /** The line of the first record of a kind, when it has come. */
    async firstOf(eventName: string): Promise<string> {
      for (;;) {
        const found = records.find((record) => record.eventName === eventName);
        if (found !== undefined) return found.body.stringValue;
        await came.promise;
      }
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
