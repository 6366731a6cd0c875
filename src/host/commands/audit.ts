import * as vscode from 'vscode';
import type { AuditVerdict } from '../../store/auditVerify.ts';
import { isServiceError } from '../../util/errors.ts';
import type { AuditEvidence } from '../auditTrail.ts';
import { describeNumber } from '../describeNumber.ts';
import { describeVerdict } from '../describeVerdict.ts';
import type { StandingReader } from '../standing.ts';
import { type Failure, failureOf, showFailure } from './attempt.ts';

const t = vscode.l10n.t;

export interface VerifyResult extends AuditVerdict {
  readonly ok: boolean;
  /** Where the files are. */
  readonly folder: string;
}

export async function verifyAuditLog(audit: AuditEvidence): Promise<VerifyResult> {
  const verdict = await audit.verify();
  const words = describeVerdict(verdict);
  if (verdict.verdict === 'intact') void vscode.window.showInformationMessage(words);
  else void vscode.window.showErrorMessage(words);
  return { ok: verdict.verdict === 'intact', folder: audit.folder, ...verdict };
}

/** Writes the whole log where the person says. `target` spares the question. */
export async function exportAuditLog(
  audit: AuditEvidence,
  standing: StandingReader,
  options?: { readonly format?: 'jsonl' | 'csv'; readonly target?: string },
): Promise<{ readonly ok: true; readonly records: number } | Failure> {
  try {
    standing.requireFeature('auditExport');
    const format = options?.format ?? (await askFormat());
    if (format === undefined) return cancelled;
    const target = options?.target === undefined ? await askTarget(format) : vscode.Uri.parse(options.target, true);
    if (target === undefined) return cancelled;
    const { text, records } = await audit.export(format);
    await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    void vscode.window.showInformationMessage(t('Records of the audit log exported: {0}.', describeNumber(records)));
    return { ok: true, records };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
}

const cancelled: Failure = {
  ok: false,
  error: { kind: 'aborted', code: 'aborted', status: undefined, requestId: undefined },
};

async function askFormat(): Promise<'jsonl' | 'csv' | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      { label: 'JSONL', detail: t('The lines as they are, which can be verified'), format: 'jsonl' as const },
      { label: 'CSV', detail: t('For a spreadsheet'), format: 'csv' as const },
    ],
    { title: t('Export the audit log') },
  );
  return chosen?.format;
}

function askTarget(format: string): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `svc-audit-${new Date().toISOString().slice(0, 10)}.${format}`;
  return vscode.window.showSaveDialog({
    title: t('Export the audit log'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}
