import * as vscode from 'vscode';
import { attachFile } from '../../../platform/sources/attach.ts';
import { showsUserCode } from '../../../platform/sources/ownDocuments.ts';
import { fileSource } from './fileSource.ts';
import type { ContextSource } from './source.ts';

/** The code in the active editor. */
export interface Front {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range | undefined;
}

/**
 * Returns the code in the active editor. `other`: a proposal, a preview or the output is active. Returns undefined if there is no
 * code.
 */
export function frontNow(): Front | 'other' | undefined {
  const editor = vscode.window.activeTextEditor;
  const uri = editor?.document.uri ?? uriOfTab();
  if (uri !== undefined && !showsUserCode(uri)) return 'other';
  return editor === undefined ? undefined : { uri: editor.document.uri, range: selectedIn(editor) };
}

/**
 * The source of a file that the user did not choose. Outside the workspace, the file is not read, and the user is not
 * asked about it.
 */
export function currentFileSource({ uri, range }: Front): ContextSource {
  const read = async () => ({ attachments: [await attachFile(uri, () => range, { outside: 'refuse' })] });
  return { ...fileSource(uri, range), read };
}

/** The text of the active tab, for which VS Code may not have created the editor yet. */
function uriOfTab(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

/** The selection, unless it contains only white space. */
function selectedIn({ document, selection }: vscode.TextEditor): vscode.Range | undefined {
  return document.getText(selection).trim() === '' ? undefined : new vscode.Range(selection.start, selection.end);
}
