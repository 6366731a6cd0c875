import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import { StaleChange } from '../../common/writeChanges.ts';

const t = vscode.l10n.t;

/** The file is no text. */
export class NoText extends Refusal {
  constructor(path: string) {
    super(t('{0} cannot be read as text.', path));
  }
}

/**
 * Runs `act`. Turns an error of VS Code or the system into a Refusal that names the file. Rethrows a Refusal or a StaleChange
 * as it is.
 */
export async function withFileName<T>(path: string, act: () => PromiseLike<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal || error instanceof StaleChange) throw error;
    throw new Refusal(t('{0} cannot be read or changed: {1}', path, reasonOf(error)));
  }
}

function reasonOf(error: unknown): string {
  switch (error instanceof vscode.FileSystemError ? error.code : '') {
    case 'NoPermissions':
      return t('the file is write-protected');
    case 'FileNotFound':
      return t('it no longer exists');
    case 'FileExists':
      return t('a file or folder with this name already exists');
    case 'FileNotADirectory':
      return t('a part of its path is a file, not a folder');
    case 'FileIsADirectory':
    case 'Unavailable':
      return t('it is not a file');
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
