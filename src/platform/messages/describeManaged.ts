import * as vscode from 'vscode';
import type { DeliveryFault, ManagedFault, ManagedPlace, ManagedProblem } from '../../policy/managed/fileValues.ts';
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
    case 'not-delivered':
      return [t('No policy has been delivered to this machine yet.'), ...faultWords(problem.fault)].join(' ');
    case 'expired':
      return [
        t(
          'The delivered policy applies from {0} to {1}, and the clock of this computer shows {2}.',
          timeWords(problem.issued),
          timeWords(problem.expires),
          timeWords(Date.now()),
        ),
        ...faultWords(problem.fault),
      ].join(' ');
    case 'conflict':
      return t('The policy file of this machine and the delivered policy have no common value for {0}.', problem.key);
    case 'writable':
      return t('A user without administrator rights can change {0}.', problem.detail);
  }
}

function timeWords(time: number): string {
  return new Date(time).toISOString();
}

function faultWords(fault: DeliveryFault | null): readonly string[] {
  return fault === null ? [] : [describeDeliveryFault(fault)];
}

/** Explains in one sentence why a delivered policy was not accepted. */
export function describeDeliveryFault(fault: DeliveryFault): string {
  switch (fault.reason) {
    case 'unreachable':
      return t('The policy could not be fetched: {0}', fault.detail);
    case 'not-signed':
      return t('The fetched policy has no valid signature of a known key.');
    case 'other-origin':
      return t('The fetched policy is not meant for this address.');
    case 'too-large':
      return t('The fetched policy has over 64,000 characters.');
    case 'older':
      return t('The fetched policy has the serial {0}, which is lower than {1}.', fault.serial, fault.kept);
    case 'same-serial':
      return t('The fetched policy has the serial {0}, as a different one before it.', fault.serial);
    case 'future':
      return t('The fetched policy was issued in the future: {0}.', timeWords(fault.time));
    case 'malformed':
      return t('The fetched policy cannot be used. {0}', describeManagedProblem(fault.problem));
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
    case 'notDelivered':
      return t('a key that must not be delivered');
    case 'notUtf8':
      return t('bytes that are not UTF-8');
  }
}
