import * as vscode from 'vscode';
import { abortedError } from '../../util/errors.ts';
import { folderOf } from '../config/settingsReader.ts';
import { namelessText } from '../sources/maker.ts';
import { nothingIn } from './gather.ts';
import type { ContextSource } from './source.ts';
import { selectedInTerminal } from './terminalSelection.ts';

const t = vscode.l10n.t;

/**
 * The current selection of the active terminal, read at once: unlike a file, it disappears with the next line of
 * output. Throws a ServiceError where there is none, `aborted` where the user was told why.
 */
export async function terminalSource(): Promise<ContextSource> {
  const label = t('terminal selection');
  const terminal = vscode.window.activeTerminal;
  const text = terminal === undefined ? '' : await selectedInTerminal();
  if (text === undefined) throw abortedError();
  if (terminal === undefined || text === '') throw nothingIn(label);
  const cwd = terminal.shellIntegration?.cwd;
  // Where the terminal's folder is not known, it may be any of them: the settings of all folders apply.
  const folders = cwd === undefined ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [];
  const attachment = {
    label: `${label} · ${terminal.name}`,
    languageId: 'plaintext',
    folder: cwd === undefined ? null : folderOf(cwd),
    ...namelessText(text, 'untitled:terminal', folders),
  };
  return { key: 'terminal', label, icon: 'terminal', read: async () => ({ attachments: [attachment] }) };
}
