import * as vscode from 'vscode';
import {
  describeDeliveryFault,
  describeManagedProblem,
  timeWords,
} from '../../../platform/messages/describeManaged.ts';
import { describeBytes, describeNumber } from '../../../platform/messages/describeNumber.ts';
import type { DeliveredState, ManagedPolicy, ManagedState } from '../../../policy/managed/managedPolicy.ts';
import { sha256Hex } from '../../../util/sha256.ts';
import { keptWords } from '../../audit/vscode/deliveryWords.ts';

const t = vscode.l10n.t;

/** Returns the managed policy as readable text. */
export function managedText(managed: ManagedState, path: string): string {
  switch (managed.state) {
    case 'none':
      return [t('No managed policy: there is no file at'), path, ''].join('\n');
    case 'broken':
      return [
        t('Nothing is sent: the managed policy cannot be used.'),
        // The problem may be that of a file that this one names, or of the delivered policy.
        ...new Set([path, managed.file]),
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
        ...deliveredLines(managed.policy.source?.url, managed.delivered),
        ...rowsOf(managed.policy),
        '',
        JSON.stringify({ ...managed.policy, ignored: undefined }, withoutHeaderValues, 2),
        ...ignoredLines(managed.policy.ignored),
        '',
      ].join('\n');
  }
}

function deliveredLines(url = '', delivered: DeliveredState | undefined): readonly string[] {
  if (delivered === undefined) return [];
  const { serial, issued, expires, checked, fault } = delivered;
  return [
    '',
    t('Combined with the policy that is delivered from'),
    url,
    t(
      'Serial {0}, valid from {1} to {2}, last fetched {3}',
      serial,
      timeWords(issued),
      timeWords(expires),
      timeWords(checked),
    ),
    ...(fault === null ? [] : [describeDeliveryFault(fault)]),
  ];
}

function ignoredLines(ignored: readonly string[] = []): readonly string[] {
  if (ignored.length === 0) return [];
  return ['', t('Optional keys that this version of Svc Coder does not know, and so ignores: {0}', ignored.join(', '))];
}

/** The rows for what the text of the policy does not show by itself. */
function rowsOf({
  limits,
  evidence: { keepDays },
  identity = 'none',
  instructions,
  instructionsFile,
  source,
}: ManagedPolicy): readonly string[] {
  const { requestsPerDay, tokensPerDay } = limits;
  const rows: string[] = [...keptWords(keepDays)];
  if (requestsPerDay !== undefined)
    rows.push(t('Requests of each user of this machine in a day: at most {0}', describeNumber(requestsPerDay)));
  if (tokensPerDay !== undefined)
    rows.push(t('Tokens of each user of this machine in a day: at most {0}', describeNumber(tokensPerDay)));
  if (identity !== 'none') rows.push(t('Each record of the audit log names the user: {0}', identity));
  if (instructions !== undefined) {
    // A delivered policy may have some or all of them.
    const from = [instructionsFile ?? 'policy.json', source?.url].filter((one) => one !== undefined).join(', ');
    const size = describeBytes(Buffer.byteLength(instructions));
    rows.push(t('Instructions of the organization: {0}, {1}, SHA-256 {2}', from, size, sha256Hex(instructions)));
  }
  return rows;
}

/** Hides the header values of a collector, which are secret; the names are not. */
function withoutHeaderValues(key: string, value: unknown): unknown {
  if (key !== 'headers' || typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, '…']));
}
