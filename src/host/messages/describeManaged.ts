import * as vscode from 'vscode';
import type { ManagedFault, ManagedPlace, ManagedProblem } from '../../policy/managed/fileValues.ts';
import type { ManagedState } from '../../policy/managed/managedPolicy.ts';
import { describeAllowed } from './describeAllowed.ts';

const t = vscode.l10n.t;

/** Why the administrator's file cannot be used, in one sentence. */
export function describeManagedProblem(problem: ManagedProblem): string {
  switch (problem.reason) {
    case 'unreadable':
      return t('The file cannot be read ({0}).', problem.detail);
    case 'malformed':
      return t(
        'Found {1} at {0}. Allowed: {2}.',
        describePlace(problem.where),
        describeFault(problem.found),
        describeAllowed(problem.allowed),
      );
    case 'unknown-version':
      return t('This version of Svc Coder does not support version {0}. Allowed: 1.', problem.found);
    case 'writable':
      return t('A user without administrator rights can change {0}.', problem.detail);
  }
}

function describePlace(where: ManagedPlace): string {
  switch (where.kind) {
    case 'file':
      return t('the file');
    case 'key':
      return where.path;
    case 'position':
      return t('line {0}, column {1}', where.line, where.column);
  }
}

function describeFault(found: ManagedFault): string {
  switch (found.kind) {
    case 'value':
      return found.json;
    case 'notJson':
      return t('not JSON');
    case 'keyTwice':
      return t('a duplicate key');
    case 'unknownKey':
      return t('an unknown key');
    case 'notUtf8':
      return t('bytes that are not UTF-8');
  }
}

/** The managed policy as readable text. */
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

/** The headers of a collector are secret; their names are not. */
function withoutHeaderValues(key: string, value: unknown): unknown {
  if (key !== 'headers' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, '…']));
}
