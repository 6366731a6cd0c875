import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { requireTrust } from './trust.ts';

/**
 * Writes a setting; no other function does. `scope` is a workspace folder or, with a language, writes the value for that
 * language. Throws a ServiceError in Restricted Mode, and if VS Code cannot write: the file has unsaved changes, is
 * read-only or is not JSON.
 */
export async function writeSetting(
  key: string,
  value: unknown,
  target: vscode.ConfigurationTarget,
  scope?: vscode.WorkspaceFolder | { readonly uri: vscode.Uri; readonly languageId: string },
): Promise<void> {
  const isOfLanguage = scope !== undefined && 'languageId' in scope;
  requireTrust('settings');
  const writing = vscode.workspace.getConfiguration(undefined, scope).update(key, value, target, isOfLanguage);
  try {
    await writing;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : '';
    throw new ServiceError('storage', 'VS Code did not write a setting.', { code: 'not-set', reason, cause });
  }
}
