import * as vscode from 'vscode';
import type { RecordFields } from '../../../evidence/provenance/codeRecords.ts';
import { describeOrigin } from '../../../evidence/provenance/describeOrigin.ts';
import type { AcceptedEdit } from '../../../evidence/provenance/svcEdits.ts';
import { asText } from '../../../platform/messages/asText.ts';

const t = vscode.l10n.t;

/** The records in this machine's log about an accepted edit. */
export interface LineFacts {
  /** The records of the request, of its outcome, and of the accepted code; null if the log does not have them. */
  readonly intent: RecordFields | null;
  readonly outcome: RecordFields | null;
  readonly accepted: RecordFields | null;
  /** Whether the record exists, and has the hash of these lines and their request. */
  readonly isProven: boolean;
}

export interface LineProvenance extends LineFacts {
  readonly name: string;
  readonly number: number;
  readonly edit: AcceptedEdit;
  readonly commit: string | null;
}

/** Describes the origin of a line, in the same form as `verify.mjs explain`. */
export function describeProvenance({ name, number, edit, isProven, ...known }: LineProvenance): string {
  const { request, model, log, session, seq } = edit;
  const proof = isProven
    ? t('The line, its key, and the record in the audit log of this machine match.')
    : t('The audit log of this machine does not have the record, so the line is not proven here.');
  const lines = describeOrigin({ request, model, log, session, seq, ...known, author: null, proof }, t);
  return [
    t('Line {0} of {1} is code that was accepted from Svc.', number, name),
    '',
    // Anyone who can push can write a note, so its text is escaped.
    ...lines.map(asText),
    '',
    t('To prove it to others, export the audit log as evidence, and run:'),
    '',
    `    node verify.mjs explain FILE:${number} AUDIT-FOLDER`,
    `    node verify.mjs prove ${session}:${seq} AUDIT-FOLDER`,
    '',
  ].join('\n');
}
