import assert from 'node:assert/strict';
import type { ChatBody } from '../../../../src/client/chatBody.ts';
import { LearnedForms } from '../../../../src/send/form/learnedForms.ts';
import { mostRequests, RequestLimit } from '../../../../src/send/form/requestLimit.ts';
import type { Outgoing } from '../../../../src/send/outgoing.ts';
import type { DispatchEvent } from '../../../../src/send/withAuditOutcome.ts';
import { isServiceError, ServiceError } from '../../../../src/util/errors.ts';
import { openPolicy } from '../../../tools/managedPolicy.ts';
import { answering, asks, outgoing, Stage } from '../dispatchStage.ts';
import { bad, Strict } from './strict.ts';

const plain = outgoing(asks('Hello'));
const offering = (...names: readonly string[]): Outgoing => ({
  ...plain,
  offer: { tools: names.map((name) => ({ name, description: 'Looks.' })), choice: 'auto' },
  withoutTools: () => plain,
});
const namesIn = ({ tools = [] }: ChatBody): readonly string[] => tools.map(({ function: { name } }) => name);
const formIn = (events: readonly DispatchEvent[]) => events.find((event) => event.type === 'in-form');
const refused = (error: unknown): boolean => isServiceError(error) && error.kind === 'request';

describe('dispatch: an optional parameter that a service refuses', () => {
  const asked: Outgoing = { ...plain, maxTokens: 256, temperature: 0 };

  it('is left out or renamed as the service says, once, and remembered for the address and the model', async () => {
    const stage = new Strict(({ max_tokens, temperature, stream_options }) => {
      if (stream_options !== undefined) return bad("Unknown parameter: 'stream_options'.", 'stream_options');
      if (max_tokens !== undefined) return bad("Use 'max_completion_tokens' instead of 'max_tokens'.", 'max_tokens');
      return temperature === undefined ? null : bad('temperature is not supported by this model');
    });
    const events = await stage.send(asked);
    assert.deepEqual(formIn(events), {
      type: 'in-form',
      requests: 4,
      changed: ['usage', 'max-tokens-renamed', 'temperature'],
      unsent: [],
      tools: [],
    });
    assert.equal(stage.bodies().length, 4);
    assert.equal(formIn(await stage.send(asked)), undefined);
    const [again, ...more] = stage.bodies();
    assert.deepEqual(more, []);
    assert.deepEqual(Object.keys(again ?? {}), ['model', 'messages', 'stream', 'max_completion_tokens']);
    assert.equal(again?.max_completion_tokens, 256);
    stage.settings['svc.model.chat'] = 'svc/other';
    await stage.send(asked);
    assert.equal(stage.bodies().length, 4);
  });

  it('is left out if the service takes it under no name', async () => {
    const stage = new Strict(({ max_tokens, max_completion_tokens: renamed }) =>
      max_tokens === undefined && renamed === undefined
        ? null
        : bad('Unsupported parameter: max_tokens. Use max_completion_tokens.', 'max_tokens'),
    );
    await stage.send(asked);
    assert.equal(stage.bodies().length, 3);
    await stage.send(asked);
    const [body, ...more] = stage.bodies();
    assert.deepEqual([more, body?.max_tokens, body?.max_completion_tokens], [[], undefined, undefined]);
  });

  it('a parameter that the user has set is left out only if the service names it and accepts no value, and this is reported', async () => {
    const stage = new Strict(({ temperature }) =>
      temperature === undefined ? null : bad('temperature is not supported'),
    );
    stage.settings['svc.request.temperature'] = 0.3;
    for (const requests of [2, 1, 1]) {
      const form = formIn(await stage.send(plain));
      assert.deepEqual([form?.requests, form?.unsent], [requests, ['temperature']]);
    }
    stage.bodies();
    const ranged = new Strict(({ max_tokens }) =>
      max_tokens === undefined ? null : bad('max_tokens must be at most 4096'),
    );
    ranged.settings['svc.request.maxTokens'] = 8192;
    await assert.rejects(ranged.send(plain), refused);
    assert.equal(ranged.bodies().length, 1);
    const silent = new Strict(({ temperature }) => (temperature === undefined ? null : bad('')));
    silent.settings['svc.request.temperature'] = 0.3;
    await assert.rejects(silent.send(plain), refused);
    assert.ok(silent.bodies().every(({ temperature }) => temperature === 0.3));
  });

  it('parameters that the user has not set are left out if the service does not name the refused one', async () => {
    const stage = new Strict(({ max_tokens }) => (max_tokens === undefined ? null : bad('')));
    await stage.send(asked);
    assert.equal(stage.bodies().length, 3);
    await stage.send(asked);
    assert.equal(stage.bodies().length, 1);
  });

  it('the system role: its rules precede the question', async () => {
    const stage = new Strict(({ messages }) =>
      messages.some(({ role }) => role === 'system') ? bad('System role not supported') : null,
    );
    const rules = { role: 'system', parts: ['Rules.'], secrets: 'mask' } as const;
    await stage.send(outgoing(rules, asks('Hello')));
    const [, { messages = [] } = {}] = stage.bodies();
    assert.deepEqual(messages, [{ role: 'user', content: 'Rules.\n\nHello' }]);
    await stage.send(outgoing(rules));
    assert.deepEqual(stage.bodies()[0]?.messages, [{ role: 'user', content: 'Rules.' }]);
  });

  it('tool_choice: left out where it is what services do without it', async () => {
    const stage = new Strict(({ tool_choice }) =>
      tool_choice === undefined ? null : bad('tool_choice is not supported', 'tool_choice'),
    );
    await stage.send(offering('look'));
    const [, second] = stage.bodies();
    assert.deepEqual([namesIn(second as ChatBody), second?.tool_choice], [['look'], undefined]);
    const needing: Outgoing = { ...plain, offer: { ...offering('look').offer, tools: [], choice: 'required' } };
    const tools = [{ name: 'look', description: 'Looks.' }];
    await assert.rejects(stage.send({ ...needing, offer: { tools, choice: 'required' } }), refused);
    assert.ok(stage.bodies().every((body) => body.tool_choice === 'required'));
  });

  it('is never a header, the model, the messages or stream', async () => {
    for (const parameter of ['model', 'messages', 'stream', 'Svc-Security-Level']) {
      const stage = new Strict(() => bad('Invalid value.', parameter));
      stage.settings['svc.compliance.securityLevel'] = 'high';
      await assert.rejects(stage.send({ ...asked, ...offering('look') }), refused);
      for (const { request } of stage.sent) {
        const { model, messages, stream } = JSON.parse(request.body);
        assert.deepEqual([model, messages.length, stream], ['svc/auto', 1, true]);
        assert.ok(request.headers.some(([name, value]) => name === 'Svc-Security-Level' && value === 'high'));
      }
    }
  });
});

describe('dispatch: a tool that a service refuses', () => {
  const names = Array.from({ length: 16 }, (_, index) => `tool_${index}`);
  const refusing = (message: (name: string) => string, ...bads: readonly string[]) =>
    new Strict((body) => {
      const found = namesIn(body).find((name) => bads.includes(name));
      return found === undefined ? null : bad(message(found));
    });

  it('is found by its name: only it is left out, and the user is told', async () => {
    const stage = refusing((name) => `Invalid schema for function '${name}'.`, 'tool_3', 'tool_9');
    const form = formIn(await stage.send(offering(...names)));
    assert.deepEqual([form?.requests, form?.tools], [3, ['tool_3', 'tool_9']]);
    stage.bodies();
    const later = formIn(await stage.send(offering(...names)));
    assert.deepEqual([later?.requests, later?.tools], [1, ['tool_3', 'tool_9']]);
  });

  it('half of the tools are left out if the service does not name the refused one, and later requests narrow it down to that tool', async () => {
    for (const name of ['tool_0', 'tool_7', 'tool_8', 'tool_15']) {
      const stage = refusing(() => 'Invalid tool schema.', name);
      const first = formIn(await stage.send(offering(...names)));
      assert.equal(first?.tools.length, 8, 'half of them are offered');
      for (let times = 0; times < 8; times += 1) {
        await stage.send(offering(...names));
        assert.ok(stage.bodies().length <= mostRequests);
      }
      assert.deepEqual(formIn(await stage.send(offering(...names)))?.tools, [name]);
      assert.equal(stage.bodies().length, 1);
    }
  });

  it('the answer comes without tools if both halves have a refused tool, and later requests offer the accepted tools', async () => {
    const stage = refusing(() => 'Invalid tool schema.', 'tool_2', 'tool_11');
    const events = await stage.send(offering(...names));
    assert.ok(events.some(({ type }) => type === 'without-tools'));
    for (let times = 0; times < 16; times += 1) await stage.send(offering(...names));
    assert.deepEqual(formIn(await stage.send(offering(...names)))?.tools, ['tool_2', 'tool_11']);
  });

  it('all tools are offered again after transient errors', async () => {
    let left = 3;
    const stage = new Strict(() => {
      left -= 1;
      return left >= 0 ? bad('') : null;
    });
    await stage.send(offering(...names));
    for (let times = 0; times < 8; times += 1) await stage.send(offering(...names));
    stage.bodies();
    await stage.send(offering(...names));
    assert.deepEqual(stage.bodies().map(namesIn), [names]);
  });

  it('more than it takes: the first ones are offered, and the rest is named', async () => {
    const many = Array.from({ length: 150 }, (_, index) => `t_${index}`);
    const stage = new Strict((body) =>
      namesIn(body).length > 128 ? bad('tools: array too long. Expected maximum length 128, got 150.') : null,
    );
    const form = formIn(await stage.send(offering(...many)));
    assert.deepEqual([form?.requests, form?.tools], [2, many.slice(128)]);
  });

  it('all are offered again with other tools, and if the user asks again', async () => {
    const stage = refusing((name) => `Invalid tool '${name}'.`, 'tool_1');
    await stage.send(offering('tool_0', 'tool_1'));
    stage.bodies();
    await stage.send(offering('tool_0', 'tool_1', 'tool_2'));
    assert.deepEqual(stage.bodies().map(namesIn), [
      ['tool_0', 'tool_1', 'tool_2'],
      ['tool_0', 'tool_2'],
    ]);
    await stage.send(offering('tool_0', 'tool_1'));
    assert.deepEqual(stage.bodies().map(namesIn), [['tool_0']]);
    await stage.send({ ...offering('tool_0', 'tool_1'), isAgain: true });
    assert.deepEqual(stage.bodies().map(namesIn), [['tool_0', 'tool_1'], ['tool_0']]);
  });

  it('a model that says that it takes none is asked once', async () => {
    const stage = new Strict(({ tools }) => (tools === undefined ? null : bad('This model does not support tools.')));
    await stage.send(offering(...names));
    assert.equal(stage.bodies().length, 2);
    await stage.send(offering(...names));
    assert.equal(stage.bodies().length, 1);
  });

  it('the messages: they are sent once as text, and the tools stay', async () => {
    const call = { id: 'c', name: 'look', input: {} };
    const messages = [
      asks('Look'),
      { role: 'assistant', parts: [''], secrets: 'mask', toolCalls: [call] },
      { role: 'tool', parts: ['seen'], secrets: 'mask', label: 'look', toolCallId: 'c' },
    ] as const;
    const stage = new Strict((body) =>
      body.messages.some(({ role }) => role === 'tool')
        ? bad("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
        : null,
    );
    const asked = { ...offering('look', 'list'), messages };
    const events = await stage.send({ ...asked, withoutTools: () => ({ ...plain, messages }) });
    assert.ok(events.some(({ type }) => type === 'without-tools'));
    assert.deepEqual(stage.bodies().map(namesIn), [['look', 'list'], []]);
    // Another conversation has its tools.
    await stage.send(offering('look', 'list'));
    assert.deepEqual(stage.bodies().map(namesIn), [['look', 'list']]);
    // Without tools, nothing else can be tried.
    const refusing = new Strict(() => bad("Unexpected role 'tool' after role 'user'"));
    await assert.rejects(refusing.send({ ...plain, maxTokens: 9, temperature: 0 }), refused);
    assert.equal(refusing.bodies().length, 1);
  });

  it('a model that takes other tools later is no longer one that takes none', () => {
    const learned = new LearnedForms();
    learned.addNoTools('https://a/api/v1 m', offering('a'));
    const about = {
      connection: { ok: true, connection: { baseUrl: 'https://a/api/v1' } },
      options: { ok: true, options: { model: 'm' } },
    } as Parameters<LearnedForms['known']>[0];
    assert.equal(learned.known(about).withoutTools, 'all');
    learned.noteTools('https://a/api/v1 m');
    assert.deepEqual(learned.known(about).withoutTools, new Set());
  });

  it('a request that cannot do without its tools fails with the words of the service', async () => {
    const stage = new Strict(({ tools }) => (tools === undefined ? null : bad('This model does not support tools.')));
    const { withoutTools: _, ...needing } = offering(...names);
    await assert.rejects(stage.send(needing), { serviceMessage: 'This model does not support tools.' });
    assert.equal(stage.bodies().length, 1);
  });
});

describe('dispatch: the requests of one press of Send', () => {
  it('are six at most, whatever is refused', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `tool_${index}`);
    const stage = new Strict((body) => {
      const [name] = namesIn(body);
      return name === undefined ? null : bad(`Invalid schema for function '${name}'.`);
    });
    await assert.rejects(stage.send(offering(...names)), refused);
    assert.equal(stage.bodies().length, mostRequests);
    assert.equal(stage.audited.filter(({ kind }) => kind === 'request-intent').length, mostRequests);
    // What was named is known: the next press goes on from there.
    await assert.rejects(stage.send(offering(...names)), refused);
    assert.deepEqual(namesIn(stage.bodies()[0] as ChatBody), names.slice(5));
  });

  it('are six for all of them together where they share a limit', async () => {
    const stage = new Strict(() => bad(''));
    const limit = new RequestLimit();
    for (let times = 0; times < 3; times += 1) {
      await assert.rejects(stage.send({ ...offering('a_1', 'b_2'), limit }), refused);
    }
    // Each send is one request at least: the limit is for what is sent beyond.
    assert.equal(stage.bodies().length, mostRequests - 1 + 3);
    assert.equal(limit.left, 0);
    assert.equal(limit.take(), false);
  });

  it('are one where it has no use to send another', async () => {
    for (const code of ['quota', 'content-filter'] as const) {
      const stage = new Stage();
      // biome-ignore lint/correctness/useYield: it fails before anything of an answer
      stage.answer = async function* () {
        throw new ServiceError('request', 'no', { status: 400, code });
      };
      await assert.rejects(stage.send(offering('look')), { code });
      assert.equal(stage.sent.length, 1);
    }
  });

  it('are each previewed where the user reviews requests', async () => {
    const stage = new Strict(({ stream_options, tools }) => {
      if (stream_options !== undefined) return bad('stream_options is not supported');
      return namesIn({ tools } as ChatBody).includes('b_2') ? bad("Invalid tool 'b_2'.") : null;
    });
    stage.rules = { ...openPolicy, requirePreview: true };
    const { confirmSend, seen } = answering('send-masked', 'send-masked', 'send-masked');
    await stage.send(offering('a_1', 'b_2'), confirmSend);
    assert.deepEqual(
      seen.map(({ preview }) => preview.request.body),
      stage.sent.map(({ request }) => request.body),
    );
    assert.deepEqual(
      seen.map(({ resentBecause: because }) =>
        because === undefined || because === 'too-long' ? because : [...because.changes],
      ),
      [undefined, ['usage'], ['usage']],
    );
  });

  it('have no trial of tools that may cost another one where the limit is reached', async () => {
    const stage = new Strict((body) => (namesIn(body).includes('b_2') ? bad('Invalid tool.') : null));
    await stage.send(offering('a_1', 'b_2'));
    stage.bodies();
    const limit = new RequestLimit();
    while (limit.take());
    await stage.send({ ...offering('a_1', 'b_2'), limit });
    assert.deepEqual(stage.bodies().map(namesIn), [['a_1']]);
  });
});

describe('what is known of the forms that services take', () => {
  const about = (model: string) =>
    ({
      connection: { ok: true, connection: { baseUrl: 'https://a/api/v1', origin: 'https://a' } },
      options: { ok: true, options: { model } },
    }) as Parameters<LearnedForms['known']>[0];

  it('is told for the next request, and forgotten for its address and model only', () => {
    const learned = new LearnedForms();
    const forgotten: string[] = [];
    learned.onDidForget(({ origin, model }) => forgotten.push(`${origin} ${model}`));
    for (const model of ['m', 'n']) {
      learned.addChanges(`https://a/api/v1 ${model}`, ['usage']);
      learned.changeTools(`https://a/api/v1 ${model}`, offering('a', 'b'), (known) => known.withNamed(['b']));
    }
    learned.forget(about('m'));
    assert.deepEqual(learned.known(about('m')), { changes: new Set(), withoutTools: new Set() });
    assert.deepEqual(learned.known(about('n')), { changes: new Set(['usage']), withoutTools: new Set(['b']) });
    assert.deepEqual(forgotten, ['https://a m']);
    const form = { changes: new Set(['usage']), withoutTools: new Set(['b']) };
    assert.deepEqual(learned.knownAt('https://a/api/v1'), [{ model: 'n', form }]);
    assert.deepEqual(learned.knownAt('https://a/api'), []);
    learned.forgetAt('https://b');
    learned.forgetAt(undefined);
    assert.equal(learned.knownAt('https://a/api/v1').length, 1);
    learned.forgetAt('https://a');
    assert.deepEqual(learned.knownAt('https://a/api/v1'), []);
  });
});
