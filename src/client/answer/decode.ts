import { ServiceError } from '../../util/errors.ts';
import { callsMissing, saysCalls, unsaid } from '../../util/whyCut.ts';
import type { ChatEvent, Usage } from '../chat.ts';
import { errorInAnswer } from '../serviceError.ts';
import { isObject, type JsonObject, listOf, numberOf, textOf } from './answerShape.ts';
import { readJson, tooLong, withoutNonNumbers } from './readJson.ts';
import { ToolCallAssembler } from './toolCalls.ts';
import type { KeyFilter } from './withoutKey.ts';

/** Values that gateways send as a finish reason although the answer continues. */
const noReasons = new Set(['null', 'none', 'normal', 'undefined']);

/** Turns chunks, or one whole completion, into ChatEvents and keeps the state that decides how the answer ended. */
export class AnswerDecoder {
  readonly #filter: KeyFilter;
  readonly #maxTextChars: number;
  readonly #toolCalls = new ToolCallAssembler();
  #hasDelta = false;
  #hasPiece = false;
  #textChars = 0;
  #hasRefusal = false;
  /** The last finish reason that the service sent. */
  #reason: string | undefined;
  /** Whether text or a call followed a finish reason, or nothing preceded it: some gateways send a reason with each chunk. */
  #isDoubtful = false;
  #isFinished = false;
  #hasTextOfDelta = false;
  #isForeign = false;
  /** The index of the choice that has the calls. */
  #callsAt: number | undefined;
  /** Whether `index` counts the chunks, not the choices: it is not 0 at first, or goes from 0 to 1 to 2. */
  #isCounted: boolean | undefined;
  /** The first chunk with index 1: it is a part of this answer only if index 2 follows, or nothing. */
  #held: JsonObject | undefined;
  /** Whether the calls are in `function_call`. */
  #isOlderForm: boolean | undefined;

  /** @param filter applied only to the text of errors; the caller filters the events. */
  constructor(filter: KeyFilter, maxTextChars = Number.POSITIVE_INFINITY) {
    this.#filter = filter;
    this.#maxTextChars = maxTextChars;
  }

  /** True once some text, reasoning or part of a tool call has been decoded. */
  get hasDelta(): boolean {
    return this.#hasDelta || this.#toolCalls.hasBegun;
  }

  /** True once part of an answer has arrived, even in a field that we do not know, such as a thought that is not shown. */
  get hasPiece(): boolean {
    return this.#hasPiece || this.hasDelta;
  }

  /** Whether there is no part of an answer, but an event of another interface: the address is wrong, and a retry cannot help. */
  get isForeign(): boolean {
    return this.#isForeign && !this.hasDelta;
  }

  /** Whether the service has stated the end; `doubtful` if text followed that statement, or none had preceded it. */
  get endState(): 'open' | 'doubtful' | 'stated' {
    if (this.#isFinished) return 'stated';
    if (this.#reason === undefined) return 'open';
    return this.#isDoubtful ? 'doubtful' : 'stated';
  }

  /** The size of the answer so far, which grows with each piece. */
  get size(): number {
    return this.#textChars + this.#toolCalls.pieces;
  }

  /**
   * Decodes one JSON text and appends to `events`. Returns false if it has no choices, which is valid only for a chunk.
   * @throws ServiceError (protocol) if the JSON is not an object or exceeds the limit; or the error that it carries.
   */
  push(json: string, events: ChatEvent[]): boolean {
    const answer = parseAnswer(json);
    if (answer === null) return false;
    if (isError(answer)) throw errorInAnswer(json, this.#filter);
    const choices = listOf(answer.choices);
    if (choices.length === 0 && isForeign(answer)) this.#isForeign = true;
    // Moonshot sends the numbers of tokens in the choice.
    let { usage } = answer;
    for (const choice of choices) {
      if (!isObject(choice)) continue;
      if (isObject(choice.error)) {
        // The choice's finish reason, `error`, must not be taken for a stated end.
        this.#pushChoice({ ...choice, finish_reason: null }, events);
        throw errorInAnswer(JSON.stringify({ error: choice.error }), this.#filter);
      }
      if (choices.length > 1) this.#isCounted ??= false;
      if (this.#isCounted === false) this.#pushChoice(choice, events);
      else this.#pushOnly(choice, events);
      usage ??= choice.usage;
    }
    if (isObject(usage)) events.push({ type: 'usage', usage: usageOf(usage) });
    if (answer.security !== undefined && answer.security !== null) {
      events.push({ type: 'security', security: answer.security });
    }
    return choices.some(isObject);
  }

  /** Call this when nothing follows. */
  settle(events: ChatEvent[]): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#pushChoice({ ...held, index: 0 }, events);
  }

  /**
   * Call this at the end of the answer: emits the tool calls and the finish event, with a default reason if the service sent
   * none. A reason is final only now: gateways send one early, or with each chunk.
   * @throws ServiceError (protocol) if a tool call does not follow the interface.
   */
  finish(events: ChatEvent[]): void {
    if (this.#isFinished) return;
    this.settle(events);
    const finishReason = this.#reason;
    // An invalid call ends the answer, whatever the finish reason is.
    this.#reason = undefined;
    const calls = this.#toolCalls.take(finishReason);
    if (calls.length > 0) this.#hasDelta = true;
    for (const call of calls) events.push({ type: 'tool-call', call });
    this.#isFinished = true;
    const isWithoutCalls = calls.length === 0 && saysCalls(finishReason);
    const given = isWithoutCalls ? callsMissing : finishReason;
    events.push({ type: 'finish', finishReason: given ?? (this.#hasRefusal ? 'content_filter' : unsaid) });
  }

  /** Decodes the only choice of a chunk. */
  #pushOnly(choice: JsonObject, events: ChatEvent[]): void {
    const at = numberOf(choice.index) ?? 0;
    if (this.#held !== undefined) this.#isCounted = at === 2;
    else if (at !== 0 && !this.hasDelta) this.#isCounted = true;
    if (this.#isCounted) this.settle(events);
    this.#held = undefined;
    if (this.#isCounted === undefined && at === 1 && !hasCalls(choice)) this.#held = choice;
    else this.#pushChoice(this.#isCounted ? { ...choice, index: 0 } : choice, events);
  }

  #pushChoice({ index, delta, message, text, finish_reason: finishReason }: JsonObject, events: ChatEvent[]): void {
    const before = this.size;
    // `delta` in a chunk, `message` in a whole completion; some gateways end a stream with the whole one, and some servers
    // use `text`, the field of the older interface.
    const older = typeof text === 'string' ? { content: text } : undefined;
    const part = isObject(delta) ? delta : this.#hasTextOfDelta ? undefined : (message ?? older);
    if (!this.#hasPiece && isObject(part)) {
      this.#hasPiece = Object.entries(part).some(([name, value]) => name !== 'role' && textOf(value) !== '');
    }
    const at = numberOf(index) ?? 0;
    if (isObject(part) && (part.tool_calls !== undefined || part.function_call !== undefined)) {
      this.#pushCallsOf(at, part);
    }
    // The calls may be in the whole message only.
    if (isObject(message) && part !== message && !this.#toolCalls.hasBegun) this.#pushCallsOf(at, message);
    // We request one choice; text of a second one must not be mixed into the first. Gateways give a call as the second one.
    if (at !== 0 && at !== this.#callsAt) return;
    if (isObject(part) && at === 0) {
      this.#append('reasoning-delta', reasoningOf(part), events);
      this.#append('text-delta', contentOf(part.content), events);
      const refusal = textOf(part.refusal);
      if (refusal !== '') this.#hasRefusal = true;
      this.#append('text-delta', refusal, events);
      if (part === delta && this.#textChars > 0) this.#hasTextOfDelta = true;
    }
    const hasMore = this.size > before;
    if (this.#reason !== undefined && hasMore) this.#isDoubtful = true;
    const reason = textOf(finishReason);
    if (reason === '' || noReasons.has(reason.toLowerCase())) return;
    if (this.#reason === undefined && !this.hasDelta) this.#isDoubtful = true;
    this.#reason = reason;
  }

  /** Adds the calls of the first choice that has any, not of another one. Some gateways also repeat them in the older form. */
  #pushCallsOf(at: number, { tool_calls: calls, function_call: older }: JsonObject): void {
    const all = isObject(calls) ? [calls] : listOf(calls);
    if (all.length === 0 && !isObject(older)) return;
    this.#callsAt ??= at;
    if (at !== this.#callsAt) return;
    this.#isOlderForm ??= all.length === 0;
    if (all.length > 0) this.#toolCalls.push(all);
    else if (this.#isOlderForm) this.#toolCalls.push([{ index: 0, function: older }]);
  }

  /** Merges the deltas of one batch into one event: the result looks the same and later stages have less to process. */
  #append(type: 'text-delta' | 'reasoning-delta', text: string, events: ChatEvent[]): void {
    if (text === '') return;
    this.#textChars += text.length;
    if (this.#textChars > this.#maxTextChars) throw tooLong();
    this.#hasDelta = true;
    const last = events.at(-1);
    if (last?.type === type) events[events.length - 1] = { type, text: last.text + text };
    else events.push({ type, text });
  }
}

function hasCalls({ delta }: JsonObject): boolean {
  return isObject(delta) && (isObject(delta.function_call) || listOf(delta.tool_calls).length > 0);
}

/** Returns null for the texts that gateways send to keep a connection alive: `ping`, `[KEEPALIVE]`, `""`. */
function parseAnswer(json: string): JsonObject | null {
  const given = readJson(json) ?? readJson(withoutNonNumbers(json));
  // Gemini sends its errors as lists of one.
  const value = Array.isArray(given) && given.length === 1 ? given[0] : given;
  if (isObject(value)) return value;
  // Some gateways send the JSON as a text in JSON.
  const inner = typeof value === 'string' && value.startsWith('{') ? readJson(value) : undefined;
  if (isObject(inner)) return inner;
  if (heartbeat.test(json.trim())) return null;
  throw new ServiceError('protocol', 'The answer holds what is not JSON of the interface.', { code: 'malformed' });
}

/** One word, or a known word with a number or a time after it. */
const heartbeat = /^(?:[^\s{}]{0,40}|\W{0,3}(?:ping|pong|heart ?beat|keep[ _-]?alive)\b[^{}]{0,60})$/i;
/** The type or status of an object that only states that the answer is still to come. */
const waiting = /^(?:ping|heartbeat|keep-?alive|queued|pending|processing|in_progress|waiting)$/i;
const messageFields = ['message', 'msg', 'error_msg', 'error_message', 'errorMessage', 'detail'] as const;
const chunkFields = ['choices', 'usage', 'security'] as const;

/** An error has `error`; or a message and no part of an answer. An object that keeps a connection alive has neither. */
export function isError(answer: JsonObject): boolean {
  const { error, choices } = answer;
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  // Nearly every chunk returns here.
  if (Array.isArray(choices) && choices.length > 0) return false;
  const { errors, object, type, event, status, base_resp: outcome } = answer;
  // MiniMax and its gateways.
  if (isObject(outcome) && (numberOf(outcome.status_code) ?? 0) > 0) return true;
  if (chunkFields.some((name) => isObject(answer[name]) || listOf(answer[name]).length > 0)) return false;
  if (object === 'error' || type === 'error' || listOf(errors).length > 0) return true;
  if (object === 'chat.completion.chunk') return false;
  if ([object, type, event, status].some((name) => waiting.test(textOf(name)))) return false;
  return messageFields.some((name) => textOf(answer[name]) !== '' || (name === 'detail' && isDetail(answer[name])));
}

/** Whether this is an event of another interface: neither a chunk nor an object that keeps a connection alive. */
function isForeign(answer: JsonObject): boolean {
  const { object, type, event, status } = answer;
  if ('choices' in answer || object === 'chat.completion.chunk' || chunkFields.some((name) => name in answer))
    return false;
  if ([object, type, event, status].some((name) => waiting.test(textOf(name)))) return false;
  return Object.values(answer).some((value) => isObject(value) || listOf(value).length > 0 || textOf(value) !== '');
}

function isDetail(detail: unknown): boolean {
  return isObject(detail) || listOf(detail).length > 0;
}

/** The text of a content field: one string, or the list of parts that some services send, or one part alone. */
function contentOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return partsOf(content)
    .map((part) => (isObject(part) && !isThought(part) ? textOf(part.text) : textOf(part)))
    .join('');
}

/** The thoughts of a message, by any of the names that services use; a message with two of them repeats the text. */
function reasoningOf(part: JsonObject): string {
  const { reasoning, reasoning_content: older, reasoning_text: other, thinking, cot_summary: summary } = part;
  const named = textOf(reasoning) || textOf(older) || textOf(other) || textOf(thinking) || textOf(summary);
  return named || thoughtOf(part.content) || detailsOf(part.reasoning_details);
}

function detailsOf(details: unknown): string {
  return listOf(details)
    .map((one) => (isObject(one) ? textOf(one.text) || textOf(one.summary) : ''))
    .join('');
}

/** The thoughts among the parts of a content: `{ type: 'thinking', thinking: [{ type: 'text', text }] }`. */
function thoughtOf(content: unknown): string {
  if (typeof content === 'string') return '';
  const parts = partsOf(content).filter(isObject).filter(isThought);
  return parts.map((part) => textOf(part.thinking) || textOf(part.text) || contentOf(part.thinking)).join('');
}

function partsOf(content: unknown): readonly unknown[] {
  return isObject(content) ? [content] : listOf(content);
}

function isThought({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'reasoning';
}

function usageOf(usage: JsonObject): Usage {
  const promptTokens = countOf(usage.prompt_tokens);
  const completionTokens = countOf(usage.completion_tokens);
  const totalTokens = countOf(usage.total_tokens);
  return {
    ...(promptTokens === undefined ? {} : { promptTokens }),
    ...(completionTokens === undefined ? {} : { completionTokens }),
    ...(totalTokens === undefined ? {} : { totalTokens }),
  };
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
}
