import { type AnswerRequest, answerFor } from './answer.ts';
import { type ChatBody, isRecord, parseChatBody } from './chatBody.ts';
import type { ChunkGate } from './chunkGate.ts';
import { type Completion, countTokens, securityReport, splitIntoPieces } from './completion.ts';
import { limitContext, promptTokensOf } from './contextLimit.ts';
import { deliverStream, deliverWhole } from './deliver.ts';
import type { Exchange } from './exchange.ts';
import { badRequest, HttpError } from './httpError.ts';
import { rateLimit } from './httpFaults.ts';
import { demoModels, type ServiceOptions } from './options.ts';
import type { PlayedAnswer, PlayedModel } from './played.ts';
import { withoutHouseRules } from './rules/prompt.ts';
import { spoilReview } from './rules/spoiledReview.ts';
import type { Delivery, Scenario, ScenarioSettings } from './scenario.ts';
import type { ScenarioQueue } from './scenarioQueue.ts';
import { scenarioNames, scenarios } from './scenarios.ts';
import { refuseUnlessStrict } from './strict.ts';
import { parseSvcHeaders, type SvcConstraints } from './svcHeaders.ts';
import { toolCallsFor } from './toolCalls.ts';
import { relayChat } from './upstream.ts';

/** State that the endpoints share while the service runs. */
export interface ServiceState {
  readonly options: ServiceOptions;
  readonly queue: ScenarioQueue;
  readonly gate: ChunkGate;
  /** The chat requests that are being answered. */
  readonly answering: Set<Exchange>;
  readonly model: { play: PlayedModel };
}

/** POST /chat/completions, after the key check, unless too many are being answered. */
export async function answerChat(exchange: Exchange, state: ServiceState): Promise<void> {
  const { options, answering } = state;
  if (answering.size >= (options.maxAtOnce ?? Number.POSITIVE_INFINITY)) {
    return rateLimit('seconds')(exchange, { retryAfterSeconds: 1 });
  }
  answering.add(exchange);
  try {
    await answerOne(exchange, state);
  } finally {
    answering.delete(exchange);
  }
}

/** Headers, body and model, then the scenario, then the answer. */
async function answerOne(exchange: Exchange, { options, queue, gate, model }: ServiceState): Promise<void> {
  const asked = parseSvcHeaders(exchange.request.headers);
  const body = parseChatBody(exchange.request);
  checkModel(body.model, options);
  const lastMessage = withoutHouseRules(body.messages.findLast(({ role }) => role === 'user')?.content ?? '');
  const { scenario, settings } = queue.pick('/chat/completions', lastMessage);
  refuseFields(exchange, scenario);
  const { isStrictAbout } = scenario;
  if (isStrictAbout !== undefined) {
    refuseUnlessStrict(body, exchange.request.json, settings.strictRules ?? isStrictAbout, settings.contextTokens);
  }
  const { limitsContext } = scenario;
  if (limitsContext === true) limitContext(body, settings);
  else if (limitsContext !== undefined) {
    limitContext(body, { contextTokens: 4000, ...settings, contextWording: limitsContext });
  }
  scenario.picky?.(body, exchange);
  if (scenario.instead !== undefined) return scenario.instead(exchange, settings);

  if (options.upstream !== undefined && scenario.delivery === undefined) {
    const { models = demoModels } = options;
    return relayChat(
      exchange,
      options.upstream,
      models.includes(body.model),
      securityReport(asked, exchange.requestId),
    );
  }
  const delivery = scenario.delivery ?? {};
  const completion = complete(exchange, body, { asked, delivery, settings, options, played: model.play(body) });
  const deliver = body.stream && !delivery.neverStreams ? deliverStream : deliverWhole;
  return deliver(exchange, completion, {
    delivery,
    includeUsage: body.includeUsage,
    delayMs: delivery.isSlow ? (settings.slowDelayMs ?? 250) : (options.chunkDelayMs ?? (options.demo ? 15 : 0)),
    pace: {
      firstTokenMs: options.firstTokenMs ?? 0,
      ...(options.tokensPerSecond === undefined || delivery.isSlow ? {} : { tokensPerSecond: options.tokensPerSecond }),
    },
    afterDeltas: settings.afterDeltas ?? 4,
    gate,
  });
}

/** 400 for a field that the scenario does not take. */
function refuseFields({ request }: Exchange, { refuses = [] }: Scenario): void {
  const field = refuses.find((name) => isRecord(request.json) && Object.hasOwn(request.json, name));
  if (field === undefined) return;
  throw badRequest('unsupported', field, `The scenario says that this service does not take ${field}.`);
}

/** 404 for a model that is not in the list, 403 for a forbidden one. An upstream checks its own models. */
function checkModel(model: string, options: ServiceOptions): void {
  const { models = demoModels, forbiddenModels = ['svc/restricted'] } = options;
  if (forbiddenModels.includes(model)) {
    const message = `This key may not use the model ${model}.`;
    throw new HttpError(403, 'permission_error', 'model_forbidden', message, { param: 'model' });
  }
  if (models.includes(model) || options.upstream !== undefined) return;
  const message = `The model ${JSON.stringify(model.slice(0, 100))} does not exist. GET /models lists those that do.`;
  throw new HttpError(404, 'invalid_request_error', 'model_not_found', message, { param: 'model' });
}

interface Completing {
  readonly asked: SvcConstraints;
  readonly delivery: Delivery;
  readonly settings: ScenarioSettings;
  readonly options: ServiceOptions;
  readonly played: PlayedAnswer | undefined;
}

function complete(
  { requestId }: Exchange,
  body: ChatBody,
  { asked, delivery, settings, options, played }: Completing,
): Completion {
  const called = played === undefined ? toolCallsFor(body, requestId, delivery) : playedCalls(played, requestId);
  const toolCalls = delivery.writesCalls ? [] : called;
  const whole = delivery.isBig
    ? bigPieces(settings.bigBytes ?? 200_000)
    : called.length > 0
      ? splitIntoPieces(delivery.writesCalls ? writtenCalls(called) : (played?.text ?? ''))
      : splitIntoPieces(played?.text ?? spoiled(textFor(body, asked, options), delivery));
  const isHalf = delivery.finishReason === 'length' || delivery.finishReason === 'network_error';
  const limit = delivery.hasNoText ? 0 : isHalf ? Math.ceil(whole.length / 2) : whole.length;
  const pieces = delivery.isRefused ? [] : withinTokens(whole.slice(0, limit), body.maxTokens);
  const wasCut = !delivery.isRefused && pieces.length < whole.length;
  const promptTokens = delivery.countsPrompt ?? promptTokensOf(body);
  const completionTokens = countTokens(pieces.reduce((sum, piece) => sum + piece.length, 0));
  return {
    id: `chatcmpl-${requestId}`,
    created: Math.floor(Date.now() / 1000),
    model: body.model,
    pieces,
    ...(delivery.thinks ? { thoughts: thoughtsOf(settings.thinkingBytes) } : {}),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    finishReason:
      delivery.finishReason ??
      played?.finishReason ??
      (toolCalls.length > 0 ? 'tool_calls' : wasCut ? 'length' : 'stop'),
    refusal: delivery.isRefused ? 'The content filter of the local service withheld this answer.' : null,
    usage: {
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: promptTokens + completionTokens,
    },
    security: securityReport(asked, requestId, delivery),
  };
}

function playedCalls({ calls = [] }: PlayedAnswer, requestId: string): Completion['toolCalls'] & {} {
  return calls.map(({ name, input }, at) => ({
    ...{ id: `call_${requestId}_${at}`, name },
    input: typeof input === 'string' ? input : JSON.stringify(input),
  }));
}

/** As a server passes on what its parser does not know. */
function writtenCalls(calls: Completion['toolCalls'] & {}): string {
  return calls
    .map(({ name, input }) => `<tool_call>\n{"name": "${name}", "arguments": ${input}}\n</tool_call>`)
    .join('\n');
}

function spoiled(text: string, { spoilsReview, spoilsCode }: Delivery): string {
  if (spoilsCode) return text.replace(/^(`{3,}[^\n]*\n)[\s\S]*?(^`{3,}$)/m, `$1${unplaced}$2`);
  return spoilsReview === undefined ? text : spoilReview(spoilsReview, text);
}

const unplaced = '// ... existing code ...\nfunction unplaced() {}\n// ... existing code ...\n';

function textFor({ model, messages, wantsJson }: ChatBody, { sent }: SvcConstraints, options: ServiceOptions): string {
  const command = options.demo ? /^\s*!scenario\b[ \t]*(\S*)[ \t]*\n?/ : null;
  const request: AnswerRequest = {
    model,
    messages: messages.map(({ role, content }) => ({
      role,
      content: command ? content.replace(command, '') : content,
    })),
    svcHeaders: sent,
    wantsJson,
  };
  const unknown = command?.exec(messages.findLast(({ role }) => role === 'user')?.content ?? '')?.[1];
  if (unknown !== undefined && !Object.hasOwn(scenarios, unknown)) return scenarioHelp(unknown);
  return options.answer?.(request) ?? answerFor(request);
}

function scenarioHelp(name: string): string {
  const list = scenarioNames.map((each) => `- \`${each}\`: ${scenarios[each].description}`).join('\n');
  return `There is no scenario \`${name}\`. Write \`!scenario NAME\` with one of these:\n\n${list}\n`;
}

/** The pieces that fit into `maxTokens`. A piece that does not fit completely is omitted. */
function withinTokens(pieces: readonly string[], maxTokens: number | null): readonly string[] {
  if (maxTokens === null) return pieces;
  let left = maxTokens * 4;
  const end = pieces.findIndex((piece) => {
    left -= piece.length;
    return left < 0;
  });
  return end === -1 ? pieces : pieces.slice(0, end);
}

const thought =
  'The question is about code. <b>First</b> I read it, then [the rules](command:svc.newChat) of the local service:\n' +
  '```ts title="src/thought.ts"\nexport const thought = true;\n```\nNow I can answer.';

/** Returns the text of the thinking: words or, for a given length, pieces of up to 8 KiB. */
function thoughtsOf(bytes: number | undefined): readonly string[] {
  if (bytes === undefined) return splitIntoPieces(thought);
  const pieces: string[] = [];
  for (let left = bytes; left > 0; left -= 8192) pieces.push('think '.repeat(1366).slice(0, Math.min(left, 8192)));
  return pieces;
}

/** Numbered lines of 64 characters in deltas of up to 8 KiB, exactly `size` characters in total. */
function bigPieces(size: number): readonly string[] {
  const pieces: string[] = [];
  const rest = `${'big answer '.repeat(5).slice(0, 54)}\n`;
  for (let start = 0; start < size; start += 8192) {
    const lines = Array.from(
      { length: 128 },
      (_, index) => `${String(start / 64 + index + 1).padStart(8, '0')} ${rest}`,
    );
    pieces.push(lines.join('').slice(0, size - start));
  }
  return pieces;
}
