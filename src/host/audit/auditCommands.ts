import * as vscode from 'vscode';
import type { AuditVerdict } from '../../store/audit/auditVerify.ts';
import { askWhereToExport, type ExportForm, type ExportOptions } from '../commands/exportFile.ts';
import { describeNumber } from '../messages/describeNumber.ts';
import { showInformation, showLastingError } from '../messages/show.ts';
import { type Failure, notAsked } from '../messages/withErrorReporting.ts';
import { describeVerdict } from '../posture/describeVerdict.ts';
import type { Services } from '../services.ts';

const t = vscode.l10n.t;

export interface VerifyResult extends AuditVerdict {
  readonly ok: boolean;
  /** The folder of the log files. */
  readonly folder: string;
}

export async function verifyAuditLog({ audit }: Pick<Services, 'audit'>): Promise<VerifyResult> {
  const verdict = await audit.verify();
  const words = describeVerdict(verdict);
  if (verdict.verdict === 'intact') void showInformation(words);
  else void showLastingError(words, t('Open Audit Log'), 'svc.auditLog.open');
  return { ok: verdict.verdict === 'intact', folder: audit.folder, ...verdict };
}

/** Writes the whole log to a file. `target` skips the question for the location. */
export async function exportAuditLog(
  { audit, contextReader }: Pick<Services, 'audit' | 'contextReader'>,
  options?: ExportOptions<'jsonl' | 'csv'>,
): Promise<{ readonly ok: true; readonly records: number } | Failure> {
  contextReader.requireFeature('auditExport');
  const place = await askWhereToExport(exportForm(), options);
  if (place === undefined) return notAsked();
  const { text, records } = await audit.export(place.format);
  await place.write(text);
  void showInformation(t('Exported audit log records: {0}.', describeNumber(records)));
  return { ok: true, records };
}

function exportForm(): ExportForm<'jsonl' | 'csv'> {
  const name = `svc-audit-${new Date().toISOString().slice(0, 10)}`;
  return {
    title: t('Export the audit log'),
    formats: [
      {
        label: 'JSONL',
        detail: t('The original lines, which can be verified'),
        format: 'jsonl',
        name: `${name}.jsonl`,
      },
      { label: 'CSV', detail: t('To open in a spreadsheet'), format: 'csv', name: `${name}.csv` },
    ],
  };
}
