import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type ConversationStore, createConversationStore } from '../../../../store/conversations/conversations.ts';
import { workspaceKey } from '../../../../store/conversations/conversationWorkspace.ts';
import type { Logger } from '../../../../util/logger.ts';

/**
 * The folder that stores the conversations of this workspace. Its name derives from the workspace folders, so that
 * reopening them finds the conversations.
 */
export function historyFolder(storage: vscode.Uri): string {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return join(allHistory(storage), workspaceKey(folders.map(({ uri }) => uri.toString())));
}

/** Deletes the conversations of all workspaces and returns their number. */
export function purgeHistory(storage: vscode.Uri, logger: Logger): Promise<number> {
  return sumOfStores(storage, logger, (store) => store.purge());
}

/** Returns the number of conversations that purgeHistory() would delete. */
export function countHistory(storage: vscode.Uri, logger: Logger): Promise<number> {
  return sumOfStores(storage, logger, (store) => store.count());
}

async function sumOfStores(
  storage: vscode.Uri,
  logger: Logger,
  numberOf: (store: ConversationStore) => Promise<number>,
): Promise<number> {
  const root = allHistory(storage);
  let sum = 0;
  for (const name of await readdir(root).catch(() => [])) {
    const store = createConversationStore({ folder: join(root, name), logger });
    sum += await numberOf(store);
    store.dispose();
  }
  return sum;
}

function allHistory(storage: vscode.Uri): string {
  return join(storage.fsPath, 'history');
}
