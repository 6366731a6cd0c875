import * as vscode from 'vscode';
import type { AuditAction } from '../../protocol/audit/auditValues.ts';
import type { Refusals } from '../../send/refusals.ts';
import { ServiceError } from '../../util/errors.ts';

/**
 * Throws a ServiceError (`gate`, code `untrusted`) in Restricted Mode, with `isSetting` for a write. Restricted Mode hides
 * the workspace's settings, so any stricter values in them are unknown: nothing is sent, and no setting is written.
 */
export function requireTrust(what: 'sending' | 'settings' = 'sending'): void {
  if (vscode.workspace.isTrusted) return;
  throw new ServiceError('gate', 'The workspace is not trusted.', {
    code: 'untrusted',
    ...(what === 'settings' ? { details: { isSetting: true } } : {}),
  });
}

/**
 * Like requireTrust(), but for a command that would send a request and reads something before dispatch sees it: the refusal
 * is recorded in the audit log.
 */
export function requireTrustToSend(refusals: Pick<Refusals, 'watch'>, action: AuditAction): Promise<void> {
  return refusals.watch(action, async () => requireTrust());
}
