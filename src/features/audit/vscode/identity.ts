import * as vscode from 'vscode';
import { accountName } from '../../../client/localIdentity.ts';
import type { ApiKeyStore } from '../../../platform/keys/apiKeyStore.ts';
import { actionLabel } from '../../../platform/messages/cardWords.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { ManagedState } from '../../../policy/managed/managedPolicy.ts';
import type { Card } from '../../../protocol/card.ts';
import { isServiceError } from '../../../util/errors.ts';

const t = vscode.l10n.t;

/** Returns the subject that the policy's credential helper printed, or undefined if there is no helper or it has not run yet. */
type SubjectSource = () => string | undefined;

interface SubjectParts {
  readonly contextReader: Pick<RequestContextReader, 'requireConnection'>;
  readonly keys: Pick<ApiKeyStore, 'identityOf'>;
}

/** Returns a function that finds the subject of the policy's credential helper for the connection in use: for what belongs to no request. */
export function subjectOf({ contextReader, keys }: SubjectParts): SubjectSource {
  return () => {
    try {
      return keys.identityOf(contextReader.requireConnection());
    } catch (error) {
      // Without a connection that may be used, there is no helper, and so no subject.
      if (isServiceError(error)) return undefined;
      throw error;
    }
  };
}

/** Returns the user that each record of the audit log names, or undefined if records name no user. */
export function auditUser(managed: ManagedState, subject: SubjectSource): string | undefined {
  const identity = managed.state === 'in-force' ? managed.policy.identity : undefined;
  if (identity === 'subject') return subject();
  // An account of a container may have a number only.
  return identity === 'account' ? accountName() || String(process.getuid?.() ?? '') : undefined;
}

/** The card of the panel that tells users that the audit log names them; null if it does not. */
export function identityCard(managed: ManagedState, subject: SubjectSource): Card | null {
  const identity = managed.state === 'in-force' ? managed.policy.identity : undefined;
  if (identity === undefined || identity === 'none') return null;
  const user = auditUser(managed, subject);
  return {
    severity: 'info',
    isQuiet: true,
    title:
      user === undefined
        ? t('Your administrator has set that each record of the audit log names you, as your sign-in does.')
        : t('Your administrator has set that each record of the audit log names you: {0}', user),
    actions: [{ id: 'showPolicy', label: actionLabel('showPolicy') }],
  };
}
