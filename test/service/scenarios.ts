import {
  badGateway,
  cutAfterHeaders,
  emptyAnswer,
  hang,
  htmlPage,
  networkPage,
  rateLimit,
  redirect,
  refusals,
  resetBeforeHeaders,
  serverError,
} from './httpFaults.ts';
import { picky } from './pickyForms.ts';
import type { Scenario } from './scenario.ts';
import { strictRules } from './strict.ts';

/** Every behavior of the service by name. */
export const scenarios = {
  normal: { description: 'Answers as the interface document says.' },
  slow: { description: 'Pauses before every chunk of the answer.', delivery: { isSlow: true } },
  hang: { description: 'Takes the request and never sends even a header.', instead: hang },
  'rate-limit': {
    description: 'Answers 429 with Retry-After: 2 once, then normally.',
    times: 1,
    instead: rateLimit('seconds'),
  },
  'rate-limit-date': {
    description: 'Answers 429 with Retry-After as a date 2 s ahead once, then normally.',
    times: 1,
    instead: rateLimit('date'),
  },
  'rate-limit-long': { description: 'Answers 429 with Retry-After: 90 every time.', instead: rateLimit('long') },
  quota: {
    description: 'Answers 429 with the code insufficient_quota, which no retry can help.',
    instead: refusals.quota,
  },
  'server-error': { description: 'Answers 500 every time.', instead: serverError },
  'server-error-once': { description: 'Answers 500 once, then normally.', times: 1, instead: serverError },
  'bad-gateway-html': { description: 'Answers 502 with an HTML page, as a proxy does.', instead: badGateway },
  reset: { description: 'Resets the connection before any header.', instead: resetBeforeHeaders },
  'cut-before-token': {
    description: 'Sends the headers of a stream, then breaks the connection.',
    instead: cutAfterHeaders,
  },
  'cut-mid-stream': { description: 'Destroys the socket after some deltas.', delivery: { ending: 'cut' } },
  'end-without-done': {
    description: 'Ends the answer cleanly after some deltas, without finish_reason and [DONE].',
    delivery: { ending: 'no-finish' },
  },
  stall: {
    description: 'Sends some deltas, then nothing more, and keeps the socket open.',
    delivery: { ending: 'stall' },
  },
  'malformed-sse': {
    description: 'Sends some deltas, then an event whose data is broken JSON.',
    delivery: { ending: 'malformed' },
  },
  'error-in-stream': {
    description: 'Sends some deltas, then an event that carries an error object.',
    delivery: { ending: 'error' },
  },
  'json-instead-of-stream': {
    description: 'Answers a request for a stream with one whole JSON completion.',
    delivery: { neverStreams: true },
  },
  'html-instead-of-json': {
    description: 'Answers 200 with an HTML page, as a captive portal does.',
    instead: htmlPage,
  },
  empty: { description: 'Answers 200 with no body at all.', instead: emptyAnswer },
  'no-done': {
    description: 'Sends finish_reason but no [DONE], and keeps the socket open.',
    delivery: { ending: 'open' },
  },
  redirect: { description: 'Answers 307 with a Location at another origin.', instead: redirect },
  unauthorized: { description: 'Answers 401 whatever the key is.', instead: refusals.unauthorized },
  forbidden: { description: 'Answers 403 whatever the model is.', instead: refusals.forbidden },
  'too-large': { description: 'Answers 413 whatever the size is.', instead: refusals.tooLarge },
  'context-limit': {
    description: 'Refuses a request with more tokens than the model reads (32,768 unless told).',
    limitsContext: true,
  },
  'context-excess': {
    description: 'Refuses a request with more than 4,000 tokens, and names only how many are too many.',
    limitsContext: 'excess',
  },
  'context-chinese': {
    description: 'Refuses a request with more than 4,000 tokens, in Chinese.',
    limitsContext: 'chinese',
  },
  'context-server-error': {
    description: 'Answers 500 to a request with more than 4,000 tokens, in the words of a server that fails.',
    limitsContext: 'serverError',
  },
  strict: {
    description: 'Refuses all that strict services refuse: in roles, tools and parameters, and over 4,000 tokens.',
    isStrictAbout: strictRules,
  },
  'strict-roles': {
    description: 'Refuses messages whose roles do not alternate, and calls without tools or results.',
    isStrictAbout: ['roles'],
  },
  'strict-tools': {
    description: 'Refuses more than 8 tools, tools without properties, and schemas with alternatives at their top.',
    isStrictAbout: ['tools'],
  },
  'strict-parameters': {
    description: 'Refuses parameters that it does not know: max_tokens, temperature, stream_options.',
    isStrictAbout: ['parameters'],
  },
  'strict-window': {
    description: 'Refuses a request that has more than 4,000 tokens with the answer that it asks for.',
    isStrictAbout: ['window'],
  },
  'silent-cut': {
    description: 'Answers, and counts 4,096 tokens of the request whatever came.',
    delivery: { countsPrompt: 4096 },
  },
  'refuse-content': {
    description: 'Refuses to answer: no text, finish_reason content_filter.',
    delivery: { isRefused: true, finishReason: 'content_filter' },
  },
  length: {
    description: 'Stops in the middle of the answer with finish_reason length.',
    delivery: { finishReason: 'length' },
  },
  'network-error': {
    description: 'Stops in the middle of the answer with finish_reason network_error, as if nothing had happened.',
    delivery: { finishReason: 'network_error' },
  },
  'no-reason': {
    description: 'Sends all of the answer and [DONE], without a finish_reason.',
    delivery: { ending: 'no-reason' },
  },
  'no-reason-no-done': {
    description: 'Sends all of the answer, and ends it without finish_reason and [DONE].',
    delivery: { ending: 'unsaid' },
  },
  'early-reason': {
    description: 'Says finish_reason stop with each chunk of the answer.',
    delivery: { odd: 'early-reason' },
  },
  'null-reason': {
    description: 'Says finish_reason null, as a text, until the end of the answer.',
    delivery: { odd: 'null-reason' },
  },
  'error-object': {
    description: 'Sends some deltas, then an error without the field error, then [DONE].',
    delivery: { ending: 'error-object' },
  },
  'page-mid-stream': {
    description: 'Sends some deltas, then the web page of a proxy.',
    delivery: { ending: 'page' },
  },
  heartbeats: {
    description: 'Sends events that are not JSON objects between the others.',
    delivery: { odd: 'heartbeats' },
  },
  'bare-lines': {
    description: 'Sends lines of JSON instead of events after the first.',
    delivery: { odd: 'bare-lines' },
  },
  'wrong-coding': {
    description: 'Says that its stream is coded as gzip, and sends it plain.',
    delivery: { coding: 'gzip' },
  },
  'coding-utf-8': {
    description: 'Puts the character set into the content coding.',
    delivery: { coding: 'utf-8' },
  },
  created: { description: 'Answers with status 201.', delivery: { status: 201 } },
  'whole-message': {
    description: 'Repeats all of the answer in the last chunk.',
    delivery: { odd: 'whole-message' },
  },
  'call-second-choice': {
    description: 'Calls tools in the second choice.',
    delivery: { odd: 'second-choice' },
  },
  'call-older': { description: 'Calls tools with function_call.', delivery: { odd: 'older-call' } },
  'call-repeated': {
    description: 'Sends all of the input of a tool call again with each piece.',
    delivery: { odd: 'repeated-input' },
  },
  'call-as-text': {
    description: 'Writes a tool call into the text of the answer.',
    delivery: { writesCalls: true },
  },
  'calls-missing': {
    description: 'Ends an answer with finish_reason tool_calls, without a call.',
    delivery: { finishReason: 'tool_calls' },
  },
  'thinking-only': {
    description: 'Thinks, and ends the answer without any text.',
    delivery: { thinks: true, hasNoText: true, finishReason: 'stop' },
  },
  'security-contradiction': {
    description: 'Answers with a security object that says a lower level than was asked for.',
    delivery: { contradictsSecurity: true },
  },
  thinking: { description: 'Thinks before it answers, as models that reason do.', delivery: { thinks: true } },
  big: {
    description: 'Answers with a text of a given size (200,000 characters unless told).',
    delivery: { isBig: true },
  },
  'no-tools': { description: 'Answers 400 to a request with tools.', refuses: ['tools'] },
  'no-usage': { description: 'Answers 400 to a request with stream_options.', refuses: ['stream_options'] },
  'no-extras': {
    description: 'Answers 400 to a request with tools or stream_options.',
    refuses: ['tools', 'stream_options'],
  },
  'bad-tool': {
    description: 'Answers 400 to a request that offers list_files as the second tool, and names the tool.',
    picky: picky.namedTool,
  },
  'bad-tool-unnamed': {
    description: 'Answers 400 to a request that offers search_text, without naming what is wrong.',
    picky: picky.silentTool,
  },
  'few-tools': {
    description: 'Answers 400 to a request with more than 4 tools, and names the number.',
    picky: picky.fewTools,
  },
  'no-max-tokens': {
    description: 'Answers 400 to a request with max_tokens, and asks for max_completion_tokens.',
    picky: picky.noMaxTokens,
  },
  'no-temperature': { description: 'Answers 400 to a request with a temperature.', picky: picky.noTemperature },
  'no-system-role': {
    description: 'Answers 400 to a request with a system message.',
    picky: picky.noSystemRole,
  },
  'no-system-template': {
    description: 'Answers 500 to a request with a system message, in the words of a template.',
    picky: picky.noSystemTemplate,
  },
  'no-message-order': {
    description: 'Answers 400 to a request with the result of a tool, whatever its order is.',
    picky: picky.noResults,
  },
  'content-filter': {
    description: 'Answers 400 because of its content filter, which no retry can help.',
    instead: refusals.contentFilter,
  },
  budget: {
    description: 'Answers 400 because a budget is used up, which no retry can help.',
    instead: refusals.budget,
  },
  'quota-forbidden': {
    description: 'Answers 403 because a quota is used up, which no retry can help.',
    instead: refusals.quotaForbidden,
  },
  'page-unauthorized': {
    description: 'Answers 401 with an HTML page, as a sign-in page of the network does.',
    instead: networkPage(401),
  },
  'page-forbidden': {
    description: 'Answers 403 with an HTML page, as a firewall does.',
    instead: networkPage(403),
  },
  'tool-malformed': {
    description: 'Calls a tool with an input that is broken JSON.',
    delivery: { spoilsCall: 'malformed' },
  },
  'tool-oversized': { description: 'Calls a tool with an input of 2 MiB.', delivery: { spoilsCall: 'oversized' } },
  'tool-unknown': { description: 'Calls a tool that nobody offered.', delivery: { spoilsCall: 'unknown' } },
  'code-unplaced': {
    description: 'Answers once with a part of code that belongs nowhere in the file, then normally.',
    times: 1,
    delivery: { spoilsCode: true },
  },
  'review-prose': { description: 'Answers a review in prose instead of JSON.', delivery: { spoilsReview: 'prose' } },
  'review-truncated': {
    description: 'Answers a review with JSON that stops in the middle, as if it were complete.',
    delivery: { spoilsReview: 'truncated' },
  },
  'review-unknown-rule': {
    description: 'Answers a review with a finding of a rule that nobody asked about.',
    delivery: { spoilsReview: 'unknown-rule' },
  },
  'review-hostile': {
    description: 'Answers a review with findings for another file, hidden characters, and 10,000 findings.',
    delivery: { spoilsReview: 'hostile' },
  },
} as const satisfies Record<string, Scenario>;

export type ScenarioName = keyof typeof scenarios;

export const scenarioNames = Object.keys(scenarios) as readonly ScenarioName[];

export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name);
}
