import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { readErrorBody } from '../../../src/client/answer/errorBody.ts';
import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import { errorInAnswer, fromResponse } from '../../../src/client/serviceError.ts';
import { processorMs } from '../../tools/processorTime.ts';

const filter = keyFilter(['svc_ent_key']);
const url = new URL('http://127.0.0.1:1/api/v1/chat/completions');

function refused(status: number, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fromResponse({ status, headers: {} }, text, { url, filter, now: 0 });
}

/** Wordings of real servers, and the number of tokens that the model reads. */
const wordings: readonly (readonly [server: string, status: number, body: unknown, tokens: number | undefined])[] = [
  [
    'OpenAI',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    8192,
  ],
  [
    'OpenAI, with tools',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens (202767 in the messages, 101 in the functions). Please reduce the length of the messages or functions.",
      },
    },
    128_000,
  ],
  [
    'OpenAI, older',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 4097 tokens, however you requested 6539 tokens (6283 in your prompt; 256 for the completion). Please reduce your prompt; or completion length.",
      },
    },
    4097,
  ],
  [
    'OpenAI, newer',
    400,
    {
      error: {
        message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        code: 'context_length_exceeded',
      },
    },
    undefined,
  ],
  [
    'Azure',
    400,
    {
      error: {
        message:
          'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 509178 tokens. Please reduce the length of the messages.',
        code: 'context_length_exceeded',
      },
    },
    272_000,
  ],
  [
    'Azure, without a code',
    400,
    { error: { message: 'Input tokens exceed the configured limit of 272000 tokens. Your messages have 509178.' } },
    272_000,
  ],
  [
    'vLLM',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 4096 tokens. However, you requested 5112 tokens (4600 in the messages, 512 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    4096,
  ],
  [
    'vLLM, about the answer',
    400,
    {
      error: {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 4096. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (4096 > 8192 - 5000).",
        type: 'BadRequestError',
        code: 400,
      },
    },
    8192,
  ],
  [
    'vLLM, newer',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 32768 tokens. However, you requested 512 output tokens and your prompt contains at least 32300 input tokens, for a total of at least 32812 tokens.",
      },
    },
    32_768,
  ],
  [
    'SGLang',
    400,
    {
      object: 'error',
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: 'BadRequestError',
      code: 400,
    },
    40_960,
  ],
  [
    'SGLang, the cache',
    400,
    { message: 'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens).' },
    59_862,
  ],
  [
    'TGI',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32512. Given: 31991 `inputs` tokens and 1024 `max_new_tokens`',
      error_type: 'validation',
    },
    32_512,
  ],
  ['TGI, input', 422, { error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000' }, 4096],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 14_429,
        n_ctx: 8192,
      },
    },
    8192,
  ],
  [
    'llama.cpp, older',
    500,
    {
      error: {
        code: 500,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 1407,
        n_ctx: 1024,
      },
    },
    1024,
  ],
  [
    'llama.cpp, newer',
    400,
    {
      error: {
        code: 400,
        message: 'request (9000 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
      },
    },
    4096,
  ],
  [
    'llama-cpp-python',
    400,
    { error: { message: 'Requested tokens (2285) exceed context window of 2048', type: 'internal_server_error' } },
    2048,
  ],
  [
    'Anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 209353 tokens > 199999 maximum' },
    },
    199_999,
  ],
  [
    'Anthropic, with the answer',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
    200_000,
  ],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message: 'Prompt contains 33000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt',
      code: '3051',
    },
    32_768,
  ],
  ['Ollama', 400, { error: 'input exceeds context length' }, undefined],
  [
    'Ollama, with the OpenAI interface',
    400,
    { error: { message: 'input length exceeds the context length' } },
    undefined,
  ],
  ['LM Studio', 400, { error: 'Input length 1581 exceeds context length 1500' }, 1500],
  [
    'LM Studio, newer',
    400,
    {
      error:
        'Trying to keep the first 10042 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
    4096,
  ],
  [
    'LiteLLM',
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: litellm.ContextWindowExceededError: AnthropicError - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 209303 tokens > 200000 maximum"}}\nReceived Model Group=x\nAvailable Model Group Fallbacks=None',
        type: null,
        param: null,
        code: '400',
      },
    },
    200_000,
  ],
  [
    'LiteLLM without its class',
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: AnthropicException - b\'{"type":"error","error":{"type":"invalid_request_error","message":"input length and `max_tokens` exceed context limit: 179413 + 32768 > 200000, decrease input length or `max_tokens` and try again"}}\'. Received Model Group=x',
        code: '400',
      },
    },
    200_000,
  ],
  [
    'Gemini',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    1_048_576,
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }, undefined],
  [
    'xAI',
    400,
    {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    131_072,
  ],
  [
    'Groq',
    400,
    {
      error: {
        message: 'Please reduce the length of the messages or completion.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    },
    undefined,
  ],
  [
    'Cerebras',
    400,
    {
      message: 'Please reduce the length of the messages or completion. Current length is 9123 while limit is 8192',
      type: 'invalid_request_error',
    },
    8192,
  ],
  [
    'GitHub Models',
    413,
    {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      },
    },
    8000,
  ],
  [
    'Copilot',
    400,
    {
      error: {
        message: 'prompt token count of 140000 exceeds the limit of 128000',
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
    128_000,
  ],
  [
    'Cohere',
    400,
    { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5210.' },
    4081,
  ],
  [
    'Moonshot',
    400,
    {
      error: {
        message: 'Invalid request: Your request exceeded model token limit: 8192',
        type: 'invalid_request_error',
      },
    },
    8192,
  ],
  // The number in brackets is a code.
  ['MiniMax', 400, { error: { message: 'invalid params, context window exceeds limit (2013)' } }, undefined],
  ['a message of by how much', 400, { message: 'The context window was exceeded by 5000 tokens.' }, undefined],
  [
    'DashScope',
    400,
    { error: { message: 'Range of input length should be [1, 30720]', code: 'invalid_parameter_error' } },
    30_720,
  ],
  ['a gateway', 413, 'The prompt is too long: at most 16,384 tokens.\n', 16_384],
  ['FastAPI', 422, { detail: [{ msg: 'Too many tokens (limit is 6,000)' }] }, 6000],
];

/** What looks alike and is something else. */
const nearMisses: readonly (readonly [what: string, status: number, body: unknown])[] = [
  [
    'tokens per minute',
    413,
    {
      error: {
        message:
          'Request too large for model `x` in organization `y` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
  ],
  ['a rate limit', 400, { error: { message: 'Rate limit: too many tokens, reduce the length of the messages.' } }],
  ['429', 429, { error: { message: 'prompt is too long', code: 'context_length_exceeded' } }],
  ['a quota', 400, { error: { message: 'You exceeded your quota of tokens.' } }],
  [
    'the length of the answer (OpenAI)',
    400,
    {
      error: {
        message:
          'max_tokens is too large: 8000. This model supports at most 4096 completion tokens, whereas you provided 8000.',
      },
    },
  ],
  [
    'the length of the answer (Anthropic)',
    400,
    { error: { message: 'max_tokens: 10000 > 4096, which is the maximum allowed number of output tokens for x' } },
  ],
  ['the size in bytes', 413, { error: { message: 'Request exceeds the maximum size', type: 'request_too_large' } }],
  ['nothing but a status', 413, ''],
  ['a page of nginx', 413, '<html><head><title>413 Request Entity Too Large</title></head></html>'],
  ['an unknown field', 400, { error: { message: 'Unrecognized request argument supplied: context_length' } }],
  ['a field of a wrong type', 422, { detail: [{ msg: 'context_window: value is not a valid integer' }] }],
  ['tools', 400, { error: { message: '"auto" tool choice requires --enable-auto-tool-choice to be set' } }],
  ['tools that are too many', 400, { error: { message: "Invalid 'tools': array too long. Expected 128, got 200." } }],
  ['a token of another kind', 400, { error: { message: 'The token exceeds its lifetime.' } }],
  ['the words of the request', 422, { detail: [{ msg: 'Field required', input: 'prompt is too long' }] }],
  ['the key', 401, { error: { message: 'prompt is too long' } }],
  ['a fault', 502, { error: { message: 'prompt is too long' } }],
];

/** An error text as public threads and sources have it. `tokens` is absent where it names no window. */
interface Known {
  readonly server: string;
  /** Where it is: `owner/repository#issue`, a file of a repository, or `none found`; `same words`, with other numbers. */
  readonly source: string;
  readonly status: number;
  readonly message?: string;
  /** The whole body, where it is more than an error with a message and a code. */
  readonly body?: unknown;
  readonly code?: string | number;
  readonly isTooLong: boolean;
  readonly tokens?: number;
}

const sets = ['first', 'later', 'drawn', 'again'] as const;

const known = (set: (typeof sets)[number]): readonly Known[] =>
  readFileSync(`test/fixtures/contextLimits/${set}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('error texts of servers', () => {
  // The words and shapes were written for the first set; the second was kept aside until then. The third and the fourth were
  // drawn from public threads later: 14 of 20 and 22 of 26 were right the first time.
  for (const set of sets) {
    for (const { server, status, message, body, code, isTooLong, tokens } of known(set)) {
      it(`${set}: ${server}: ${(message ?? JSON.stringify(body)).slice(0, 60)}`, () => {
        const found = refused(status, body ?? { error: { message, ...(code === undefined ? {} : { code }) } });
        assert.deepEqual([found.code === 'context-length', found.contextTokens], [isTooLong, tokens]);
      });
    }
  }

  const neighbors: readonly (readonly [message: string, tokens: number | 'none' | 'not too long'])[] = [
    ['上下文长度 9000 超过最大值 8192', 8192],
    ['输入超出 4021 个 token', 'none'],
    ['输入内容过长，请缩短后重试', 'none'],
    ['超过 8192 个 token 的限制，输入过长', 8192],
    ['輸入長度 9000 超過上限 8192', 8192],
    ['入力トークン数(150000)がモデルの上限(131072)を超えています。', 131_072],
    ['コンテキスト長 9000 が上限 8192 を超えました', 8192],
    ['プロンプトが長すぎます。', 'none'],
    ['Context window exceeded by 500 tokens', 'none'],
    ['prompt is too long: it is 4,021 tokens over the limit', 'none'],
    ['Your prompt exceeds the context length by about 4021 tokens (window: 8192)', 8192],
    ['本月 token 额度已超过上限', 'not too long'],
    ['每分钟 tokens 超过限制 60000', 'not too long'],
    ['输出长度超过最大限制 4096', 'not too long'],
    ['max_tokens 超过最大值 8192', 'not too long'],
    ['1分間のトークン数の上限を超えました', 'not too long'],
    ['You have exceeded your daily token budget', 'not too long'],
    ['Your credit balance of tokens was exceeded', 'not too long'],
    ['You exceeded the tokens of your weekly subscription', 'not too long'],
    ['Internal server error', 'not too long'],
    ['Your session exceeds the max length', 'none'],
    ['The conversation exceeds the maximum allowed size', 'none'],
    ["The field 'user' exceeds max length 64", 'not too long'],
    ['Request body too large. Max size: 10 MB', 'not too long'],
    ['Request body too large for phi-4 model. Max size: 16,000 tokens.', 16_000],
    ['messages size 5000000 exceeds limit 4194304', 'none'],
    ['Your prompt has 140,000 tokens, but the context window is 128,000 tokens', 128_000],
    ['Your plan has 5000 tokens, but this needs more', 'not too long'],
    ['The context window of svc/v2.5-70b is 65,536 tokens, which the input exceeds', 65_536],
    ['The context length of model-2 for 8 users is exceeded', 'none'],
    ['The prompt was 9000 tokens, while the context size is 8192 tokens', 8192],
    ['This model supports up to 8192 tokens of context; the input is too long', 8192],
    ['The context window is not configured for a 9000 token prompt', 'not too long'],
    ['This model supports up to 5 tools', 'not too long'],
    ['Input is too long. Maximum sequence length is 4096', 4096],
  ];
  for (const [message, tokens] of neighbors) {
    it(`neighbor: ${message}`, () => {
      for (const status of [400, 424, 500]) {
        const found = refused(status, { error: { message } });
        assert.deepEqual(
          [found.code === 'context-length', found.contextTokens],
          tokens === 'not too long' ? [false, undefined] : [true, tokens === 'none' ? undefined : tokens],
        );
      }
    });
  }

  /** What OpenRouter passes on of the server behind it. */
  const behind = (raw: unknown) => ({ error: { message: 'Provider returned error', code: 400, metadata: { raw } } });
  const tooLong = { message: 'prompt is too long: 202128 tokens > 200000 maximum' };

  it('may be those of a server behind a gateway', () => {
    for (const raw of [JSON.stringify({ error: tooLong }), { error: tooLong }, tooLong.message]) {
      const { code, contextTokens, serviceMessage } = refused(400, behind(raw));
      assert.deepEqual(
        { code, contextTokens, serviceMessage },
        {
          code: 'context-length',
          contextTokens: 200_000,
          serviceMessage: `Provider returned error: ${tooLong.message}`,
        },
      );
    }
    const parameter = { error: { message: "Unsupported parameter: 'temperature'", param: 'temperature' } };
    assert.equal(refused(400, behind(JSON.stringify(parameter))).parameter, 'temperature');
    assert.equal(refused(400, behind({ error: { message: 'You have run out of credits' } })).code, 'quota');
    assert.equal(refused(400, behind('the key svc_ent_key')).serviceMessage, 'Provider returned error: the key <key>');
    for (const nothing of [null, '', 5, '<html>gone</html>', '{"error":', behind(behind(tooLong))]) {
      const { code, serviceMessage } = refused(400, behind(nothing));
      assert.deepEqual([code, serviceMessage?.startsWith('Provider returned error')], [undefined, true]);
    }
  });

  it('take no time, whatever they repeat', () => {
    const parts = [
      '1,',
      '9',
      'exceeds ',
      '> ',
      '超过',
      '上限 ',
      'tokens ',
      'prompt ',
      '(',
      'by 1 ',
      'max_',
      'limit ',
      ' ',
      'コンテキスト',
      'session exceeds ',
      'too large. ',
      'message size ',
    ];
    for (const part of [
      ...parts,
      ...parts.map((one) => `1${one}`),
      ...parts.map((one) => `${one}prompt is too long `),
    ]) {
      const times = [1, 2, 3].map(() => {
        const startedAt = processorMs();
        refused(400, { error: { message: `prompt is too long: ${part.repeat(9000)}` } });
        return processorMs() - startedAt;
      });
      assert.ok(Math.min(...times) < 300, part);
    }
  });

  it('are of more than 20 servers', () => {
    const all = sets.flatMap(known);
    assert.deepEqual(
      all.filter(({ source }) => source === undefined || source === ''),
      [],
    );
    assert.ok(all.length >= 60 && new Set(all.map(({ server }) => server)).size > 20);
  });
});

describe('a request that is too long for the model', () => {
  for (const [server, status, body, tokens] of wordings) {
    it(`a request that is too long is recognized in the words of ${server}`, () => {
      const { kind, code, externalCode, contextTokens, isRetryable, ...error } = refused(status, body);
      assert.deepEqual(
        [kind, code, externalCode, contextTokens, isRetryable],
        ['request', 'context-length', undefined, tokens, false],
      );
      assert.deepEqual([error.status, error.serviceMessage === undefined], [status, false]);
    });
  }

  for (const [what, status, body] of nearMisses) {
    it(`is not ${what}`, () => {
      const { code, contextTokens } = refused(status, body);
      assert.deepEqual([code === 'context-length', contextTokens], [false, undefined]);
    });
  }

  it('is recognized in an answer of status 200, too', () => {
    for (const [server, , body, tokens] of wordings) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const { kind, code, contextTokens } = errorInAnswer(text, filter);
      // llama.cpp's older form has a status and a code of its own.
      assert.deepEqual([kind, code, contextTokens], ['request', 'context-length', tokens], server);
    }
    assert.equal(errorInAnswer('{"error":{"message":"prompt is too long","code":429}}', filter).code, undefined);
  });

  it('has no number that no model reads', () => {
    for (const limit of ['0', '511', '16777217', '99999999999999999999', '-4096', '1e6', '4096.5', 'many']) {
      const body = { error: { message: `This model's maximum context length is ${limit} tokens.` } };
      const { code, contextTokens = 'none' } = refused(400, body);
      // The sign and the fraction are not part of the number.
      assert.deepEqual([code, contextTokens], ['context-length', /4096/.test(limit) ? 4096 : 'none'], limit);
    }
    const nCtx = (n_ctx: unknown) =>
      refused(400, { error: { type: 'exceed_context_size_error', message: '', n_ctx } }).contextTokens;
    assert.deepEqual([4096, 0, -1, 4096.5, '4096', null].map(nCtx), [4096, ...Array(5).fill(undefined)]);
  });

  it('takes no time to recognize, and never a number that is not there', () => {
    const word = fc.constantFrom(
      ...['maximum context length is', 'tokens', 'exceeds', 'token count', 'context window', '>', '`', '(', '.', ','],
      ...[
        'limit',
        ':',
        'at most',
        'reduce the length of the',
        'messages',
        'inputs',
        'must be <=',
        '8192',
        '1',
        'too many',
      ],
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 3000 }), fc.constantFrom(' ', ''), (parts, between) => {
        const message = parts.join(between);
        const startedAt = processorMs();
        const { contextLimit } = readErrorBody(JSON.stringify({ error: { message } }), filter, 400);
        assert.ok(processorMs() - startedAt < 500);
        const tokens = contextLimit?.tokens;
        if (tokens !== undefined) assert.ok(message.replaceAll(',', '').includes(String(tokens)));
      }),
      { numRuns: 300 },
    );
  });
});
