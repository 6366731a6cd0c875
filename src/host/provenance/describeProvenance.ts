import * as vscode from 'vscode';
import type { AcceptedEdit } from '../../evidence/provenance/svcEdits.ts';
import type { AuditRow } from '../../protocol/audit/auditRequest.ts';
import { asText } from '../asText.ts';
import { auditStrings } from '../audit/strings.ts';

const t = vscode.l10n.t;

/** What the log of this machine has about an accepted edit. */
export interface LineFacts {
  /** The request; null if the log does not have it. */
  readonly row: AuditRow | null;
  /** ISO 8601; null if the log does not have its record. */
  readonly acceptedAt: string | null;
  /** The record exists, and has the hash of these lines and their request. */
  readonly isProven: boolean;
}

export interface LineProvenance extends LineFacts {
  readonly name: string;
  readonly number: number;
  readonly accepted: AcceptedEdit;
  readonly commit: string | null;
}

/** Where a line is from, as text. */
export function describeProvenance({ name, number, accepted, commit, ...facts }: LineProvenance): string {
  const { row, acceptedAt, isProven } = facts;
  const { request, model, session, seq, log } = accepted;
  const rows: readonly (readonly [string, string])[] = [
    [t('Request'), request],
    [t('Model'), row?.model ?? model],
    [t('Sent'), row === null ? t('not in the audit log of this machine') : new Date(row.at).toISOString()],
    ...(row === null
      ? []
      : ([
          [t('Address'), row.origin],
          [t('Compliance settings'), row.posture === '' ? t('none') : row.posture],
          [t('Service confirmation'), auditStrings().confirmations[row.confirmation]],
          [t('Request ID'), row.requestId || t('none')],
        ] as const)),
    [t('Accepted'), acceptedAt ?? t('not in the audit log of this machine')],
    [t('Commit'), commit ?? t('not committed')],
    [t('Record in the audit log'), `${session}:${seq}`],
    [t('Ledger'), log],
  ];
  return [
    t('Line {0} of {1} is code that was accepted from Svc.', number, name),
    '',
    // A note is from anyone who can push.
    ...rows.map(([label, value]) => `${label}: ${asText(value)}`),
    '',
    isProven
      ? t('The line, its key, and the record in the audit log of this machine fit together.')
      : t('The audit log of this machine does not have the record, so the line is not proven here.'),
    t('To prove it to others, export the audit log as evidence, and run:'),
    '',
    '    node verify.mjs --repository REPOSITORY AUDIT-FOLDER',
    `    node verify.mjs prove ${session}:${seq} AUDIT-FOLDER`,
    '',
  ].join('\n');
}
