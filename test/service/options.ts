import type { AnswerRequest } from './answer.ts';
import type { ScenarioSettings } from './scenario.ts';
import type { ScenarioName } from './scenarios.ts';
import type { UpstreamOptions } from './upstream.ts';

/** The key that the service accepts by default. It is not secret: the service listens only on loopback. */
export const demoKey = 'svc_ent_demo_0123456789abcdef';

/** The models it lists: those of the interface document, 2.4, and one that is forbidden for every key. */
export const demoModels: readonly string[] = [
  'svc/auto',
  'svc/enterprise-coder-v1',
  'svc/secure-partner-3-5-sonnet',
  'svc/compliance-assistant',
  'svc/restricted',
];

export interface ServiceOptions extends ScenarioSettings {
  /** Keys accepted in addition to {@link demoKey}. */
  readonly keys?: readonly string[];
  /** Replaces {@link demoModels}. */
  readonly models?: readonly string[];
  /** The display names of listed models, which the interface document does not show. Default: none. */
  readonly modelNames?: Readonly<Record<string, string>>;
  /** Listed models that are answered with 403. Default: svc/restricted. */
  readonly forbiddenModels?: readonly string[];
  /** The pause in milliseconds between two deltas of a stream. Default 0, in a demo 15. */
  readonly chunkDelayMs?: number;
  /** Milliseconds before the first delta of an answer, as a model needs them to read the request. Default 0. */
  readonly firstTokenMs?: number;
  /** The rate of an answer, whatever the size of its deltas, in place of chunkDelayMs. A whole answer takes as long. */
  readonly tokensPerSecond?: number;
  /** Loopback only. Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Larger request bodies are answered with 413. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** A request beyond this number at the same time is answered 429 with Retry-After: 1. Default: any number is answered. */
  readonly maxAtOnce?: number;
  readonly scenario?: ScenarioName;
  /** Forwards chat requests to this server instead of the rules. */
  readonly upstream?: UpstreamOptions;
  /** The answer's text, or undefined to use the rules. */
  readonly answer?: (request: AnswerRequest) => string | undefined;
  /** `!scenario NAME` at the start of the last user message selects the scenario for that request. */
  readonly demo?: boolean;
}
