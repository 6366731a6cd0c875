import * as vscode from 'vscode';
import type { AuditBreak, AuditVerdict } from '../../store/audit/auditVerify.ts';
import { describeNumber } from '../messages/describeNumber.ts';

const t = vscode.l10n.t;

/** The verdict of verify as text; for a broken log, the first break of each file. */
export function describeVerdict({ verdict, files, records, breaks }: AuditVerdict): string {
  if (verdict === 'intact')
    return t('The audit log is intact. Records: {0}, files: {1}.', describeNumber(records), describeNumber(files));
  return [t('The audit log is broken.'), ...breaks.map(describeBreak)].join(' ');
}

export function describeBreak({ file, line, reason }: AuditBreak): string {
  return reason === 'missing'
    ? t('Session {0}: {1}.', file, reasonWords(reason))
    : t('{0}, line {1}: {2}.', file, line, reasonWords(reason));
}

function reasonWords(reason: AuditBreak['reason']): string {
  switch (reason) {
    case 'not-a-record':
      return t('this is no record');
    case 'altered':
      return t('this line is not what was written, or was signed with another key');
    case 'out-of-order':
      return t('lines before it were removed, put in, or moved');
    case 'chain':
      return t('it does not follow from the line before');
    case 'cut':
      return t('lines that were written are not there any more');
    case 'missing':
      return t('its log is not there any more');
  }
}
