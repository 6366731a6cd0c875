import * as vscode from 'vscode';

/**
 * Shows a document, and waits until its editor is active. Closing another one (as the previous test did at its end) may
 * activate a third one late: then it is shown again.
 */
export async function show(
  target: vscode.TextDocument | vscode.Uri,
  options: vscode.TextDocumentShowOptions = {},
): Promise<vscode.TextEditor> {
  const document = target instanceof vscode.Uri ? await vscode.workspace.openTextDocument(target) : target;
  for (;;) {
    const editor = await vscode.window.showTextDocument(document, options);
    // Earlier events of the window arrive before its answer to this.
    await vscode.commands.executeCommand('setContext', 'svcTest.shown', document.uri.toString());
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    const isInTab =
      activeTab?.input instanceof vscode.TabInputText && String(activeTab.input.uri) === String(document.uri);
    if (isInTab && vscode.window.activeTextEditor?.document === document) return editor;
  }
}
