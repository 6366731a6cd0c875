import { request } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RawRequest } from '../tools/rawServer.ts';

/** The part of Prism's types that is used. Only this ring installs it, and the type check runs without it. */
interface PrismHttp {
  getHttpOperationsFromSpec(file: string): Promise<readonly unknown[]>;
}
interface PrismServer {
  createServer(
    operations: readonly unknown[],
    options: { readonly cors: boolean; readonly config: object; readonly components: { readonly logger: unknown } },
  ): { listen(port: number, host: string): Promise<string>; close(): Promise<void> };
}
interface PrismCore {
  createLogger(name: string, options: object): unknown;
}

/** Prism's result for a request. */
export interface Verdict {
  readonly status: number;
  /** The violations that Prism found, in its words, or '' if there are none. */
  readonly violations: string;
}

export interface Judge {
  judge(request: RawRequest): Promise<Verdict>;
  close(): Promise<void>;
}

/** `prism mock --errors` on the OpenAPI file, without its command line. */
export async function startJudge(): Promise<Judge> {
  const here = createRequire(import.meta.url);
  const load = createRequire(here.resolve('@stoplight/prism-cli/package.json'));
  const { getHttpOperationsFromSpec }: PrismHttp = load('@stoplight/prism-http');
  const { createServer }: PrismServer = load('@stoplight/prism-http-server');
  const { createLogger }: PrismCore = load('@stoplight/prism-core');
  const config = {
    validateRequest: true,
    validateResponse: true,
    checkSecurity: true,
    errors: true,
    isProxy: false,
    mock: { dynamic: false },
  };
  const operations = await getHttpOperationsFromSpec(fileURLToPath(new URL('svc-openapi.yaml', import.meta.url)));
  const logger = createLogger('contract', { enabled: false });
  const server = createServer(operations, { cors: false, config, components: { logger } });
  const origin = await server.listen(0, '127.0.0.1');
  return { judge: (sent) => send(origin, sent), close: () => server.close() };
}

/** Prism knows only the paths below the base URL. */
function send(origin: string, { method, path, headers, body }: RawRequest): Promise<Verdict> {
  const { host: _, ...sent } = headers;
  return new Promise((resolve, reject) => {
    const outgoing = request(origin + path.replace(/^\/api\/v1/, ''), { method, headers: sent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        text += piece;
      });
      answer.on('end', () => {
        const found = String(answer.headers['sl-violations'] ?? '');
        const status = answer.statusCode ?? 0;
        resolve({ status, violations: found !== '' || status < 400 ? found : text });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
