import type { ContextWording } from './contextLimit.ts';
import type { Exchange } from './exchange.ts';
import type { Oddity } from './oddChunks.ts';
import type { Picky } from './pickyForms.ts';
import type { SpoiledReview } from './rules/spoiledReview.ts';
import type { StrictRule } from './strict.ts';

/** The options of a scenario. All have a default. */
export interface ScenarioSettings {
  /**
   * The number of requests that the scenario applies to. Later ones are normal. Some scenarios have a default, most
   * have none.
   */
  readonly times?: number;
  /** Text deltas that pass before a fault in the middle of a stream. Default 4. */
  readonly afterDeltas?: number;
  /** The pause in milliseconds between chunks in `slow`. Default 250. */
  readonly slowDelayMs?: number;
  /** The wait in seconds that `rate-limit` and `rate-limit-date` ask for. The first accepts decimals. Default 2. */
  readonly retryAfterSeconds?: number;
  /** Length of the answer of `big`, in ASCII characters. Default 200,000. */
  readonly bigBytes?: number;
  /** Length of what `thinking` thinks, in ASCII characters. Default: a few sentences. */
  readonly thinkingBytes?: number;
  /** The most tokens that the model of `context-limit` reads, default 32,768, or that of `strict`, default 4,000. */
  readonly contextTokens?: number;
  /** The rules that `strict` enforces. Default: all. */
  readonly strictRules?: readonly StrictRule[];
  /** The words in which `context-limit` refuses a longer request. Default `openai`. */
  readonly contextWording?: ContextWording;
  /** The origin that `redirect` names. Default: this service as localhost, which is a different origin from 127.0.0.1. */
  readonly redirectTo?: string;
  /** The endpoints of a scenario that answers in place of the endpoint. Default: only /chat/completions. */
  readonly endpoints?: readonly string[];
}

/** The end of an answer. */
export type Ending =
  | 'complete'
  | 'cut'
  | 'no-finish'
  | 'stall'
  | 'malformed'
  | 'error'
  /** An error without the field `error`, then [DONE]. */
  | 'error-object'
  /** A web page of a proxy in the middle. */
  | 'page'
  | 'open'
  /** All of it and [DONE], without a reason. */
  | 'no-reason'
  /** All of it, with neither. */
  | 'unsaid';

/** Changes to the delivery of an answer. Absent fields mean the default. */
export interface Delivery {
  readonly ending?: Ending;
  readonly finishReason?: 'stop' | 'length' | 'content_filter' | 'network_error' | 'tool_calls';
  readonly isSlow?: true;
  readonly isBig?: true;
  readonly isRefused?: true;
  readonly neverStreams?: true;
  readonly contradictsSecurity?: true;
  readonly spoilsReview?: SpoiledReview;
  /** Nothing follows what it thinks. */
  readonly hasNoText?: true;
  /** Its code is a part that belongs nowhere in the file. */
  readonly spoilsCode?: true;
  /** Thinks before the answer, in the field that services of models that reason use. */
  readonly thinks?: true;
  /** The number of request tokens that it reports for any request, like a service that reads only the end of a request. */
  readonly countsPrompt?: number;
  /** The change that a gateway makes to its chunks. */
  readonly odd?: Oddity;
  /** The content-encoding of a stream. Its body is plain. */
  readonly coding?: string;
  /** The status of a stream. */
  readonly status?: number;
  /** Calls are text of the answer, in the words of a model's template. */
  readonly writesCalls?: true;
  /** Changes the input of a tool call, if there is one. */
  readonly spoilsCall?: 'malformed' | 'oversized' | 'unknown';
}

export interface Scenario {
  /** One sentence, shown by --list-scenarios. */
  readonly description: string;
  readonly times?: number;
  /** Fields of a chat request that it does not take: it answers 400 to a request that has one. */
  readonly refuses?: readonly string[];
  /** Refuses a request that has more tokens than the settings allow. */
  readonly limitsContext?: true | ContextWording;
  /** Refuses the form of a request. */
  readonly picky?: Picky;
  /** Refuses what strict services refuse. */
  readonly isStrictAbout?: readonly StrictRule[];
  /** Answers in place of the endpoint. */
  readonly instead?: (exchange: Exchange, settings: ScenarioSettings) => void | Promise<void>;
  /** Changes how the endpoint's answer is delivered. */
  readonly delivery?: Delivery;
}
