import * as vscode from 'vscode';
import { askWhereToExport, type ExportForm, type ExportOptions } from '../../../platform/commands/exportFile.ts';
import { mayLeaveAFile } from '../../../platform/confirm/keptOnDisk.ts';
import { reviewScheme } from '../../../platform/sources/ownDocuments.ts';
import { reviewAsMarkdown } from '../../../review/markdown.ts';
import type { ReviewReport } from '../../../review/report.ts';
import { reviewAsSarif } from '../../../review/sarif.ts';
import { Disposable } from '../../../util/disposable.ts';
import { linkPath } from './linkPath.ts';
import type { ReviewParts } from './parts.ts';
import { gapWords, lostWords, reportWords } from './words.ts';

const t = vscode.l10n.t;

export type ReviewExport = ExportOptions<'sarif' | 'markdown'>;

/** The last report, kept only in memory: shown as a page, or exported to a file that the user chooses. */
export class ReportPage extends Disposable implements vscode.TextDocumentContentProvider {
  readonly #parts: Pick<ReviewParts, 'contextReader' | 'outcomes' | 'version'>;
  readonly #changed = this._register(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.#changed.event;
  readonly #uri = vscode.Uri.from({ scheme: reviewScheme, path: `/${t('Compliance Review')}.md` });
  #report: ReviewReport | null = null;
  #folders: readonly string[] = [];

  constructor(parts: Pick<ReviewParts, 'contextReader' | 'outcomes' | 'version'>) {
    super();
    this.#parts = parts;
    this._register(vscode.workspace.registerTextDocumentContentProvider(reviewScheme, this));
  }

  get report(): ReviewReport | null {
    return this.#report;
  }

  provideTextDocumentContent(): string {
    return this.#report === null ? '' : reviewAsMarkdown(this.#report, reportWords(), linkTo);
  }

  /** `folders`: the folders whose content is in the report. */
  set(report: ReviewReport | null, folders: readonly string[]): void {
    this.#report = report;
    this.#folders = folders;
    this.#changed.fire(this.#uri);
  }

  async show(): Promise<{ readonly ok: boolean }> {
    if (this.#report === null) return this.#noReport();
    await vscode.commands.executeCommand('markdown.showPreview', this.#uri);
    return { ok: true };
  }

  /** Writes the report to a file that the user chooses. Under zero retention the user must confirm first. */
  async export(options?: ReviewExport): Promise<{ readonly ok: boolean }> {
    const report = this.#report;
    if (report === null) return this.#noReport();
    const { contextReader, version } = this.#parts;
    if (contextReader.retention(this.#folders) !== 'keep' && !(await mayLeaveAFile(keptNowhere())))
      return { ok: false };
    const place = await askWhereToExport(exportForm(), options);
    if (place === undefined) return { ok: false };
    await place.write(
      place.format === 'sarif'
        ? reviewAsSarif(report, { version, describe: gapWords, describeLost: lostWords })
        : reviewAsMarkdown(report, reportWords()),
    );
    this.#parts.outcomes.info(t('The review was exported to {0}.', place.path), ...place.reveal);
    return { ok: true };
  }

  #noReport(): { readonly ok: false } {
    const run = () => vscode.commands.executeCommand('svc.reviewFile');
    this.#parts.outcomes.info(t('There is no review yet.'), { id: 'reviewFile', label: t('Review File'), run });
    return { ok: false };
  }
}

/**
 * Returns a link to a file of the workspace, or null for another file: a report may name other files, which were open.
 */
function linkTo(uri: string, line: number): string | null {
  const file = vscode.Uri.parse(uri);
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (first === undefined || vscode.workspace.getWorkspaceFolder(file) === undefined) return null;
  const { scheme, authority, path } = first.uri;
  return file.scheme === scheme && file.authority === authority ? linkPath(path, file.path, line) : null;
}

function keptNowhere(): string {
  return t('Zero retention is or may be on, so this review is not saved. An exported file stays on the disk.');
}

function exportForm(): ExportForm<'sarif' | 'markdown'> {
  return {
    title: t('Export the review'),
    formats: [
      {
        label: 'SARIF',
        detail: t('To import into other programs (version 2.1.0)'),
        format: 'sarif',
        name: 'svc-review.sarif',
      },
      { label: 'Markdown', detail: t('To read or share'), format: 'markdown', name: 'svc-review.md' },
    ],
  };
}
