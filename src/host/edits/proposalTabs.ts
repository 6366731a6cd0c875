import * as vscode from 'vscode';
import type { Proposal } from './proposal.ts';

const t = vscode.l10n.t;

/** Milliseconds in which VS Code has sent a text off that it was told of. */
export const headStart = 5;

/** How long VS Code is waited for, in ms, before what there is to decide is offered all the same: on a busy machine. */
const takeOverTime = 10_000;

export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/** Whether a tab is the diff of the proposal whose text this URI names. */
export function tabShows({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
}

/** What is decided, the user has before them. */
export function isInSight(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ activeTab }) => activeTab !== undefined && tabShows(activeTab, uri));
}

export async function closeTabs(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(allTabs().filter((tab) => tabShows(tab, uri)));
}

/** Not as a preview: the next file that is looked at would take its place, which is rejecting it. */
export async function showDiff(
  { uri, originalUri, shownLanguage, name }: Proposal,
  viewColumn?: vscode.ViewColumn,
): Promise<void> {
  for (const side of [originalUri, uri]) {
    const document = await vscode.workspace.openTextDocument(side);
    await vscode.languages.setTextDocumentLanguage(document, shownLanguage);
  }
  const options = { preview: false, ...(viewColumn === undefined ? {} : { viewColumn }) };
  await vscode.commands.executeCommand('vscode.diff', originalUri, uri, t('Proposal for {0}', name), options);
}

/** Resolves when VS Code has taken a virtual document's new text over, or is not going to. */
export function textIs(uri: vscode.Uri, text: string): Promise<void> {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const lines = (all: string): string => all.replaceAll('\r\n', '\n');
  if (document === undefined || lines(document.getText()) === lines(text)) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
    const timer = setTimeout(done, takeOverTime);
    const listening = vscode.Disposable.from(
      vscode.workspace.onDidCloseTextDocument((closed) => {
        if (closed === document) done();
      }),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === document && lines(document.getText()) === lines(text)) done();
      }),
    );
  });
}
