import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createConversationStore } from '../../store/conversations/conversations.ts';
import { workspaceKey } from '../../store/conversations/conversationWorkspace.ts';
import type { Logger } from '../../util/logger.ts';

/** Where the conversations of this workspace are: by its folders, so that reopening them finds them. */
export function historyFolder(storage: vscode.Uri): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return join(allHistory(storage), workspaceKey(folders.map(({ uri }) => uri.toString())));
}

/** Deletes the conversations of all workspaces; returns how many there were. */
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
