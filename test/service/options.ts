import type { AnswerRequest } from './answer.ts';
import type { ScenarioName, ScenarioSettings } from './scenarios.ts';
import type { UpstreamOptions } from './upstream.ts';

/** The key that the service accepts unless told otherwise. It is no secret: the service listens on loopback only. */
export const demoKey = 'svc_ent_demo_0123456789abcdef';

/** The models it lists: those of the interface document, 2.4, and one that no key may use. */
export const demoModels: readonly string[] = [
  'svc/auto',
  'svc/enterprise-coder-v1',
  'svc/secure-partner-3-5-sonnet',
  'svc/compliance-assistant',
  'svc/restricted',
];

export interface ServiceOptions extends ScenarioSettings {
  /** Keys accepted besides {@link demoKey}. */
  readonly keys?: readonly string[];
  /** In place of {@link demoModels}. */
  readonly models?: readonly string[];
  /** What models of the list are called, which the interface document does not show. Default: nothing. */
  readonly modelNames?: Readonly<Record<string, string>>;
  /** Models in the list that are answered with 403. Default: svc/restricted. */
  readonly forbiddenModels?: readonly string[];
  /** Pause between two deltas of a stream, in milliseconds. Default 0, in a demo 15. */
  readonly chunkDelayMs?: number;
  /** Loopback only. Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Larger request bodies are answered with 413. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  readonly scenario?: ScenarioName;
  /** Send chat requests on to this server; the rules are then not used. */
  readonly upstream?: UpstreamOptions;
  /** The answer's text; undefined leaves it to the rules. */
  readonly answer?: (request: AnswerRequest) => string | undefined;
  /** `!scenario NAME` at the start of the last user message picks the scenario for that request. */
  readonly demo?: boolean;
}
