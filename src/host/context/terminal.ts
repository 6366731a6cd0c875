import * as vscode from 'vscode';
import { folderOf } from '../config/settingsReader.ts';
import { namelessText } from '../sources/maker.ts';
import { nothingIn } from './gather.ts';
import type { ContextSource } from './source.ts';
import { selectedInTerminal } from './terminalSelection.ts';

const t = vscode.l10n.t;

/**
 * What is selected in the terminal in front, as it is now: unlike a file it is gone with the next line of output.
 */
export async function terminalSource(): Promise<ContextSource> {
  const label = t('terminal selection');
  const terminal = vscode.window.activeTerminal;
  const text = terminal === undefined ? '' : await selectedInTerminal();
  if (terminal === undefined || text === '') throw nothingIn(label);
  const cwd = terminal.shellIntegration?.cwd;
  // Where it is not known what the terminal works on, it may be any of the folders: the settings of all count.
  const folders = cwd === undefined ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [];
  const attachment = {
    label: `${label} · ${terminal.name}`,
    uri: 'untitled:terminal',
    firstLine: 1,
    languageId: 'plaintext',
    folder: cwd === undefined ? null : folderOf(cwd),
    ...namelessText(text, folders),
  };
  return { key: 'terminal', label, icon: 'terminal', read: async () => ({ attachments: [attachment] }) };
}
