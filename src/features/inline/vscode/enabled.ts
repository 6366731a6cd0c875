import * as vscode from 'vscode';
import { languageLayers, userLayers } from '../../../platform/settings/settingsReader.ts';
import { isSwitchedOn } from '../../../policy/switchedOn.ts';

/**
 * Whether svc.inlineCompletions.enabled is on for this document. A workspace or a remote machine can switch it off, but
 * never on.
 */
export function isEnabledFor({ uri, languageId }: vscode.TextDocument): boolean {
  const found = vscode.workspace.getConfiguration('svc.inlineCompletions', { uri, languageId }).inspect('enabled');
  if (found === undefined) return false;
  const [language, plain] = [languageLayers(found), userLayers(found)];
  return isSwitchedOn({
    user: [language.local, plain.local],
    inner: [
      [language.remote, plain.remote],
      [found.workspaceLanguageValue, found.workspaceValue],
      [found.workspaceFolderLanguageValue, found.workspaceFolderValue],
    ],
  });
}
