import * as vscode from 'vscode';
import { isServiceError } from '../../util/errors.ts';
import type { ContextService } from '../attachments/contextService.ts';
import type { PendingAttachments } from '../attachments/pendingAttachments.ts';
import { pickFile } from '../attachments/pickFile.ts';
import type { ChatViewProvider } from '../chatView/chatViewProvider.ts';
import { fileSource } from '../context/fileSource.ts';
import { type Failure, failureOf, showFailure } from '../messages/withErrorReporting.ts';

/**
 * Attaches files and folders to the next question: those selected in the explorer, else the selection or the file of
 * the editor, else what the user picks.
 */
export async function attach(
  view: ChatViewProvider,
  pending: PendingAttachments,
  context: () => Promise<ContextService>,
  uri?: vscode.Uri,
  uris?: readonly vscode.Uri[],
): Promise<{ readonly ok: true; readonly attached: number } | Failure> {
  try {
    const chosen = uris ?? (uri === undefined ? [] : [uri]);
    const editor = vscode.window.activeTextEditor;
    if (chosen.length > 0) {
      await (await context()).attach(chosen);
    } else if (editor !== undefined) {
      await pending.add(fileSource(editor.document.uri, editor.selection.isEmpty ? undefined : editor.selection));
    } else {
      const picked = await pickFile();
      if (picked === undefined) return { ok: true, attached: pending.chips.length };
      await pending.add(fileSource(picked));
    }
    await view.reveal();
    return { ok: true, attached: pending.chips.length };
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
}
