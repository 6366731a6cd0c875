import assert from 'node:assert/strict';
import { createServiceClient } from '../../../src/client/serviceClient.ts';
import type { NetworkOptions } from '../../../src/client/transport/network.ts';
import { addedByFetch, addedByUndici, type Header, wireHeaders } from '../../../src/client/wireRequest.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../../src/policy/connection.ts';
import { resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import { resolvePreview } from '../../../src/policy/resolvePreview.ts';
import type { ConfirmationChoice, Preview } from '../../../src/send/confirmation.ts';
import { createDispatch, type Dispatch } from '../../../src/send/dispatch.ts';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import {
  chunked,
  delta,
  done,
  finish,
  lastChunk,
  type RawServer,
  sseHead,
  startRawServer,
  whole,
} from '../../tools/rawServer.ts';
import { user } from '../policy/layers.ts';
import { recognizing } from './recognition.ts';

const apiKey = 'svc_ent_the-key';
const answer = [sseHead, chunked(delta('Text')), chunked(finish()), chunked(done), lastChunk];
const logger = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const question: Outgoing = {
  action: 'chat',
  modelKey: 'svc.model.chat',
  folders: [],
  messages: [{ role: 'user', parts: ['Grüße “SECRET”\u2028'], secrets: 'ask' }],
};
const all = {
  'svc.compliance.securityLevel': 'maximum',
  'svc.compliance.dataResidency': 'eu-west',
  'svc.compliance.audit': true,
  'svc.compliance.zeroRetention': false,
  'svc.compliance.frameworks': ['hipaa', 'gdpr'],
};

/** A dispatch with a real client, in front of a server that records what it receives. */
function open(
  server: RawServer,
  stack: NonNullable<NetworkOptions['stack']>,
  values: object,
): Dispatch & AsyncDisposable {
  const layers = [user({ 'svc.baseUrl': `${server.origin}/api/v1`, ...values })];
  const client = createServiceClient({
    logger,
    userAgent: 'svc-coder/1.2.3',
    network: () => ({ stack }),
    rules: { baseMs: 1, maxMs: 2, jitterMs: 0 },
  });
  const dispatch = createDispatch({
    requestContext: ({ modelKey }) => ({
      isTrusted: true,
      managed: { state: 'none' },
      policy: resolvePolicy(layers),
      connection: resolveConnection(layers),
      options: resolveRequestOptions(layers, modelKey),
      preview: resolvePreview(layers),
      settingsFiles: [],
    }),
    exclusion: async () => null,
    recognition: async () => recognizing({}),
    scanner: async () => ({
      scanText: async (text) => {
        const start = text.indexOf('SECRET');
        return start < 0 ? [] : [{ rule: 'word', start, end: start + 6, line: 1 }];
      },
      maskText: async (text, found) => (found.length === 0 ? text : text.replaceAll('SECRET', '[masked: word]')),
    }),
    apiKey: async () => apiKey,
    requireDelivery: async () => undefined,
    reserve: async (_, record) => void (await record()),
    userAgent: 'svc-coder/1.2.3',
    audit: { record: async () => {} },
    logger,
    chatClient: async () => client,
  });
  return { ...dispatch, [Symbol.asyncDispose]: () => client.dispose() };
}

async function send(dispatch: Dispatch, choice: ConfirmationChoice): Promise<Preview> {
  let shown: Preview | undefined;
  const { events } = await dispatch.send(
    question,
    async ({ preview, asIs }) => {
      shown = choice === 'send-as-is' ? asIs : preview;
      return choice;
    },
    new AbortController().signal,
  );
  for await (const _ of events);
  return shown ?? assert.fail('nothing was shown');
}

const lower = (headers: readonly Header[]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));

describe('the preview equals the request on the wire', () => {
  for (const stack of ['undici', 'vscode'] as const) {
    for (const [choice, stream, values] of [
      ['send-masked', true, all],
      ['send-as-is', false, {}],
    ] as const) {
      it(`${stack}, ${choice}: address, each header and the body`, async () => {
        const server = await startRawServer(({ send: reply, sendEach }) =>
          stream
            ? sendEach(answer)
            : reply(whole(200, JSON.stringify({ choices: [{ message: { content: 'x' }, finish_reason: 'stop' }] }))),
        );
        await using dispatch = open(server, stack, { ...values, 'svc.request.stream': stream });
        const { request } = await send(dispatch, choice);
        const [received] = server.requests;
        assert.ok(received);
        assert.equal(server.requests.length, 1);
        assert.equal(request.url, server.origin + received.path);
        assert.equal(request.method, received.method);
        assert.equal(request.body, received.body);
        assert.equal(received.body.includes('SECRET'), choice === 'send-as-is');
        const shown = lower(wireHeaders(request, apiKey));
        const added = [...addedByUndici, ...(stack === 'vscode' ? addedByFetch : [])].map((name) => name.toLowerCase());
        for (const name of new Set([...Object.keys(shown), ...Object.keys(received.headers)])) {
          if (added.includes(name)) assert.equal(shown[name], undefined, `${name} is ours after all`);
          else assert.equal(received.headers[name], shown[name], name);
        }
        // Every header that is named exists.
        assert.deepEqual(
          added.filter((name) => !(name in received.headers)),
          [],
        );
        await server.close();
      });
    }
  }

  it('a retried request is the same', async () => {
    const server = await startRawServer(({ index, send: reply, sendEach }) =>
      index === 0 ? reply(whole(503, '')) : sendEach(answer),
    );
    await using dispatch = open(server, 'undici', all);
    const { request } = await send(dispatch, 'send-masked');
    assert.equal(server.requests.length, 2);
    for (const { body, headers } of server.requests) {
      assert.equal(body, request.body);
      assert.equal(headers['svc-security-level'], 'maximum');
    }
    await server.close();
  });

  it('has a placeholder in place of the key, and no key', async () => {
    const server = await startRawServer(() => {});
    await using dispatch = open(server, 'undici', all);
    const preview = await dispatch.preview(question);
    assert.ok(!JSON.stringify(preview).includes(apiKey));
    assert.deepEqual(wireHeaders(preview.request, '<key>')[0], ['Authorization', 'Bearer <key>']);
    await server.close();
  });
});
