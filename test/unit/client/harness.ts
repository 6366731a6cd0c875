import type { TlsOptions } from 'node:tls';
import type { AdmitAgain, ChatEvent, ChatRequest, Endpoint } from '../../../src/client/chat.ts';
import type { ChatClient } from '../../../src/client/chatStream.ts';
import { createServiceClient, type ServiceClientOptions } from '../../../src/client/serviceClient.ts';
import type { TimeLimits } from '../../../src/client/timeouts.ts';
import { chatRequest, type WireChat } from '../../../src/client/wireRequest.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import type { Layer, RequestPolicy } from '../../../src/policy/requestPolicy.ts';
import { isServiceError, type ServiceError } from '../../../src/util/errors.ts';
import { type RawHandler, type RawServer, startRawServer } from '../../tools/rawServer.ts';

export const apiKey = 'svc_ent_test-key-1';
export const prompt = 'the secret prompt';

export const request: ChatRequest = {
  model: 'svc/auto',
  messages: [{ role: 'user', content: prompt }],
  maxTokens: null,
  temperature: null,
  stream: true,
};

/** The same as session/ creates. */
export function wireChat(
  baseUrl: string,
  about: Partial<ChatRequest> = {},
  policy: RequestPolicy = policyOf(),
): WireChat {
  return chatRequest({ baseUrl, policy, userAgent: 'svc-coder/test' }, { ...request, ...about });
}

export function policyOf(values: Layer['values'] = {}): RequestPolicy {
  const resolution = resolvePolicy([{ layer: 'user', values }]);
  if (!resolution.ok) throw new Error('not a policy');
  return resolution.policy;
}

/** Waits take no time unless a test is about them. */
const quickRules = { baseMs: 2, maxMs: 4, jitterMs: 0 };

export type StageOptions = Omit<Partial<ServiceClientOptions>, 'limits'> & { readonly limits?: Partial<TimeLimits> };

export interface Outcome {
  readonly events: readonly ChatEvent[];
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly waits: readonly Extract<ChatEvent, { type: 'retry-wait' }>[];
  readonly error: ServiceError | undefined;
}

export interface Stage {
  readonly server: RawServer;
  readonly client: ReturnType<typeof createServiceClient>;
  readonly endpoint: Endpoint;
  readonly log: readonly string[];
  /** Reads a whole chat to its end or error. `onEvent` sees each event as it arrives. */
  chat(parts?: ChatParts): Promise<Outcome>;
}

export interface ChatParts {
  readonly request?: Partial<ChatRequest>;
  readonly endpoint?: Partial<Endpoint>;
  readonly policy?: RequestPolicy;
  readonly limits?: Partial<TimeLimits>;
  readonly signal?: AbortSignal;
  readonly admitAgain?: AdmitAgain;
  readonly onEvent?: (event: ChatEvent) => void;
}

/** A real client in front of a raw server. Call it within a test; `tearDown` in the file's afterEach cleans up. */
export class Theatre {
  readonly #open: (() => Promise<unknown>)[] = [];

  async stage(handler: RawHandler, options: StageOptions = {}, tls?: TlsOptions): Promise<Stage> {
    const server = await startRawServer(handler, tls);
    this.#open.push(() => server.close());
    return this.stageFor(server, options);
  }

  stageFor(server: RawServer, { limits, ...options }: StageOptions = {}): Stage {
    const log: string[] = [];
    const note = (line: string): void => void log.push(line);
    const client = createServiceClient({
      logger: { info: note, debug: note, trace: note, warn: note, error: note },
      userAgent: 'svc-coder/test',
      ...options,
      limits: () => limits ?? {},
      rules: { ...quickRules, ...options.rules },
    });
    this.#open.push(() => client.dispose());
    const endpoint = { baseUrl: `${server.origin}/api/v1`, apiKey };
    return { server, client, endpoint, log, chat: (parts = {}) => chat(client, endpoint, parts) };
  }

  async tearDown(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((close) => close()));
  }
}

async function chat(client: ChatClient, endpoint: Endpoint, parts: ChatParts): Promise<Outcome> {
  const events: ChatEvent[] = [];
  let error: ServiceError | undefined;
  try {
    const { baseUrl, apiKey } = { ...endpoint, ...parts.endpoint };
    for await (const batch of client.streamChat(
      wireChat(baseUrl, parts.request, parts.policy),
      { apiKey, ...(parts.limits === undefined ? {} : { limits: parts.limits }) },
      parts.admitAgain ?? (async () => {}),
      parts.signal ?? new AbortController().signal,
    )) {
      for (const event of batch) {
        events.push(event);
        parts.onEvent?.(event);
      }
    }
  } catch (thrown) {
    if (!isServiceError(thrown)) throw thrown;
    error = thrown;
  }
  return outcomeOf(events, error);
}

function outcomeOf(events: readonly ChatEvent[], error: ServiceError | undefined): Outcome {
  return {
    events,
    error,
    text: events.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    finishReason: events.find((event) => event.type === 'finish')?.finishReason,
    waits: events.filter((event) => event.type === 'retry-wait'),
  };
}
