import * as vscode from 'vscode';
import type { Allowed, AllowedKind } from '../../policy/allowed.ts';
import type { DeliveryFault, ManagedFault, ManagedPlace, ManagedProblem } from '../../policy/managed/fileValues.ts';
import type { DeliveredState } from '../../policy/managed/managedPolicy.ts';
import type { Card } from '../../protocol/card.ts';
import { actionLabel } from './cardWords.ts';
import { choiceWords, formatWords, isChoice } from './describeAllowed.ts';
import { failureWords } from './errors/describeNetwork.ts';

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
        allowedWords(problem.allowed),
      );
    case 'unknown-version':
      return t('This version of Svc Coder does not support version {0}. Allowed: 1.', problem.found);
    case 'old-version':
      return [
        t('Your administrator requires Svc Coder {0} or later. This is {1}.', problem.wanted, problem.own),
        ...(problem.updateUrl === undefined ? [] : [t('Get it from {0}', problem.updateUrl)]),
      ].join(' ');
    case 'not-fetched':
      return t('Svc Coder fetches the policy before it sends the next request.');
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
        // It would say the same of the clock.
        ...(problem.fault?.reason === 'future' ? [] : faultWords(problem.fault)),
      ].join(' ');
    case 'conflict':
      return t('The policy file of this machine and the delivered policy have no common value for {0}.', problem.key);
    case 'writable':
      return t('A user without administrator rights can change {0}.', problem.detail);
  }
}

/** Returns a time as a policy states it. */
export function timeWords(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function faultWords(fault: DeliveryFault | null): readonly string[] {
  return fault === null ? [] : [describeDeliveryFault(fault)];
}

/** Explains in one sentence why a delivered policy was not accepted or not stored. */
export function describeDeliveryFault(fault: DeliveryFault): string {
  switch (fault.reason) {
    case 'unreachable': {
      const { title, detail = '' } = failureWords(fault.error, fault.host);
      return `${t('The policy could not be fetched: {0}.', title)} ${detail}`.trim();
    }
    case 'not-stored':
      return t(
        'The fetched policy could not be stored ({0}), so it applies only until this window is closed.',
        fault.detail,
      );
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
      return t(
        'The fetched policy was issued at {0}, and the clock of this computer shows {1}.',
        timeWords(fault.time),
        timeWords(Date.now()),
      );
    case 'malformed':
      return t('The fetched policy cannot be used. {0}', describeManagedProblem(fault.problem));
  }
}

/** The time in milliseconds before a policy expires in which users are told that its address cannot be reached. */
const soonMs = 3 * 86_400_000;

/** Returns the card about a policy that was not fetched, accepted or stored, while one applies, or null if users need not know. */
export function faultCard({ fault, expires }: DeliveredState, now: number): Card | null {
  if (fault === null) return null;
  const isReached = fault.reason !== 'unreachable';
  if (!isReached && expires - now > soonMs) return null;
  const words = describeDeliveryFault(fault);
  return {
    severity: 'info',
    isQuiet: true,
    title:
      fault.reason === 'not-stored'
        ? words
        : t('The managed policy could not be renewed. The current one applies until {0}.', timeWords(expires)),
    detail: [
      ...(fault.reason === 'not-stored' ? [] : [words]),
      ...(isReached ? [t('Contact your administrator.')] : []),
    ].join(' '),
    actions: [{ id: 'showPolicy', label: actionLabel('showPolicy') }],
  };
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

function allowedWords(allowed: Allowed): string {
  const words = isChoice(allowed) ? choiceWords(allowed) : policyFormatWords(allowed.kind);
  return allowed.orNull ? `${words}, null` : words;
}

function policyFormatWords(format: AllowedKind): string {
  switch (format) {
    case 'modelPattern':
      return t('a model identifier, or a prefix followed by *');
    case 'toolPattern':
      return t('the name of a tool, {0} or {1}; * at the end matches any ending', 'mcp:server', 'mcp:server/tool');
    case 'list':
      return t('a list');
    case 'listNotEmpty':
      return t('a non-empty list');
    case 'helperCommand':
      return t('a list of strings: the absolute path of a program, not of a batch file, and its arguments');
    case 'bytes':
      return t('a number of bytes, 0 or more');
    case 'logName':
      return t('1 to 100 letters, digits and . _ ~ / -');
    case 'otlpUrl':
      return t(
        'https://<host>/…/v1/logs, or http:// on 127.0.0.1, [::1] or localhost; no user name, password, query or fragment',
      );
    case 'headerName':
      return t('the name of an HTTP header, only once, that Svc Coder does not set itself');
    case 'headerValue':
      return t('1 to 4,000 printable ASCII characters, with no space at the beginning or end');
    case 'onlyWithOtlp':
      return t('true only together with {0}', 'evidence.otlp');
    case 'variableName':
      return t('the name of an environment variable');
    case 'version':
      return t('a version such as {0}', '1.2.3');
    case 'httpsUrl':
      return t('an address that begins with https://, without a user name and password');
    case 'policyUrl':
      return t('https://<host>/…, or http:// on 127.0.0.1, [::1] or localhost; no user name, password or fragment');
    case 'publicKey':
      return t('a key of a signed note such as {0}', 'name+a1b2c3d4+Base64');
    case 'time':
      return t('a time such as {0}', '2026-11-26T10:00:00Z');
    case 'later':
      return t('a time after {0}', 'issued');
    case 'ownFile':
      return t('only in the policy file of the machine');
    case 'instructions':
      return t('text of 1 to 8,192 bytes, not only white space, without NUL characters');
    case 'instructionsFile':
      return t(
        'the name of a text file of 1 to 8,192 bytes in the folder of the policy; it ends in {0} or {1}',
        '.md',
        '.txt',
      );
    case 'onlyInstructionsFile':
      return t('{0} or {1}, not both', 'instructions', 'instructionsFile');
    case 'object':
      return t('a JSON object');
    case 'eachKeyOnce':
      return t('each key only once');
    case 'origin':
      return t('an origin such as https://svc.example.com, or http:// on 127.0.0.1, [::1] or localhost');
    case 'utf8':
      return 'UTF-8';
    default:
      return formatWords(format);
  }
}
