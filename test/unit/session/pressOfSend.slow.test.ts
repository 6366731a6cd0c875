import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { createServiceClient } from '../../../src/client/serviceClient.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import { mostRequests } from '../../../src/send/form/requestLimit.ts';
import { Session } from '../../../src/session/session.ts';
import { demoKey } from '../../service/options.ts';
import type { RawAnswer } from '../../service/scenarioQueue.ts';
import { type LocalService, startService } from '../../service/service.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { fieldsOf } from '../../tools/turns.ts';
import { Stage } from './dispatchStage.ts';
import { FakeToolbox } from './fakeToolbox.ts';

const refuse =
  (status: number, message: string, headers: Readonly<Record<string, string>> = {}): RawAnswer =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(message === '' ? '' : JSON.stringify({ error: { message } }));
  };
const stream =
  (...chunks: readonly object[]): RawAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      `${chunks.map((chunk) => `data: ${JSON.stringify({ choices: [chunk] })}\n\n`).join('')}data: [DONE]\n\n`,
    );
  };
const half = { index: 0, id: 'c', function: { name: 'look', arguments: '{"at' } };

/** What a service may say to one attempt. */
const causes = {
  'too long': refuse(
    400,
    "This model's maximum context length is 900 tokens. However, your messages resulted in 1000.",
  ),
  tool: refuse(400, "Invalid schema for function 'look'."),
  'no tools': refuse(400, 'This model does not support tools.'),
  usage: refuse(400, "Unknown parameter: 'stream_options'."),
  'max tokens': refuse(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
  system: refuse(422, 'System role not supported'),
  silent: refuse(400, ''),
  template: refuse(500, 'Jinja Exception: System role not supported'),
  order: refuse(400, "Unexpected role 'tool' after role 'user'"),
  filter: refuse(400, 'Blocked by the content filter.'),
  'cut call': stream({ delta: { tool_calls: [half] } }, { delta: {}, finish_reason: 'length' }),
  'wait 0': refuse(429, 'Slow down.', { 'retry-after': '0' }),
  'wait 0.01': refuse(503, 'Slow down.', { 'retry-after': '0.01' }),
  'wait until 1970': refuse(429, 'Slow down.', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  'wait -5': refuse(429, 'Slow down.', { 'retry-after': '-5' }),
  'wait forever': refuse(429, 'Slow down.', { 'retry-after': '99999999999999999999' }),
  'wait nonsense': refuse(429, 'Slow down.', { 'retry-after': 'soon' }),
  failed: refuse(502, ''),
  'no key': refuse(401, 'Invalid key.'),
  page: (response) => {
    response.writeHead(403, { 'content-type': 'text/html' });
    response.end('<html>Access denied</html>');
  },
  reset: (response) => void response.socket?.resetAndDestroy(),
  empty: stream(),
} as const satisfies Record<string, RawAnswer>;
const press = fc.record({
  gets: fc.array(fc.constantFrom(...(Object.keys(causes) as (keyof typeof causes)[])), { maxLength: 9 }),
  isAgain: fc.boolean(),
  newKey: fc.boolean(),
});

describe('one press of Send, whatever the service says', () => {
  let service: LocalService;
  before(async () => {
    service = await startService({ keys: ['svc_ent_other_0123456789abcdef'] });
  });
  after(() => service.close());

  /** Presses Send as often as there are entries; checks the requests of each. */
  async function check(all: readonly (typeof press extends fc.Arbitrary<infer T> ? T : never)[], isPreviewed: boolean) {
    service.clear();
    const stage = new Stage();
    Object.assign(stage.settings, { 'svc.baseUrl': service.baseUrl, 'svc.compliance.securityLevel': 'high' });
    stage.key = demoKey;
    if (isPreviewed) stage.rules = { ...openPolicy, requirePreview: true };
    const rules = { baseMs: 1, maxMs: 1, jitterMs: 0 };
    const client = createServiceClient({ logger: stage.parts.logger, userAgent: 'svc-coder/test', rules });
    const session = new Session(
      createDispatch({ ...stage.parts, chatClient: async () => client }),
      new FakeToolbox().source,
    );
    const seen: string[] = [];
    const shown = new Set<unknown>();
    session.onDidChange((event) => {
      if (event.type !== 'turn-changed' || event.turn.state.status !== 'confirming') return;
      const { confirmation, asked = 0, id = '' } = fieldsOf(event.turn);
      if (confirmation === undefined || shown.has(confirmation)) return;
      shown.add(confirmation);
      seen.push(confirmation.preview.request.body);
      // The turn waits for it after this event.
      setImmediate(() => session.decide(id, asked, 'send-masked'));
    });
    try {
      for (const { gets, isAgain, newKey } of all) {
        if (newKey) stage.key = stage.key === demoKey ? 'svc_ent_other_0123456789abcdef' : demoKey;
        service.enqueue(...gets.map((name) => causes[name]));
        const from = service.chats.length;
        stage.audited.length = 0;
        seen.length = 0;
        const last = session.conversation.turns.at(-1);
        const question = { action: 'chat', prompt: 'word '.repeat(100), attachments: [] } as const;
        const turn = await (isAgain && last !== undefined ? session.retry(last.id) : session.ask(question));
        const posts = service.chats.slice(from);
        const intents = stage.audited.filter(({ kind }) => kind === 'request-intent');
        const outcomes = stage.audited.filter((entry) => entry.kind === 'request-outcome');
        const retries = outcomes.reduce((sum, entry) => sum + (entry.retries ?? 0), 0);
        assert.ok(intents.length <= mostRequests, `${intents.length} requests`);
        assert.equal(outcomes.length, intents.length);
        // Each attempt belongs to a request that was admitted and recorded.
        assert.equal(posts.length, intents.length + retries);
        assert.ok(outcomes.every((entry) => (entry.retries ?? 0) <= 3));
        for (const { headers } of posts) {
          assert.equal(headers['svc-security-level'], 'high');
          assert.equal(headers.authorization, `Bearer ${stage.key}`);
        }
        if (isPreviewed) {
          assert.equal(seen.length, intents.length, 'each is previewed');
          assert.deepEqual([...new Set(posts.map(({ body }) => body))], [...new Set(seen)]);
        }
        // More than one request is told, or the answer itself says that it was cut.
        const isTold =
          turn?.state.memory.sentForm !== undefined ||
          turn?.lastRequest?.sentAgain !== undefined ||
          turn?.answer.isWithoutTools;
        const cuts = gets.slice(0, posts.length).includes('cut call');
        if (turn?.state.status === 'complete' && intents.length > 1) assert.ok(isTold || cuts, gets.join());
        if (turn?.state.memory.sentForm !== undefined && !cuts)
          assert.equal(turn.state.memory.sentForm.requests, intents.length);
        service.clear();
      }
    } finally {
      session.dispose();
      await client.dispose();
    }
  }

  for (const isPreviewed of [false, true]) {
    it(`becomes six requests at most, each recorded${isPreviewed ? ' and previewed' : ''}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(press, { minLength: 1, maxLength: 3 }), (all) => check(all, isPreviewed)),
        { numRuns: 80 },
      );
    });
  }

  it('each pair of causes keeps the limits of one press of Send', async () => {
    const names = Object.keys(causes) as (keyof typeof causes)[];
    for (const one of names) {
      for (const two of names) {
        await check([{ gets: [one, two, one, two], isAgain: false, newKey: false }], false);
      }
    }
  });
});
