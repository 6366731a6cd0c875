import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import type { ManagedPolicyFile } from '../../../platform/settings/managed.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { Card } from '../../../protocol/card.ts';
import { identityCard, subjectOf } from '../../audit/vscode/identity.ts';

interface PolicyMessagesParts {
  readonly managed: Pick<ManagedPolicyFile, 'state'>;
  readonly contextReader: RequestContextReader;
  readonly keys: ApiKeyStore;
  /** Shows a message while it applies, or no longer shows it if `card` is null. */
  readonly messages: { keep(id: string, card: Card | null, topic?: string): void };
}

/** Updates the messages of the panel about the managed policy. */
export async function showPolicyMessages({
  managed,
  contextReader,
  keys,
  messages,
}: PolicyMessagesParts): Promise<void> {
  const { state } = managed;
  const { limits, identity } = state.state === 'in-force' ? state.policy : {};
  if (limits?.requestsPerDay === undefined) messages.keep('day-limit-requests', null);
  if (limits?.tokensPerDay === undefined) messages.keep('day-limit-tokens', null);
  messages.keep('identity', identityCard(state, subjectOf({ contextReader, keys })), identity);
  const hasFault = 'delivered' in state && state.delivered?.fault;
  const words = hasFault ? await import('../../../platform/messages/describeManaged.ts') : null;
  // The state may have changed while the words were loaded.
  const delivered = 'delivered' in managed.state ? managed.state.delivered : undefined;
  const card = delivered && words ? words.faultCard(delivered, Date.now()) : null;
  messages.keep('policy-fault', card, delivered?.fault?.reason);
}
