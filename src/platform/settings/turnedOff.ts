import type * as vscode from 'vscode';
import { readLayers } from './settingsReader.ts';

/** Whether a setting that any scope can turn off is off for a file or folder. A value that is not a boolean counts as off. */
export function isTurnedOff(uri: vscode.Uri, key: 'svc.instructions.enabled' | 'svc.context.related'): boolean {
  return readLayers([uri.toString()]).some(({ values }) => values[key] !== undefined && values[key] !== true);
}
