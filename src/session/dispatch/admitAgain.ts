import { ServiceError } from '../../util/errors.ts';
import type { ConfirmationChoice, Preview } from './confirmation.ts';
import type { DispatchParts } from './dispatchParts.ts';
import { keyFor } from './keyFor.ts';
import type { Outgoing } from './outgoing.ts';
import { type Prepared, prepare } from './prepare.ts';

/** A request that has been let out once. */
export interface Admitted {
  readonly prepared: Prepared;
  readonly choice: ConfirmationChoice;
  readonly apiKey: string;
}

/** What of a request can change while it waits: names for the words of the error. */
const changes = ['address', 'headers', 'body', 'key', 'rules'] as const;
export type Change = (typeof changes)[number];

/**
 * Before a request is sent again: asks everything anew. Throws a ServiceError where it may not leave any more, as the first
 * time, or (`gate`, code `changed`, `reason` the names of what changed) where it is not the one that was admitted.
 */
export async function admitAgain(parts: DispatchParts, outgoing: Outgoing, admitted: Admitted): Promise<void> {
  const now = await prepare(parts, outgoing);
  const apiKey = await keyFor(parts, now.admission.connection);
  const before = factsOf(admitted.prepared, admitted.choice, admitted.apiKey);
  const after = factsOf(now, admitted.choice, apiKey);
  const changed = changes.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return;
  throw new ServiceError('gate', `The request is not the one that was admitted: ${changed.join(', ')}.`, {
    code: 'changed',
    reason: changed.join(', '),
  });
}

export function formOf({ masked, asIs }: Prepared, choice: ConfirmationChoice): Preview {
  return choice === 'send-as-is' ? asIs : masked;
}

function factsOf(prepared: Prepared, choice: ConfirmationChoice, apiKey: string): Readonly<Record<Change, string>> {
  const { request } = formOf(prepared, choice);
  return {
    address: request.url,
    // Not which layers ask for them: what leaves is the same.
    headers: JSON.stringify(request.headers),
    body: request.body,
    key: apiKey,
    rules: JSON.stringify(prepared.admission.rules),
  };
}
