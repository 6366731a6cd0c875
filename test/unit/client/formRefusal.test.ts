import assert from 'node:assert/strict';
import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import { fromResponse } from '../../../src/client/serviceError.ts';

const about = { url: new URL('https://api.test/api/v1/chat/completions'), filter: keyFilter([]), now: 0 };
const errorOf = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fromResponse({ status, headers }, typeof body === 'string' ? body : JSON.stringify(body), about);
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

const refusals: readonly (readonly [server: string, body: unknown])[] = [
  ['llama.cpp', said('Error: Jinja Exception: System role not supported', { code: 500, type: 'server_error' })],
  ['llama.cpp', said('tools param requires --jinja flag', { code: 500, type: 'server_error' })],
  ['llama.cpp', said('Only user and assistant roles are supported! at row 12', { code: 500 })],
  ['Ollama', { error: "raise_exception('Conversation roles must alternate user/assistant')" }],
  ['vLLM', 'As of transformers v4.44, default chat template is no longer allowed'],
  ['LiteLLM', said("litellm.UnsupportedParamsError: x does not support parameters: ['tools']", { code: '500' })],
  ['LiteLLM', said('litellm.BadRequestError: OpenAIException - no', { code: '500' })],
  ['a gateway', said('no', { type: 'invalid_request_error' })],
  ['Bedrock', { message: 'An error occurred (ValidationException) when calling the ConverseStream operation' }],
  ['a gateway', said("Unknown parameter: 'stream_options'")],
];
const failures: readonly unknown[] = [
  '',
  'Internal Server Error',
  said('The server had an error while processing your request', { type: 'server_error' }),
  said('CUDA out of memory'),
  said('upstream error: do request failed', { type: 'upstream_error' }),
  { success: false, error: { code: 'INTERNAL_SERVER_ERROR', status: 500, message: 'An unexpected error occurred.' } },
  { error: 'EngineDeadError: the role of the worker is unknown' },
];

describe('a server that answers 500 to what it does not take', () => {
  for (const [server, body] of refusals) {
    it(`${server}: ${JSON.stringify(body).slice(0, 80)} is a refusal, and is not sent again`, () => {
      const { kind, status, isRetryable, code } = errorOf(500, body);
      assert.deepEqual([kind, status, isRetryable, code], ['request', 500, false, undefined]);
      // Where the service says that it is worth another try, or another server answers, it failed.
      assert.ok(errorOf(500, body, { 'x-should-retry': 'true' }).isRetryable);
      for (const other of [502, 503, 529]) assert.equal(errorOf(other, body).kind, 'server');
    });
  }

  it('is not every failure', () => {
    for (const body of failures) {
      const { kind, isRetryable } = errorOf(500, body);
      assert.deepEqual([kind, isRetryable], ['server', true], JSON.stringify(body));
    }
  });
});
