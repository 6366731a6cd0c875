import * as vscode from 'vscode';
import { asText } from '../asText.ts';

const t = vscode.l10n.t;

/** Lets the user pick a file: open editors first, then the files of the workspace that are not excluded. */
export async function pickFile(): Promise<vscode.Uri | undefined> {
  const open = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const items = vscode.workspace.findFiles('**/*', undefined, 2_000).then((found) => {
    const known = new Set(open.map(String));
    return [...open, ...found.filter((file) => !known.has(file.toString())).sort()].map((file) => {
      const path = asText(vscode.workspace.asRelativePath(file));
      const name = path.slice(path.lastIndexOf('/') + 1);
      return { label: name, description: path === name ? '' : path, file };
    });
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: t('Add context to the next question'),
    matchOnDescription: true,
  });
  return chosen?.file;
}
