import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceState } from './chat.ts';
import { ChunkGate, type HeldChunks } from './chunkGate.ts';
import { HttpError, sendError } from './httpError.ts';
import { assertLoopback } from './loopback.ts';
import type { ServiceOptions } from './options.ts';
import type { PlayedModel } from './played.ts';
import { type ReceivedRequest, Recorder } from './received.ts';
import { readBody, safeParseJson } from './requestBody.ts';
import { prefix, route } from './router.ts';
import type { ScenarioSettings } from './scenario.ts';
import { type RawAnswer, ScenarioQueue } from './scenarioQueue.ts';
import type { ScenarioName } from './scenarios.ts';
import { Sockets } from './sockets.ts';

/** A running service with the controls of a test. */
export interface LocalService {
  /** Such as http://127.0.0.1:4010/api/v1, without a trailing slash. */
  readonly baseUrl: string;
  readonly port: number;
  /** All received requests, oldest first. */
  readonly received: readonly ReceivedRequest[];
  /** Only POST /chat/completions. */
  readonly chats: readonly ReceivedRequest[];
  /** The number of open connections. */
  readonly openSockets: number;
  /** The number of connections ever accepted. 0 means that there was no connection attempt. */
  readonly seenSockets: number;
  /** Sets the scenario for future requests, and resets the count of the previous one. */
  setScenario(name: ScenarioName, settings?: ScenarioSettings): void;
  /** Lets a function answer the chat requests, as a model would. */
  play(model: PlayedModel): void;
  /** Queues one scenario each for the next chat requests, before the current setting. */
  enqueue(...items: readonly (ScenarioName | RawAnswer)[]): void;
  /** Resets the state: no records, no queue, scenario normal, no held chunks. Connections remain. */
  clear(): void;
  /** The first matching request, past or future. Rejects if the service closes before it arrives. */
  waitFor(predicate: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest>;
  waitForNoSockets(): Promise<void>;
  /** Holds answers before each step (see {@link ChunkGate}) until release. */
  holdChunks(): HeldChunks;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

/** Starts the service on loopback. Rejects for any other host, and if the port is in use. */
export async function startService(options: ServiceOptions = {}): Promise<LocalService> {
  const host = options.host ?? '127.0.0.1';
  assertLoopback(host);
  const recorder = new Recorder();
  const gate = new ChunkGate();
  const queue = new ScenarioQueue(options, options.demo === true);
  if (options.scenario !== undefined) queue.set(options.scenario, {});
  const model: ServiceState['model'] = { play: byRules };
  const state: ServiceState = { options, queue, gate, answering: new Set(), model };
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    void serve(request, response, `local-${count}`, state, recorder);
  });
  const sockets = new Sockets(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}${prefix}`,
    port,
    get received() {
      return recorder.received;
    },
    get chats() {
      return recorder.chats;
    },
    get openSockets() {
      return sockets.open;
    },
    get seenSockets() {
      return sockets.seen;
    },
    setScenario: (name, settings = {}) => queue.set(name, settings),
    play: (play) => {
      model.play = play;
    },
    enqueue: (...items) => queue.enqueue(items),
    clear: () => {
      recorder.clear();
      queue.clear();
      gate.open();
      model.play = byRules;
    },
    waitFor: (predicate) => recorder.waitFor(predicate),
    waitForNoSockets: () => sockets.waitForNone(),
    holdChunks: () => gate.hold(),
    close: () =>
      new Promise((resolve) => {
        recorder.close();
        server.close(() => resolve());
        sockets.destroyAll();
      }),
  };
}

const byRules: PlayedModel = () => undefined;

async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  state: ServiceState,
  recorder: Recorder,
): Promise<void> {
  response.setHeader('x-request-id', requestId);
  const over = new AbortController();
  const { promise: ended, resolve } = Promise.withResolvers<'finished' | 'cut'>();
  response.once('close', () => {
    over.abort();
    resolve(response.writableFinished ? 'finished' : 'cut');
  });
  try {
    const body = await readBody(incoming, state.options.maxBodyBytes ?? 8 * 1024 * 1024);
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: flatten(incoming.headersDistinct),
      body: body.text,
      json: safeParseJson(body.text),
      at: Date.now(),
      requestId,
      ended,
    };
    recorder.add(request);
    await route({ request, response, requestId, gone: over.signal }, state, body.isTooLarge);
  } catch (error) {
    fail(error, response, over.signal);
  }
}

/** Turns an error into a response, if the client is still connected. */
function fail(error: unknown, response: ServerResponse, gone: AbortSignal): void {
  if (gone.aborted) return;
  if (response.headersSent) response.destroy();
  else if (error instanceof HttpError) sendError(response, error);
  else sendError(response, new HttpError(500, 'server_error', 'internal_error', `The local service failed: ${error}`));
}

function flatten(headers: NodeJS.Dict<string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, (values ?? []).join(', ')]));
}
