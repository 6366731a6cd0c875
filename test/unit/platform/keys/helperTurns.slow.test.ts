import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServiceClient } from '../../../../src/client/serviceClient.ts';
import type { ConfirmSend } from '../../../../src/send/confirmation.ts';
import { createDispatch } from '../../../../src/send/dispatch.ts';
import { mostRequests, RequestLimit } from '../../../../src/send/form/requestLimit.ts';
import type { Outgoing } from '../../../../src/send/outgoing.ts';
import { isServiceError, type ServiceError } from '../../../../src/util/errors.ts';
import { asks, nobodyAsked, outgoing, Stage } from '../../session/dispatchStage.ts';
import { byUser, HelperStage, never } from './helperStage.ts';

const realNow = Date.now;

/** A service with its own clock, whose keys name the time at which they expire. */
class Turns {
  readonly helper = new HelperStage();
  readonly gate = new Stage();
  /** The time at the service, in milliseconds since the epoch. */
  time = Date.UTC(2026, 10, 26, 10);
  /** How far this machine's clock is ahead of it. */
  aheadMs = 0;
  lifeMs = 2_000;
  readonly authorizations: string[] = [];
  readonly logged: string[] = [];
  /** Called before a request is judged. */
  onRequest: (count: number) => void = () => undefined;
  answer: (response: ServerResponse, request: IncomingMessage) => boolean = () => false;
  from = byUser(this.helper.script(`cat '${join(this.helper.folder, 'answer')}'`));
  readonly #server = createServer((request, response) => this.#serve(request, response));
  readonly #client = createServiceClient({
    logger: {
      ...this.gate.parts.logger,
      debug: (line) => this.logged.push(line),
      info: (line) => this.logged.push(line),
      warn: (line) => this.logged.push(line),
    },
    userAgent: 'svc-coder/test',
    storedKeys: async () => this.helper.keys.all,
    clock: this.helper.clock,
    clockAndRandom: { now: () => Date.now(), random: Math.random },
    rules: { baseMs: 1, maxMs: 1, jitterMs: 0 },
  });
  readonly dispatch = createDispatch({
    ...this.gate.parts,
    apiKey: (connection, signal = never) => this.helper.keys.get(this.from, connection, signal),
    helpers: {
      helperId: () => JSON.stringify(this.from),
      identityOf: (connection, apiKey) => this.helper.keys.subjectOf(this.from, connection, apiKey),
      isReady: (connection) => this.helper.keys.isReady(this.from, connection),
      renew: (connection, refused, signal) => this.helper.keys.renew(this.from, connection, refused, signal),
    },
    chatClient: async () => this.#client,
  });
  #count = 0;

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.gate.settings['svc.baseUrl'] = `${this.origin}/api/v1`;
    Date.now = () => this.time + this.aheadMs;
    this.helper.askTime = async () => void (await this.#client.health({ baseUrl: `${this.origin}/api/v1` }, never));
    this.publish();
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Makes the next key of the helper. */
  publish(): void {
    this.#count += 1;
    const expires = this.time + this.lifeMs;
    const key = `svc_ent_key_${this.#count}_${expires}`;
    const answer = { key, expiresAt: new Date(expires).toISOString(), subject: 'anna' };
    writeFileSync(join(this.helper.folder, 'answer'), JSON.stringify(answer));
  }

  async ask(change: Partial<Outgoing> = {}, confirm: ConfirmSend = nobodyAsked): Promise<string> {
    const { events } = await this.dispatch.send({ ...outgoing(asks('Hello')), ...change }, confirm, never);
    let text = '';
    for await (const batch of events) for (const event of batch) if (event.type === 'text-delta') text += event.text;
    return text;
  }

  async failure(...about: Parameters<Turns['ask']>): Promise<ServiceError> {
    const thrown = await this.ask(...about).then(
      () => assert.fail('it was answered'),
      (error: unknown) => error,
    );
    assert.ok(isServiceError(thrown), String(thrown));
    return thrown;
  }

  async stop(): Promise<void> {
    Date.now = realNow;
    await this.#client.dispose();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    this.helper.remove();
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    if (!request.url?.endsWith('/health')) this.onRequest(this.authorizations.length);
    this.authorizations.push(request.headers.authorization ?? '');
    response.sendDate = false;
    response.setHeader('date', new Date(this.time).toUTCString());
    if (this.answer(response, request)) return;
    if (request.url?.endsWith('/health')) return void response.end('{}');
    const expires = Number(/^Bearer svc_ent_key_\d+_(\d+)$/.exec(request.headers.authorization ?? '')?.[1] ?? 0);
    if (this.time >= expires) {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `Expired: ${request.headers.authorization}` } }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Hi' } }] })}\n\n`);
    response.end('data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
  }
}

describe('turns with the keys of a credential helper', () => {
  let turns: Turns;

  beforeEach(async () => {
    turns = new Turns();
    await turns.start();
  });
  afterEach(() => turns.stop());

  const requests = () => turns.authorizations.length;

  it('are all answered with keys of two seconds, and no key is on the disk, in a log, or in a record', async () => {
    const expired: string[] = [];
    turns.onRequest = (count) => {
      // Now and then, a key expires on its way.
      if (count % 23 === 7) {
        turns.time += 2_000;
        turns.publish();
      }
    };
    for (let turn = 0; turn < 1_000; turn += 1) {
      turns.time += [10, 150, 400, 1_900, 60_000][turn % 5] ?? 0;
      // The clock of this machine is set anew.
      if (turn % 250 === 249) turns.aheadMs = [3_600_000, -3_600_000, 0][Math.floor(turn / 250) % 3] ?? 0;
      turns.publish();
      const before = requests();
      assert.equal(await turns.ask(), 'Hi', `turn ${turn}`);
      const sent = turns.authorizations.slice(before).filter((header) => header !== '');
      assert.ok(sent.length <= 2, `turn ${turn} took ${sent.length} requests`);
      if (sent.length === 2) expired.push(sent[0] ?? '');
    }
    assert.ok(expired.length > 30 && expired.length < 60, String(expired.length));
    assert.equal(turns.gate.kinds.filter((kind) => kind === 'request-outcome').length, 1_000);
    const outcomes = turns.gate.audited.filter((entry) => entry.kind === 'request-outcome');
    assert.ok(outcomes.every(({ outcome }) => outcome === 'complete'));
    assert.equal(
      outcomes.reduce((sum, { retries = 0 }) => sum + retries, 0),
      expired.length,
    );
    const everywhere = [...turns.logged, ...turns.gate.log, JSON.stringify(turns.gate.audited)].join('\n');
    assert.doesNotMatch(everywhere, /svc_ent_key/);
    assert.deepEqual(readdirSync(join(turns.helper.folder, 'storage')), []);
  });

  it('are repeated once, with a new key, if the service refuses the first', async () => {
    turns.answer = (response) => {
      turns.publish();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"No."}}');
      return true;
    };
    const error = await turns.failure();
    assert.equal(error.code, 'helper-refused');
    assert.equal(error.serviceMessage, 'No.');
    assert.equal(requests(), 2);
    assert.equal(new Set(turns.authorizations).size, 2);
    assert.equal(turns.gate.entry('request-outcome').retries, 1);
  });

  it('are not repeated if a web page refuses them', async () => {
    turns.answer = (response) => {
      response.writeHead(401, { 'content-type': 'text/html' }).end('<!doctype html><html><body>Sign in</body></html>');
      return true;
    };
    assert.equal((await turns.failure()).code, 'page');
    assert.equal(requests(), 1);
  });

  it('are not repeated if the helper prints the refused key again', async () => {
    turns.answer = (response) => {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"No."}}');
      return true;
    };
    const error = await turns.failure();
    assert.deepEqual([error.code, error.status], ['helper-refused', 401]);
    assert.equal(requests(), 1);
  });

  it('are not repeated beyond the limit of requests for one press of Send, which the repetition counts toward', async () => {
    turns.answer = (response) => {
      turns.publish();
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    const limit = new RequestLimit();
    await turns.failure({ limit });
    assert.equal(limit.left, mostRequests - 2);
    while (limit.take());
    const before = requests();
    await turns.failure({ limit });
    assert.equal(requests(), before + 1);
  });

  it('end with the reason if the helper fails when it is asked again', async () => {
    turns.answer = (response) => {
      turns.helper.script('exit 4');
      response.writeHead(401, { 'content-type': 'application/json' }).end('{}');
      return true;
    };
    const error = await turns.failure();
    assert.equal(error.code, 'helper');
    assert.equal(requests(), 1);
  });

  it('are sent after a wait with the key that is then valid', async () => {
    turns.answer = (response) => {
      if (requests() > 1) return false;
      turns.time += 5_000;
      turns.publish();
      response.writeHead(429, { 'retry-after-ms': '1' }).end();
      return true;
    };
    assert.equal(await turns.ask(), 'Hi');
    assert.equal(new Set(turns.authorizations).size, 2);
  });

  it('do not follow a redirect with the key', async () => {
    const other = new Turns();
    await other.start();
    try {
      for (const status of [301, 302, 307, 308]) {
        turns.answer = (response) => {
          response.writeHead(status, { location: `${other.origin}/api/v1/chat/completions` }).end();
          return true;
        };
        assert.equal((await turns.failure()).code, 'redirect');
      }
      assert.deepEqual(other.authorizations, []);
    } finally {
      await other.stop();
      Date.now = () => turns.time + turns.aheadMs;
    }
  });

  it('send the key of one address to no other', async () => {
    const other = new Turns();
    await other.start();
    try {
      await turns.ask();
      turns.gate.settings['svc.baseUrl'] = `${other.origin}/api/v1`;
      turns.helper.script('exit 5');
      assert.equal((await turns.failure()).code, 'helper');
      assert.deepEqual(other.authorizations, []);
    } finally {
      await other.stop();
      Date.now = () => turns.time + turns.aheadMs;
    }
  });

  it('are not sent if what may be sent changes while the helper runs', async () => {
    const { folder } = turns.helper;
    turns.from = byUser(turns.helper.script(`cat '${folder}/answer'; touch '${folder}/ran'`, 'slow.sh'));
    const { requestContext } = turns.gate.parts;
    assert.ok(requestContext);
    const { keys } = turns.helper;
    const get = keys.get.bind(keys);
    keys.get = async (...about) => {
      const key = await get(...about);
      turns.gate.rules = { ...turns.gate.rules, allowedOrigins: ['https://svc.example.com'] };
      return key;
    };
    const error = await turns.failure();
    assert.equal(error.kind, 'policy');
    assert.equal(requests(), 0);
    assert.equal(readFileSync(join(folder, 'ran'), 'utf8'), '');
  });

  it('are not sent if another helper is named between the question of the user and the sending', async () => {
    turns.gate.rules = { ...turns.gate.rules, requirePreview: true };
    let asked = 0;
    const error = await turns.failure({}, async () => {
      asked += 1;
      if (asked === 1) turns.helper.script('exit 6', 'other.sh');
      turns.from = byUser(join(turns.helper.folder, 'other.sh'));
      return 'send-masked';
    });
    assert.equal(error.code, 'helper');
    assert.equal(requests(), 0);
  });

  it('are not sent again by another helper that is named during a wait', async () => {
    turns.answer = (response) => {
      turns.from = byUser(turns.helper.script(`cat '${join(turns.helper.folder, 'answer')}'`, 'other.sh'));
      response.writeHead(429, { 'retry-after-ms': '1' }).end();
      return true;
    };
    const error = await turns.failure();
    assert.equal(error.code, 'changed');
    assert.deepEqual(error.details, { changes: ['key'] });
    assert.equal(requests(), 1);
  });
});
