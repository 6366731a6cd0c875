import * as vscode from 'vscode';
import { uriOf } from '../../../../platform/commands/namedFile.ts';
import type { UriArgument } from '../../../../platform/commands/wrongArgument.ts';
import { asText } from '../../../../platform/messages/asText.ts';
import { showHint } from '../../../../platform/messages/hint.ts';
import type { Lazy } from '../../../../util/lazy.ts';
import type { ContextService } from '../../../context/vscode/attachments/contextService.ts';
import type { PendingAttachments } from '../../../context/vscode/attachments/pendingAttachments.ts';
import { fileSource } from '../../../context/vscode/fileSource.ts';
import type { ChatViewProvider } from '../chatViewProvider.ts';

const t = vscode.l10n.t;

/**
 * Attaches files and folders to the next question: those selected in the explorer, else the selection or the file of
 * the editor, else what the user picks.
 */
export async function attach(
  {
    view,
    attachments,
    contextService,
  }: {
    readonly view: ChatViewProvider;
    readonly attachments: PendingAttachments;
    readonly contextService: Lazy<ContextService>;
  },
  uri?: UriArgument,
  uris?: readonly UriArgument[],
): Promise<{ readonly ok: true; readonly attached: number }> {
  const chosen = (uris ?? (uri === undefined ? [] : [uri])).map(uriOf);
  const editor = vscode.window.activeTextEditor;
  if (chosen.length > 0) {
    await (await contextService.get()).attach(chosen);
  } else if (editor !== undefined) {
    await attachments.add(fileSource(editor.document.uri, editor.selection.isEmpty ? undefined : editor.selection));
  } else {
    const hasNoFiles = vscode.workspace.workspaceFolders === undefined && openFiles().length === 0;
    if (hasNoFiles) showHint(t('There is no file to add. Open a file or a folder first.'));
    const picked = hasNoFiles ? undefined : await pickFile();
    if (picked === undefined) return { ok: true, attached: attachments.chips.length };
    await attachments.add(fileSource(picked));
  }
  await view.reveal();
  return { ok: true, attached: attachments.chips.length };
}

/** Lets the user pick a file: open editors first, then the files of the workspace that are not excluded. */
async function pickFile(): Promise<vscode.Uri | undefined> {
  const open = openFiles();
  const items = vscode.workspace.findFiles('**/*', undefined, 2_000).then((found) => {
    const known = new Set(open.map(String));
    return [...open, ...found.filter((file) => !known.has(file.toString())).sort()].map((file) => {
      const path = asText(vscode.workspace.asRelativePath(file));
      const name = path.slice(path.lastIndexOf('/') + 1);
      return { label: name, description: path === name ? '' : path, file };
    });
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Add context to the next question'),
    matchOnDescription: true,
  });
  return chosen?.file;
}

function openFiles(): readonly vscode.Uri[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
}
