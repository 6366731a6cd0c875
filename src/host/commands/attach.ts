import * as vscode from 'vscode';
import { pickFile } from '../attachments/pickFile.ts';
import { fileSource } from '../context/fileSource.ts';
import type { Services } from '../services.ts';
import { uriOf } from './namedFile.ts';
import type { UriArgument } from './wrongArgument.ts';

/**
 * Attaches files and folders to the next question: those selected in the explorer, else the selection or the file of
 * the editor, else what the user picks.
 */
export async function attach(
  { view, attachments, contextService }: Pick<Services, 'view' | 'attachments' | 'contextService'>,
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
    const picked = await pickFile();
    if (picked === undefined) return { ok: true, attached: attachments.chips.length };
    await attachments.add(fileSource(picked));
  }
  await view.reveal();
  return { ok: true, attached: attachments.chips.length };
}
