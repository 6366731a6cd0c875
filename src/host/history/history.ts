import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createConversationStore } from '../../store/conversations/conversations.ts';
import { workspaceKey } from '../../store/conversations/conversationWorkspace.ts';
import type { Logger } from '../../util/logger.ts';

/**
 * The folder that stores the conversations of this workspace. Its name derives from the workspace folders, so that
 * reopening them finds the conversations.
 */
export function historyFolder(storage: vscode.Uri): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return join(allHistory(storage), workspaceKey(folders.map(({ uri }) => uri.toString())));
}

/** Deletes the conversations of all workspaces and returns their number. */
export async function purgeHistory(storage: vscode.Uri, logger: Logger): Promise<number> {
  const root = allHistory(storage);
  let removed = 0;
  for (const name of await readdir(root).catch(() => [])) {
    const store = createConversationStore({ folder: join(root, name), logger });
    removed += await store.purge();
    store.dispose();
  }
  return removed;
}

function allHistory(storage: vscode.Uri): string {
  return join(storage.fsPath, 'history');
}
