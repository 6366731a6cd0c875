import * as vscode from 'vscode';
import { proposalScheme } from '../../../../platform/sources/ownDocuments.ts';

/**
 * Closes the diffs that VS Code restores from an earlier window: their proposals ended with that window, so there is
 * nothing to show or to decide.
 */
export async function closeEndedProposals(): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ended = tabs.filter(({ input }) => isProposal(input));
  if (ended.length > 0) await vscode.window.tabGroups.close(ended, true);
}

function isProposal(input: unknown): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposalScheme;
}
