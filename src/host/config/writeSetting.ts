import * as vscode from 'vscode';
import { requireTrust } from './trust.ts';

/**
 * The only way to write a setting. A `scope` with a language writes the value for that language. Throws a ServiceError
 * in Restricted Mode; rejects where VS Code cannot write.
 */
export async function writeSetting(
  key: string,
  value: unknown,
  target: vscode.ConfigurationTarget,
  scope?: { readonly uri: vscode.Uri; readonly languageId: string },
): Promise<void> {
  requireTrust('settings');
  await vscode.workspace.getConfiguration(undefined, scope).update(key, value, target, scope !== undefined);
}
