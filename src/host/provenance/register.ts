import * as vscode from 'vscode';
import { userValue } from '../config/settingsReader.ts';

const setting = 'svc.provenance.notes';

/** Starts what writes notes, as soon as the user has turned it on; where it is off in a repository, nothing is written. */
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
