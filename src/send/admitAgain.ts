import { type RequestChange, requestChanges, ServiceError } from '../util/errors.ts';
import type { ConfirmationChoice, Preview } from './confirmation.ts';
import { type BudgetedParts, keyFor } from './dispatchParts.ts';
import type { Outgoing } from './outgoing.ts';
import { type Prepared, prepare } from './prepare.ts';

/** A request that was admitted once. */
export interface Admitted {
  readonly prepared: Prepared;
  readonly choice: ConfirmationChoice;
  readonly apiKey: string;
  /** Identifies the credential helper that the key is from; null if it is from none. */
  readonly helperId: string | null;
  /** The user or account that the key is for, if the policy's credential helper has printed it. */
  readonly subject: string | undefined;
}

/**
 * Checks everything again before a request is resent. Throws a ServiceError if it may no longer be sent (like
 * prepare()), or (`gate`, code `changed`, `details` list what changed) if it differs from the admitted one.
 */
export async function admitAgain(
  parts: BudgetedParts,
  outgoing: Outgoing,
  admitted: Admitted,
  signal: AbortSignal,
): Promise<void> {
  const first = await prepare(parts, outgoing);
  const isReady = isKeyReady(parts, first);
  const key = await keyOf(parts, first, signal);
  // Much may change while a user signs in.
  const prepared = isReady ? first : await prepare(parts, outgoing);
  requireSame(admitted, { ...admitted, prepared, ...key }, ({ request }) => request.body);
}

/** Whether the key of a request is there: a credential helper may have to run first, and the user may have to sign in. */
export function isKeyReady({ helpers }: BudgetedParts, { admission }: Prepared): boolean {
  return helpers?.isReady(admission.connection) ?? true;
}

/** Like admitAgain(), but without asking for the key again: for a request that has waited for other windows. */
export async function admitAfterWait(parts: BudgetedParts, outgoing: Outgoing, admitted: Admitted): Promise<void> {
  requireSame(admitted, { ...admitted, prepared: await prepare(parts, outgoing) }, ({ request }) => request.body);
}

/**
 * Throws like admitAgain() if the key of a later attempt is for another user: the records of the request name the user of the
 * first key.
 */
export function requireSameUser({ helpers }: Pick<BudgetedParts, 'helpers'>, admitted: Admitted, apiKey: string): void {
  const subject = helpers?.identityOf(admitted.prepared.admission.connection, apiKey);
  requireSame(admitted, { ...admitted, apiKey, subject }, ({ request }) => request.body);
}

/** Returns the key of a request, its source, and its user. */
export async function keyOf(parts: BudgetedParts, { admission }: Prepared, signal: AbortSignal) {
  const { connection } = admission;
  const apiKey = await keyFor(parts, connection, signal);
  const { helpers } = parts;
  return {
    apiKey,
    helperId: helpers?.helperId(connection) ?? null,
    subject: helpers?.identityOf(connection, apiKey),
  };
}

/** Like the check in admitAgain(), for a refused request that was admitted again without a part: only its content may differ. */
export function requireSameButContent(before: Admitted, now: Admitted): void {
  requireSame(before, now, ({ model }) => model);
}

function requireSame(before: Admitted, now: Admitted, body: (form: Preview) => string): void {
  const [old, current] = [before, now].map((admitted) => factsOf(admitted, body));
  const changed = requestChanges.filter((name) => old?.[name] !== current?.[name]);
  if (changed.length === 0) return;
  throw new ServiceError('gate', `The request is not the one that was admitted: ${changed.join(', ')}.`, {
    code: 'changed',
    details: { changes: changed },
  });
}

export function formOf({ masked, asIs }: Prepared, choice: ConfirmationChoice): Preview {
  return choice === 'send-as-is' ? asIs : masked;
}

function factsOf(
  { prepared, choice, apiKey, helperId, subject }: Admitted,
  body: (form: Preview) => string,
): Readonly<Record<RequestChange, string>> {
  const form = formOf(prepared, choice);
  const { request } = form;
  return {
    address: request.url,
    // The layers that set the headers are not compared: they do not change what is sent.
    headers: JSON.stringify(request.headers),
    body: body(form),
    // A helper makes a new key now and then, for the same user.
    key: JSON.stringify([helperId ?? apiKey, subject]),
    rules: JSON.stringify(prepared.admission.rules),
  };
}
