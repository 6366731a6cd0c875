import * as vscode from 'vscode';
import type { Proposal } from '../proposal.ts';

const t = vscode.l10n.t;

/** The time in milliseconds in which VS Code sends a changed text to its window. */
export const headStart = 5;

/**
 * The maximum wait in milliseconds for VS Code to show a text. On a busy machine, the actions are offered after it in any case.
 */
const takeOverTime = 10_000;

export function allTabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

/** Whether a tab is the diff of the proposal with this URI. */
export function tabShows({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  return input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString();
}

/** Whether the diff is visible: a proposal can be decided only while the user sees it. */
export function isInSight(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all.some(({ activeTab }) => activeTab !== undefined && tabShows(activeTab, uri));
}

export async function closeTabs(uri: vscode.Uri): Promise<void> {
  await vscode.window.tabGroups.close(allTabs().filter((tab) => tabShows(tab, uri)));
}

/** Opens the diff, not as a preview: opening the next file would close a preview, which rejects the proposal. */
export async function showDiff(
  { uri, originalUri, shownLanguage, name }: Proposal,
  viewColumn?: vscode.ViewColumn,
): Promise<void> {
  for (const side of [originalUri, uri]) {
    const document = await vscode.workspace.openTextDocument(side);
    await vscode.languages.setTextDocumentLanguage(document, shownLanguage);
  }
  const options = { preview: false, ...(viewColumn === undefined ? {} : { viewColumn }) };
  await vscode.commands.executeCommand('vscode.diff', originalUri, uri, t('Changes to {0}', name), options);
}

/**
 * Whether a virtual document has this text, apart from what VS Code changes in it: line endings, and a byte order mark.
 */
export function hasText(uri: vscode.Uri, text: string): boolean {
  const document = documentOf(uri);
  return document !== undefined && asShown(document.getText()) === asShown(text);
}

/** Resolves when a virtual document has the new text, when it is closed, or after takeOverTime. */
export function textIs(uri: vscode.Uri, text: string): Promise<void> {
  const document = documentOf(uri);
  if (document === undefined || hasText(uri, text)) return Promise.resolve();
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
        if (event.document === document && hasText(uri, text)) done();
      }),
    );
  });
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
}

function asShown(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** The column of the first tab that shows a document. */
export function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) => tabs.some((tab) => tabShows(tab, uri)))?.viewColumn;
}
