import type { ServiceError } from '../util/errors.ts';
import type { JsonObject } from './answer/answerShape.ts';
import type { TimeLimits } from './timeouts.ts';

/**
 * A message in its wire format (interface document, 2.1). The fields for tools follow the OpenAI interface, which the
 * service claims to implement.
 */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  /** The tool calls of an answer. */
  readonly toolCalls?: readonly ToolCall[];
  /** The id of the call whose result this message is. Its role is `tool`. */
  readonly toolCallId?: string;
}

/** A tool that an answer may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** The JSON schema of its input. */
  readonly schema?: JsonObject;
}

/** The tools an answer may call, and whether it must call one. */
export interface ToolOffer {
  readonly tools: readonly ToolDefinition[];
  readonly choice: 'auto' | 'required';
  /** Whether `tool_choice` is not sent; a service then uses `auto`. */
  readonly isChoiceLeftOut?: boolean;
}

/** A tool call of an answer. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
}

/** The parameters of one chat completion. A null value is not sent. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly maxTokens: number | null;
  /** Whether `max_tokens` has its newer name, which some services require. */
  readonly isMaxTokensRenamed?: boolean;
  readonly temperature: number | null;
  readonly stream: boolean;
  /** Whether a stream is asked for its numbers of tokens. */
  readonly asksUsage?: boolean;
  readonly offer?: ToolOffer;
}

/** Returns a new key in place of one that the service refused (401), or null if there is none. */
export type RenewKey = (refused: string) => Promise<string | null>;

/** The parts of a request other than its content. */
export interface ChatKey {
  /** The key that belongs to the exact origin of the request. */
  readonly apiKey: string;
  /** Returns the key for an attempt that follows a wait. Without it, the key does not change. */
  readonly currentKey?: () => Promise<string>;
  /** Admits the request again, as AdmitAgain does, for an attempt with another key. */
  readonly renewKey?: RenewKey;
  /** The limits of this request; the client's own limit applies if a limit is undefined. */
  readonly limits?: Partial<TimeLimits>;
}

/** The target of a request, and the key that belongs to its exact origin. */
export interface Endpoint {
  /** The address with the path prefix /api/v1, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly renewKey?: RenewKey;
}

/**
 * Called before each sending that follows a wait. Throws a ServiceError if the request may no longer be sent or has
 * changed: it is not sent, and the error ends the answer. `attempt` is 0 if the first sending had to wait.
 */
export type AdmitAgain = (attempt: number) => Promise<void>;

/** Token counts from the service; a count is undefined if the service did not send it. */
export interface Usage {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}

/** The decoded events of an answer. */
export type ChatEvent =
  /** Response headers arrived. */
  | { readonly type: 'response'; readonly status: number; readonly requestId?: string }
  /** The request will be sent again after `delayMs`; retryNow() ends the wait. */
  | {
      readonly type: 'retry-wait';
      /** 1 for the first retry; 0 if the first attempt waits because of a cooldown imposed on a parallel request. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ServiceError;
      readonly retryNow: () => void;
    }
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** A complete tool call, its input assembled and parsed. */
  | { readonly type: 'tool-call'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The answer's `security` object, unmodified: data to display, never to trust. */
  | { readonly type: 'security'; readonly security: unknown }
  /** `stop`, `length`, `content_filter`, ... as sent by the service; `unknown` if it sent only [DONE]: see whyCut.ts. */
  | { readonly type: 'finish'; readonly finishReason: string };

export interface ModelEntry {
  readonly id: string;
  /** A display name, if the service sends one. */
  readonly name?: string;
}
