import { ServiceError } from '../../util/errors.ts';
import type { ConfirmationChoice, Preview } from './confirmation.ts';
import type { DispatchParts } from './dispatchParts.ts';
import { keyFor } from './keyFor.ts';
import type { Outgoing } from './outgoing.ts';
import { type Prepared, prepare } from './prepare.ts';

/** A request that was admitted once. */
export interface Admitted {
  readonly prepared: Prepared;
  readonly choice: ConfirmationChoice;
  readonly apiKey: string;
}

/** What can change in a request while it waits: names for the error text. */
const changes = ['address', 'headers', 'body', 'key', 'rules'] as const;
export type Change = (typeof changes)[number];

/**
 * Checks everything again before a request is resent. Throws a ServiceError if it may no longer leave, as the first
 * time, or (`gate`, code `changed`, `reason` lists what changed) if it differs from the admitted one.
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
    // Without the layers that set them: these do not change what leaves.
    headers: JSON.stringify(request.headers),
    body: request.body,
    key: apiKey,
    rules: JSON.stringify(prepared.admission.rules),
  };
}
