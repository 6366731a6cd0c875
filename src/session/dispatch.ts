import type { ChatEvent, ChatRequest, Endpoint, Message } from '../client/chat.ts';
import { type Admission, admit, type Circumstances } from '../gate/admit.ts';
import type { Connection } from '../policy/connection.ts';
import type { ModelKey } from '../policy/requestOptions.ts';
import type { RequestPolicy } from '../policy/requestPolicy.ts';
import { ServiceError } from '../util/errors.ts';

/** What somebody wants to send, before it is known whether it may leave. */
export interface Outgoing {
  readonly messages: readonly Message[];
  readonly modelKey: ModelKey;
  /** The workspace folders whose content is in the messages (URIs); their settings count. */
  readonly folders: readonly string[];
}

export interface Dispatched {
  readonly admission: Admission;
  /** Batches as the network brings them; throws ServiceError. Leaving the loop closes the socket. */
  readonly events: AsyncGenerator<readonly ChatEvent[]>;
}

/** Throws a ServiceError at once where the request may not leave. */
export type Dispatch = (outgoing: Outgoing, signal: AbortSignal) => Dispatched;

export interface DispatchParts {
  readonly circumstances: (outgoing: Outgoing) => Circumstances;
  readonly apiKey: (connection: Connection) => Promise<string | undefined>;
  readonly client: () => Promise<{
    streamChat(
      endpoint: Endpoint,
      request: ChatRequest,
      policy: RequestPolicy,
      signal: AbortSignal,
    ): AsyncGenerator<readonly ChatEvent[]>;
  }>;
}

/** The one door out: everything that carries content goes through here, and nothing else calls streamChat. */
export function createDispatch(parts: DispatchParts): Dispatch {
  return (outgoing, signal) => {
    const admission = admit(parts.circumstances(outgoing));
    return { admission, events: send(parts, admission, outgoing, signal) };
  };
}

async function* send(
  parts: DispatchParts,
  { connection, options, policy }: Admission,
  { messages }: Outgoing,
  signal: AbortSignal,
): AsyncGenerator<readonly ChatEvent[]> {
  const apiKey = await parts.apiKey(connection);
  if (apiKey === undefined) throw new ServiceError('auth', 'No key is stored for this address.', { code: 'no-key' });
  const client = await parts.client();
  yield* client.streamChat({ baseUrl: connection.baseUrl, apiKey }, { ...options, messages }, policy, signal);
}
