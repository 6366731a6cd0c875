import * as vscode from 'vscode';
import { isSwitchedOn } from '../../policy/switchedOn.ts';

/** Is svc.inlineCompletions.enabled on for this document? A workspace can switch it off, never on. */
export function isEnabledFor({ uri, languageId }: vscode.TextDocument): boolean {
  const found = vscode.workspace.getConfiguration('svc.inlineCompletions', { uri, languageId }).inspect('enabled');
  if (found === undefined) return false;
  return isSwitchedOn({
    user: [found.globalLanguageValue, found.globalValue],
    inner: [
      [found.workspaceLanguageValue, found.workspaceValue],
      [found.workspaceFolderLanguageValue, found.workspaceFolderValue],
    ],
  });
}
