import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** What other code may say instead of the person: in which form, and where to (a URI). */
export interface ExportOptions<Format extends string> {
  readonly format?: Format;
  readonly target?: string;
}

export interface ExportForm<Format extends string> {
  readonly title: string;
  readonly formats: readonly {
    readonly label: string;
    readonly detail: string;
    readonly format: Format;
    /** Of the file that is proposed. */
    readonly name: string;
  }[];
}

export interface ExportPlace<Format extends string> {
  readonly format: Format;
  /** Writes the file where the person said. */
  readonly write: (text: string) => Thenable<void>;
}

/** Asks in which form and where to, as far as the options do not say it; undefined where the person wants no file. */
export async function askWhereToExport<Format extends string>(
  { title, formats }: ExportForm<Format>,
  options: ExportOptions<Format> = {},
): Promise<ExportPlace<Format> | undefined> {
  const chosen =
    options.format === undefined
      ? await vscode.window.showQuickPick(formats, { title })
      : formats.find(({ format }) => format === options.format);
  if (chosen === undefined) return undefined;
  const { format, name } = chosen;
  const target = options.target === undefined ? await askTarget(title, name) : vscode.Uri.parse(options.target, true);
  if (target === undefined) return undefined;
  return { format, write: (text) => vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text)) };
}

function askTarget(title: string, name: string): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title,
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}

/** Under zero retention a person who wants a file says so twice. `message` says what is not kept otherwise. */
export async function mayLeaveAFile(message: string): Promise<boolean> {
  const yes = t('Export All the Same');
  return (await vscode.window.showWarningMessage(message, { modal: true }, yes)) === yes;
}
