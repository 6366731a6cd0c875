import * as vscode from 'vscode';
import { describeManagedProblem } from '../../../platform/messages/describeManaged.ts';
import type { ManagedState } from '../../../policy/managed/managedPolicy.ts';

const t = vscode.l10n.t;

/** Returns the managed policy as readable text. */
export function managedText(managed: ManagedState, path: string): string {
  switch (managed.state) {
    case 'none':
      return [t('No managed policy: there is no file at'), path, ''].join('\n');
    case 'broken':
      return [
        t('Nothing is sent: the managed policy cannot be used.'),
        path,
        describeManagedProblem(managed.problem),
        '',
      ].join('\n');
    case 'in-force':
      return [
        t(
          'This policy applies on this machine. User, workspace and folder settings can be stricter, but not less strict.',
        ),
        path,
        `SHA-256 ${managed.digest}`,
        '',
        JSON.stringify(managed.policy, withoutHeaderValues, 2),
        '',
      ].join('\n');
  }
}

/** Hides the header values of a collector, which are secret; the names are not. */
function withoutHeaderValues(key: string, value: unknown): unknown {
  if (key !== 'headers' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, '…']));
}
