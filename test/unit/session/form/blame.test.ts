import assert from 'node:assert/strict';
import { chatBody, readChatBody } from '../../../../src/client/chatBody.ts';
import { type Blame, blameOf, isRefusal } from '../../../../src/send/form/blame.ts';
import { ServiceError } from '../../../../src/util/errors.ts';

const names = ['read_file', 'search', 'listFiles', 'git-diff', 'a.b(c)'];

function bodyWith(count = names.length, isMaxTokensRenamed = false) {
  const offered = Array.from({ length: count }, (_, index) => names[index] ?? `tool${index}`);
  const body = chatBody({
    model: 'm',
    messages: [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Hello' },
    ],
    maxTokens: 256,
    isMaxTokensRenamed,
    temperature: 0.2,
    stream: true,
    asksUsage: true,
    offer: { choice: 'auto', tools: offered.map((name) => ({ name, description: 'Does.' })) },
  });
  return readChatBody(body);
}

const refusal = (serviceMessage: string, parameter?: string): ServiceError =>
  new ServiceError('request', 'no', { status: 400, serviceMessage, parameter });

const nothingSet = { maxTokens: false, temperature: false };
const blamed = (error: ServiceError, body = bodyWith(), isSet = nothingSet): Blame | null =>
  blameOf(error, { body, isSet });
const part = (change: string) => ({ is: 'part', change });
const tools = (...named: readonly string[]) => ({ is: 'named-tools', names: named });

describe('what a refusal blames', () => {
  const table: readonly (readonly [
    server: string,
    message: string,
    parameter: string | undefined,
    expected: object,
  ])[] = [
    ['OpenAI', "Unknown parameter: 'stream_options'.", 'stream_options', part('usage')],
    ['vLLM', 'Stream options can only be defined when `stream=True`.', undefined, part('usage')],
    ['Mistral', 'Extra inputs are not permitted', 'stream_options', part('usage')],
    ['Azure', 'Unrecognized request argument supplied: stream_options', undefined, part('usage')],
    ['a gateway', 'include_usage is not supported by this model', undefined, part('usage')],
    [
      'OpenAI o1',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      part('max-tokens-renamed'),
    ],
    ['a gateway', 'max_tokens: property not allowed', 'max_tokens', part('max-tokens')],
    ['LiteLLM', "UnsupportedParamsError: x does not support parameters: ['max_tokens']", undefined, part('max-tokens')],
    ['FastAPI', 'Extra inputs are not permitted', 'max_tokens', part('max-tokens')],
    ['a gateway', 'max_tokens must be at least 1024', 'max_tokens', part('max-tokens')],
    [
      'OpenAI o1',
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      'temperature',
      part('temperature'),
    ],
    ['Bedrock', 'temperature is deprecated for this model', undefined, part('temperature')],
    ['Gemma', 'System role not supported', undefined, part('system-role')],
    ['Google', 'Developer instruction is not enabled for models/gemma-3', undefined, part('system-role')],
    [
      'OpenAI o1',
      "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
      'messages[0].role',
      part('system-role'),
    ],
    ['Anthropic', 'messages: Unexpected role "system".', undefined, part('system-role')],
    ['a gateway', 'tool_choice is not supported', 'tool_choice', part('tool-choice')],
    [
      'vLLM',
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      undefined,
      { is: 'all-tools' },
    ],
    ['Ollama', 'registry.ollama.ai/library/gemma:2b does not support tools', undefined, { is: 'all-tools' }],
    ['OpenRouter', 'No endpoints found that support tool use.', undefined, { is: 'all-tools' }],
    ['Groq', '`tools` is not supported by this model', 'tools', { is: 'all-tools' }],
    [
      'OpenAI',
      "Invalid schema for function 'search': schema must have type 'object' and not have 'oneOf' at the top level.",
      'tools[1].function.parameters',
      tools('search'),
    ],
    ['Anthropic', 'tools.3.custom.input_schema: JSON schema is invalid.', undefined, tools('git-diff')],
    [
      'Gemini',
      '* GenerateContentRequest.tools[0].function_declarations[2].parameters.properties: should be non-empty',
      undefined,
      tools('listFiles'),
    ],
    ['FastAPI', 'Field required', 'tools.0.function.parameters', tools('read_file')],
    ['vLLM', "[{'loc': ('body', 'tools', 2, 'function')}]", undefined, tools('listFiles')],
    ['a gateway', 'Tool a.b(c): name must match ^[a-zA-Z0-9_-]+$', undefined, tools('a.b(c)')],
    [
      'a gateway',
      'The function read_file and the function git-diff have no parameters.',
      undefined,
      tools('read_file', 'git-diff'),
    ],
    ['a gateway', 'Tools that search are not described. Invalid tool.', undefined, { is: 'some-tools' }],
    ['a gateway', 'Invalid tools', 'tools', { is: 'some-tools' }],
    [
      'Azure AI',
      "Extra parameters ['stream_options'] are not allowed when extra-parameters is not set or set to be 'error'.",
      undefined,
      part('usage'),
    ],
    ['Fireworks', "Extra inputs are not permitted, field: 'stream_options'", undefined, part('usage')],
    [
      'GPUStack',
      "[{'loc': ('body', 'stream_otpions'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]",
      undefined,
      part('usage'),
    ],
    [
      'llama.cpp',
      'Only user, assistant and tool roles are supported, got system. at row 100',
      undefined,
      part('system-role'),
    ],
    ['vLLM', 'Conversation roles must alternate user/assistant/user/assistant/...', undefined, part('system-role')],
    [
      'llama.cpp',
      'Error: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles',
      undefined,
      { is: 'messages' },
    ],
    ['llama.cpp', 'tools param requires --jinja flag', undefined, { is: 'all-tools' }],
    ['Mistral', "Unexpected role 'tool' after role 'user'", undefined, { is: 'messages' }],
    ['Mistral', 'Not the same number of function calls and responses', undefined, { is: 'messages' }],
    ['Mistral', 'Expected last role User or Tool for serving but got assistant', undefined, { is: 'messages' }],
    [
      'OpenAI',
      "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      'messages.[3].role',
      { is: 'messages' },
    ],
    [
      'OpenAI',
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
      'messages',
      { is: 'messages' },
    ],
    [
      'Anthropic',
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1',
      undefined,
      { is: 'messages' },
    ],
    [
      'Gemini',
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      undefined,
      { is: 'messages' },
    ],
    [
      'Gemini',
      'Function call is missing a thought_signature in functionCall parts. Additional data, function call `read`, position 2.',
      undefined,
      { is: 'messages' },
    ],
    [
      'Anthropic',
      'messages.1.content.0.type: Expected `thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block',
      undefined,
      { is: 'messages' },
    ],
    [
      'Mistral',
      'Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.',
      undefined,
      { is: 'messages' },
    ],
    [
      'DeepSeek',
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      undefined,
      { is: 'messages' },
    ],
    ['Groq', 'Failed to call a function. Please adjust your prompt.', undefined, { is: 'some-tools' }],
    ['a gateway', "'oneOf' is not supported in the schema of a tool", undefined, { is: 'some-tools' }],
  ];

  for (const [server, message, parameter, expected] of table) {
    it(`${server}: ${message.slice(0, 80)}`, () => assert.deepEqual(blamed(refusal(message, parameter)), expected));
  }

  for (const message of [
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 150 instead.",
    'The number of tools (150) exceeds the maximum of 128.',
    'Too many tools provided: 150 > 128',
    'tools: List should have at most 128 items after validation, not 150',
    'Maximum 128 tools allowed',
    'too many tools',
  ]) {
    it(`names the number that is taken: ${message.slice(0, 60)}`, () => {
      const blame = blamed(refusal(message), bodyWith(150));
      assert.ok(blame?.is === 'named-tools');
      assert.deepEqual([blame.names.length, blame.names[0], blame.names.at(-1)], [22, 'tool128', 'tool149']);
    });
  }

  it('is nothing where the words are about something else, or the request does not have it', () => {
    for (const message of [
      '',
      'Bad Request',
      'Invalid model config',
      'The request body is not valid.',
      'prompt rejected',
    ]) {
      assert.equal(blamed(refusal(message)), null, message);
    }
    const {
      stream_options: _,
      tools: __,
      tool_choice: ___,
      temperature: ____,
      max_tokens: _____,
      ...bare
    } = bodyWith();
    const plain = { ...bare, messages: bare.messages.slice(1) };
    for (const [, message, parameter] of table) {
      const found = blamed(refusal(message, parameter), plain);
      // Of the messages, nothing can be left out.
      assert.ok(found === null || found.is === 'messages', message);
    }
  });

  it('is a setting of the user only where its value is out of range', () => {
    const isSet = { maxTokens: true, temperature: true };
    for (const [message, parameter, expected] of [
      ['max_tokens is too large: 99999. This model supports at most 4096 completion tokens.', 'max_tokens', 'setting'],
      ['temperature should be in range [0, 2]', undefined, 'setting'],
      ["Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens', 'part'],
      ["'temperature' does not support 0.2. Only the default (1) value is supported.", 'temperature', 'part'],
    ] as const) {
      assert.equal(blamed(refusal(message, parameter), bodyWith(), isSet)?.is, expected, message);
      assert.equal(blamed(refusal(message, parameter))?.is, 'part', message);
    }
  });

  it('is max_tokens under its newer name, too: then it is left out', () => {
    const message = "Unsupported parameter: 'max_completion_tokens'.";
    assert.deepEqual(blamed(refusal(message, 'max_completion_tokens'), bodyWith(5, true)), part('max-tokens'));
  });

  it('never the model, the messages or stream', () => {
    assert.equal(blamed(refusal('messages[2].role must be one of user, assistant', 'messages[2].role')), null);
    for (const parameter of ['model', 'messages', 'stream', 'messages[3].content', 'Svc-Security-Level']) {
      assert.equal(blamed(refusal('Invalid value.', parameter)), null, parameter);
    }
  });

  it('is asked only of refusals of the form', () => {
    assert.ok(isRefusal(refusal('no')));
    assert.ok(isRefusal(new ServiceError('request', 'no', { status: 422 })));
    // A server's failure is of another kind.
    assert.ok(isRefusal(new ServiceError('request', 'no', { status: 500 })));
    assert.ok(!isRefusal(new ServiceError('server', 'no', { status: 500 })));
    for (const code of ['context-length', 'quota', 'content-filter'] as const) {
      assert.ok(!isRefusal(new ServiceError('request', 'no', { status: 400, code })));
    }
    assert.ok(!isRefusal(new ServiceError('request', 'no', { status: 404 })));
    assert.ok(!isRefusal(new Error('no')));
  });
});
