import * as vscode from 'vscode';
import { askWhereToExport, type ExportForm, type ExportOptions } from '../../../platform/commands/exportFile.ts';
import { describeNumber } from '../../../platform/messages/describeNumber.ts';
import { describeBreaks, describeVerdict } from '../../../platform/messages/describeVerdict.ts';
import type { Outcomes } from '../../../platform/messages/outcomes.ts';
import { showLastingError, showWarning } from '../../../platform/messages/show.ts';
import { type Failure, notAsked } from '../../../platform/messages/withErrorReporting.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { AuditVerdict } from '../../../store/audit/verifyLog.ts';
import type { AuditFormat, AuditService } from './auditService.ts';

const t = vscode.l10n.t;

interface VerifyResult extends AuditVerdict {
  readonly ok: boolean;
  /** The folder of the log files. */
  readonly folder: string;
}

export async function verifyAuditLog({
  audit,
  outcomes,
}: {
  readonly audit: AuditService;
  readonly outcomes: Outcomes;
}): Promise<VerifyResult> {
  const verdict = await audit.verify();
  const words = describeVerdict(verdict);
  // The audit log page lists the remaining breaks.
  const first = [words, ...describeBreaks(verdict).slice(0, 3)].join(' ');
  const run = () => vscode.commands.executeCommand('svc.auditLog.open');
  if (verdict.verdict === 'intact') outcomes.info(words, { id: 'openAuditLog', label: t('Open Audit Log'), run });
  else void showLastingError(first, t('Open Audit Log'), 'svc.auditLog.open');
  return { ok: verdict.verdict === 'intact', folder: audit.folder, ...verdict };
}

/** Writes the whole log to a file. With `options.target`, the user is not asked for the location. */
export async function exportAuditLog(
  {
    audit,
    contextReader,
    outcomes,
  }: { readonly audit: AuditService; readonly contextReader: RequestContextReader; readonly outcomes: Outcomes },
  options?: ExportOptions<AuditFormat>,
): Promise<{ readonly ok: true; readonly records: number } | Failure> {
  contextReader.requireFeature('auditExport');
  const destination = await askWhereToExport(exportForm(await audit.bundleName()), options);
  if (destination === undefined) return notAsked();
  const { content, records } = await audit.export(destination.format);
  await destination.write(content);
  const words = t('{0} records of the audit log were exported to {1}.', describeNumber(records), destination.path);
  outcomes.info(words, ...destination.reveal);
  return { ok: true, records };
}

/** Ends the ledger of the audit log, and begins a new one with a new key. */
export async function startLedger({
  audit,
  outcomes,
}: {
  readonly audit: AuditService;
  readonly outcomes: Outcomes;
}): Promise<{ readonly ok: true } | Failure> {
  const start = t('Start New Ledger');
  const detail = t(
    'The current ledger is closed after it records the key of the new one. The current key is deleted and can never sign again.',
  );
  const message = t('Start a new audit ledger with a new key?');
  if ((await showWarning(message, { modal: true, detail }, start)) !== start) return notAsked();
  await audit.startLedger();
  outcomes.info(t('A new audit ledger was started.'));
  return { ok: true };
}

function exportForm(bundle: string): ExportForm<AuditFormat> {
  const name = `svc-audit-${new Date().toISOString().slice(0, 10)}`;
  return {
    title: t('Export the audit log'),
    formats: [
      {
        label: t('Evidence'),
        detail: t('All files with their signatures, and a program that verifies them without a secret (tar.gz)'),
        format: 'evidence',
        name: bundle,
      },
      { label: 'JSONL', detail: t('The records, for other programs'), format: 'jsonl', name: `${name}.jsonl` },
      { label: 'CSV', detail: t('To open in a spreadsheet'), format: 'csv', name: `${name}.csv` },
      {
        label: t('Usage as CSV'),
        detail: t('Requests and tokens by day, action, model and user'),
        format: 'usage',
        name: `${name.replace('audit', 'usage')}.csv`,
      },
    ],
  };
}
