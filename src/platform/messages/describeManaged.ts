import * as vscode from 'vscode';
import type { ManagedFault, ManagedPlace, ManagedProblem } from '../../policy/managed/fileValues.ts';
import { describeAllowed } from './describeAllowed.ts';

const t = vscode.l10n.t;

/** Explains in one sentence why the administrator's file cannot be used. */
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
    case 'old-version':
      return [
        t('Your administrator requires Svc Coder {0} or later. This is {1}.', problem.wanted, problem.own),
        ...(problem.updateUrl === undefined ? [] : [t('Get it from {0}', problem.updateUrl)]),
      ].join(' ');
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
