import type { ServiceError } from '../util/errors.ts';
import type { JsonObject } from './answer/answerShape.ts';
import type { TimeLimits } from './timeouts.ts';

/**
 * A message as it stands on the wire (interface document, 2.1). What concerns tools is the OpenAI interface's, which the
 * service says it speaks.
 */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** Of an answer: what it asked to be called. */
  readonly toolCalls?: readonly ToolCall[];
  /** Of a result, with the role `tool`: the call it belongs to. */
  readonly toolCallId?: string;
}

/** A tool that an answer may ask for. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its input. */
  readonly schema?: JsonObject;
}

/** The tools an answer may ask for, and whether it has to. */
export interface ToolOffer {
  readonly tools: readonly ToolDefinition[];
  readonly choice: 'auto' | 'required';
}

/** What an answer asks for. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** One chat completion to ask for. What is null is not sent. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly stream: boolean;
  readonly offer?: ToolOffer;
}

/** What goes with a request besides its content. */
export interface ChatKey {
  /** The one that belongs to the very origin of the request. */
  readonly apiKey: string;
  /** The client's own for what is absent. */
  readonly limits?: Partial<TimeLimits>;
}

/** Where a request goes, and the key that belongs to that very origin. */
export interface Endpoint {
  /** With its path prefix /api/v1 and no slash at the end. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Asked before each sending that a wait comes before. Throws a ServiceError where the request may not be sent any more, or is
 * another one by now: it is not sent, and the error ends the answer. `attempt` is 0 where the first sending had to wait.
 */
export type AdmitAgain = (attempt: number) => Promise<void>;

/** Token counts as the service gave them; what it did not give is absent. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}

/** What an answer consists of once it is decoded. */
export type ChatEvent =
  /** Response headers arrived. */
  | { readonly type: 'response'; readonly status: number; readonly requestId?: string }
  /** The request will be sent again after `delayMs`; retryNow() ends the wait. */
  | {
      readonly type: 'retry-wait';
      /** 1 for the first retry; 0 where the first try itself waits, because a parallel request was told to. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ServiceError;
      readonly retryNow: () => void;
    }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** Whole: its input has been put together and read. */
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The answer's `security` object, as it came: data to show, never to trust. */
  | { readonly type: 'security'; readonly security: unknown }
  /** `stop`, `length`, `content_filter`, ... as the service says it; `unknown` where it said [DONE] alone. */
  | { readonly type: 'finish'; readonly finishReason: string };

export interface ModelEntry {
  readonly id: string;
  /** For people, where the service gives one. */
  readonly name?: string;
}
