import assert from 'node:assert/strict';
import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import { errorInAnswer, fromResponse } from '../../../src/client/serviceError.ts';
import { processorMs } from '../../tools/processorTime.ts';

const filter = keyFilter([]);
const about = { url: new URL('https://api.test/api/v1/chat/completions'), filter, now: 0 };
const errorOf = (status: number, body: unknown) =>
  fromResponse({ status, headers: {} }, typeof body === 'string' ? body : JSON.stringify(body), about);
const said = (message: string, more: object = {}) => ({ error: { message, ...more } });

const table: readonly (readonly [server: string, status: number, body: unknown, code: string])[] = [
  [
    'Azure',
    400,
    said("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {
      code: 'content_filter',
      param: 'prompt',
    }),
    'content-filter',
  ],
  ['Azure', 400, said('The response was filtered.', { code: 'ResponsibleAIPolicyViolation' }), 'content-filter'],
  [
    'OpenAI',
    400,
    said('Your request was rejected as a result of our safety system.', { code: 'moderation_blocked' }),
    'content-filter',
  ],
  [
    'OpenAI',
    400,
    said('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', {
      code: 'invalid_prompt',
    }),
    'content-filter',
  ],
  [
    'DashScope',
    400,
    said('Input data may contain inappropriate content.', { code: 'data_inspection_failed' }),
    'content-filter',
  ],
  ['Bedrock', 400, { message: 'Guardrail intervened: the input is not allowed.' }, 'content-filter'],
  ['LiteLLM', 400, said('Violated content safety policy', { type: 'None', code: '400' }), 'content-filter'],
  [
    'LiteLLM',
    400,
    said('Budget has been exceeded! Current cost: 10.2, Max budget: 10.0', { type: 'budget_exceeded', code: '400' }),
    'quota',
  ],
  ['a gateway', 400, said('ExceededBudget: User x has exceeded their budget.'), 'quota'],
  [
    'Anthropic',
    400,
    said('Your credit balance is too low to access the API.', { type: 'invalid_request_error' }),
    'quota',
  ],
  [
    'OpenAI',
    403,
    said('You exceeded your current quota, please check your plan and billing details.', {
      code: 'insufficient_quota',
    }),
    'quota',
  ],
  ['a gateway', 403, { detail: 'Monthly token limit reached for this team.' }, 'quota'],
  ['DeepSeek', 402, said('Insufficient Balance'), 'quota'],
  ['OpenRouter', 402, 'Payment Required', 'quota'],
  ['a gateway', 403, 'Daily quota exhausted', 'quota'],
  ['a gateway', 422, said('The organization has run out of credits.'), 'quota'],
  ['a gateway', 400, said('exceeded your monthly token limit'), 'quota'],
  ['Volcengine', 403, said('The account is overdue: 账户已欠费'), 'quota'],
  ['a gateway', 403, said('用户额度不足, 剩余额度: 0'), 'quota'],
];

describe('a refusal that will not pass', () => {
  for (const [server, status, body, code] of table) {
    it(`${server}, ${status}: ${JSON.stringify(body).slice(0, 90)}`, () => {
      const error = errorOf(status, body);
      assert.deepEqual([error.kind, error.code, error.status, error.isRetryable], ['request', code, status, false]);
      assert.notEqual(error.serviceMessage, '');
    });
  }

  it('is not every refusal with such a word', () => {
    for (const [status, body] of [
      [400, said("Unknown parameter: 'content_filter'.")],
      [400, said("Invalid schema for function 'check_quota_exceeded'.")],
      [400, said('max_tokens is too large')],
      [400, said('temperature exceeds the limit of 2')],
      [403, said('This key may not use the model svc/auto.', { code: 'model_forbidden' })],
      [403, said('Access denied by policy')],
      [403, 'Access to this site has been blocked by your organization policy.'],
      [403, { error: 'Request blocked: the URL category "AI" is not allowed by corporate policy' }],
      [403, { message: 'Blocked by the content filter of your company' }],
      [403, 'Web request blocked by firewall policy 12'],
      [400, said('Bad request')],
      [400, ''],
    ] as const) {
      assert.equal(errorOf(status, body).code, undefined, JSON.stringify(body));
    }
    // 429 has a kind and words of its own.
    assert.equal(
      errorOf(429, said('You exceeded your current quota', { code: 'insufficient_quota' })).kind,
      'rateLimit',
    );
  });

  it('is one of money, even where the status asks to wait', () => {
    for (const [message, isLasting] of [
      ['Your team has either used all available credits or reached its monthly spending limit.', true],
      ['Your credit balance is exhausted', true],
      ['Insufficient account balance', true],
      ['账户余额不足，请充值', true],
      ['You exceeded your current quota. Please retry in 58s.', false],
      ['Rate limit reached for requests per minute', false],
      ['The load of the balancer is too high', false],
    ] as const) {
      const error = errorOf(429, said(message));
      assert.deepEqual([error.kind, error.isRetryable], ['rateLimit', !isLasting], message);
    }
  });

  it('is recognized in an answer of status 200', () => {
    assert.equal(
      errorInAnswer(JSON.stringify(said('Blocked by the content filter.', { status: 400 })), filter).code,
      'content-filter',
    );
  });
});

describe('a web page instead of an error', () => {
  for (const status of [401, 403, 511]) {
    it(`${status}: it says no part of the key`, () => {
      for (const page of [
        '<!DOCTYPE html><html><body>Access denied by FortiGate</body></html>',
        '\n <html>quota exceeded</html>',
      ]) {
        const error = errorOf(status, page);
        assert.deepEqual([error.code, error.status, error.serviceMessage], ['page', status, undefined]);
        assert.ok(!error.isRetryable);
      }
      assert.equal(errorOf(status, said('no')).code, undefined);
      assert.equal(errorOf(status, '').code, undefined);
    });
  }
});

describe('the words of an error in other shapes', () => {
  const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
  for (const [name, body, words] of [
    ['XML of AWS', `${xml}<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`, 'Access Denied'],
    ['XML without its first line', '<ErrorResponse><Error><Message>No</Message></Error></ErrorResponse>', 'No'],
    ['SOAP', '<soap:Fault><faultstring xml:lang="en">Policy Falsified</faultstring></soap:Fault>', 'Policy Falsified'],
    ['a page in XHTML', `${xml}<html><body><message>Sign in</message></body></html>`, undefined],
    ['XML without words', `${xml}<Error><Message> </Message></Error>`, undefined],
    ['an object as the message', said('x', { message: { text: 'Not here' } }), 'Not here'],
    ['JSON as the message', said(JSON.stringify(said('Inner words'))), 'Inner words'],
    ['JSON of the message without words', said('{"a":1}'), '{"a":1}'],
    ['a text that is no JSON', said('{not so}'), '{not so}'],
  ] as const) {
    it(name, () => {
      const error = errorOf(403, body);
      assert.equal(error.serviceMessage, words);
      const isMarkup = typeof body === 'string' && words === undefined;
      assert.equal(error.code, isMarkup ? 'page' : undefined);
    });
  }

  it('a request that is too long is recognized in JSON inside the message', () => {
    const inner = { error: { message: 'prompt is too long: 9000 tokens > 8192 maximum' } };
    const { code, contextTokens, isRetryable } = errorOf(500, said(JSON.stringify(inner)));
    assert.deepEqual([code, contextTokens, isRetryable], ['context-length', 8192, false]);
  });

  it('the key in an XML error is masked, in bounded time', () => {
    const key = 'svc_ent_0123456789abcdef0123';
    const masked = fromResponse({ status: 403, headers: {} }, `<Error><Message>No ${key}</Message></Error>`, {
      ...about,
      filter: keyFilter([key]),
    });
    assert.equal(masked.serviceMessage, 'No <key>');
    const startedAt = processorMs();
    errorOf(403, `<?xml?>${'<message a'.repeat(6_000)}`);
    assert.ok(processorMs() - startedAt < 1_000);
  });
});

describe('the field that a refusal names', () => {
  it('is kept as a name, whatever its shape', () => {
    for (const [body, parameter] of [
      [said('no', { param: 'max_tokens' }), 'max_tokens'],
      [said('no', { param: 'tools[3].function.parameters' }), 'tools[3].function.parameters'],
      [{ message: 'no', param: 'temperature' }, 'temperature'],
      [{ detail: [{ loc: ['body', 'tools', 3, 'function'], msg: 'Field required' }] }, 'tools.3.function'],
      [said('no', { param: 'with blanks and more' }), undefined],
      [said('no', { param: 'x'.repeat(300) }), undefined],
      [said('no', { param: null }), undefined],
      [said('no', { param: 7 }), undefined],
    ] as const) {
      assert.equal(errorOf(400, body).parameter, parameter, JSON.stringify(body));
    }
  });

  it('is never the key', () => {
    const key = 'svc_ent_0123456789abcdef0123';
    const error = fromResponse({ status: 400, headers: {} }, JSON.stringify(said('no', { param: key })), {
      ...about,
      filter: keyFilter([key]),
    });
    assert.equal(error.parameter, undefined);
  });
});
