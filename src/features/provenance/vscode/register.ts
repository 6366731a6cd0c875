import * as vscode from 'vscode';
import { userValue } from '../../../platform/settings/settingsReader.ts';

const setting = 'svc.provenance.notes';

/** Starts writing notes as soon as the user has turned them on. Nothing is written in repositories for which they are off. */
export function registerNotes(start: () => Promise<unknown>): vscode.Disposable {
  let isStarted = false;
  const look = (): void => {
    if (isStarted || userValue(setting) !== true) return;
    isStarted = true;
    void start();
  };
  look();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting)) look();
  });
}
