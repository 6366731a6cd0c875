import { ServiceError } from '../util/errors.ts';
import type { ChatEvent, Usage } from './chat.ts';
import { type Answer, answerSchema } from './schemas.ts';
import { errorInAnswer } from './serviceError.ts';

type Choice = Answer['choices'][number];

/** Turns chunks, or one whole completion, into ChatEvents and remembers what decides how the answer ended. */
export class AnswerDecoder {
  readonly #apiKey: string;
  #hasDelta = false;
  #hasRefusal = false;
  #isFinished = false;

  constructor(apiKey: string) {
    this.#apiKey = apiKey;
  }

  /** Some text, or some reasoning, has been decoded. */
  get hasDelta(): boolean {
    return this.#hasDelta;
  }

  /** The finish event has been decoded. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /**
   * Decodes one JSON text onto the end of `events`. False where it has no choices, which is right for a chunk only.
   * @throws ServiceError (protocol) where it is no object, or the error that it carries.
   */
  push(json: string, events: ChatEvent[]): boolean {
    const answer = parseAnswer(json);
    if (isError(answer.error)) throw errorInAnswer(json, this.#apiKey);
    for (const choice of answer.choices) {
      // We ask for one choice; a second one's text must not end up between the words of the first.
      if ((choice.index ?? 0) === 0) this.#pushChoice(choice, events);
    }
    const usage = usageOf(answer.usage);
    if (usage !== undefined) events.push({ type: 'usage', usage });
    if (answer.security !== undefined && answer.security !== null) {
      events.push({ type: 'security', security: answer.security });
    }
    return answer.choices.length > 0;
  }

  /** The service says that the answer is over: what it gave no reason for gets one. */
  finish(events: ChatEvent[], finishReason?: string): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    events.push({ type: 'finish', finishReason: finishReason ?? (this.#hasRefusal ? 'content_filter' : 'unknown') });
  }

  #pushChoice(choice: Choice, events: ChatEvent[]): void {
    const part = choice.delta ?? choice.message;
    if (part !== undefined && part !== null) {
      this.#append('reasoning-delta', part.reasoning ?? part.reasoning_content ?? '', events);
      this.#append('text-delta', contentText(part.content), events);
      if (part.refusal) {
        this.#hasRefusal = true;
        this.#append('text-delta', part.refusal, events);
      }
    }
    if (choice.finish_reason) this.finish(events, choice.finish_reason);
  }

  /** Deltas of one batch become one event: nobody can see them apart, and everybody after us is spared the work. */
  #append(type: 'text-delta' | 'reasoning-delta', text: string, events: ChatEvent[]): void {
    if (text === '') return;
    this.#hasDelta = true;
    const last = events.at(-1);
    if (last?.type === type) events[events.length - 1] = { type, text: last.text + text };
    else events.push({ type, text });
  }
}

function parseAnswer(json: string): Answer {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The parser's own message quotes the text, which is the answer.
    throw malformed();
  }
  const parsed = answerSchema.safeParse(value);
  if (!parsed.success) throw malformed();
  return parsed.data;
}

function malformed(): ServiceError {
  return new ServiceError('protocol', 'The answer holds what is not JSON of the interface.', { code: 'malformed' });
}

function isError(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== '';
}

type Content = NonNullable<Choice['delta']>['content'];

function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  return content?.map((part) => part.text ?? '').join('') ?? '';
}

function usageOf(usage: Answer['usage']): Usage | undefined {
  if (usage === undefined || usage === null) return undefined;
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens } = usage;
  return {
    ...(typeof promptTokens === 'number' ? { promptTokens } : {}),
    ...(typeof completionTokens === 'number' ? { completionTokens } : {}),
    ...(typeof totalTokens === 'number' ? { totalTokens } : {}),
  };
}
