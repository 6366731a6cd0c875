import * as vscode from 'vscode';

/** Adds an empty cell at the end of a notebook. Returns null if VS Code does not. */
export async function addCell(
  notebook: vscode.NotebookDocument,
  kind: vscode.NotebookCellKind,
  languageId: string,
): Promise<vscode.NotebookCell | null> {
  const edit = new vscode.WorkspaceEdit();
  const data = new vscode.NotebookCellData(kind, '', languageId);
  edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(notebook.cellCount, [data])]);
  return (await vscode.workspace.applyEdit(edit)) ? notebook.cellAt(notebook.cellCount - 1) : null;
}
