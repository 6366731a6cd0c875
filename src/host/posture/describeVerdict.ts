import * as vscode from 'vscode';
import type { AuditBreak, AuditVerdict } from '../../store/audit/auditVerify.ts';
import { describeNumber } from '../messages/describeNumber.ts';

const t = vscode.l10n.t;

/** The verdict of verify as text; for a broken log, the first break of each file. */
export function describeVerdict({ verdict, files, records, breaks }: AuditVerdict): string {
  if (verdict === 'intact')
    return t('The audit log is intact. Records: {0}, files: {1}.', describeNumber(records), describeNumber(files));
  return [t('The audit log was changed.'), ...breaks.map(describeBreak)].join(' ');
}

export function describeBreak({ file, line, reason }: AuditBreak): string {
  return reason === 'missing'
    ? t('Log session {0}: {1}.', file, reasonWords(reason))
    : t('{0}, line {1}: {2}.', file, line, reasonWords(reason));
}

function reasonWords(reason: AuditBreak['reason']): string {
  switch (reason) {
    case 'not-a-record':
      return t('unreadable line');
    case 'altered':
      return t('this line was changed, or signed with another key');
    case 'out-of-order':
      return t('earlier lines were removed, inserted or moved');
    case 'chain':
      return t('it does not follow from the previous line');
    case 'cut':
      return t('lines are missing');
    case 'missing':
      return t('its log is missing');
  }
}
