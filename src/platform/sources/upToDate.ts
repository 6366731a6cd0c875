import * as vscode from 'vscode';

/** The maximum wait in milliseconds for VS Code to reload a document whose file has changed. */
const reloadTime = 5_000;

/** Returns the document of a file if VS Code has it, with or without an editor. */
export function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
}

/** Returns the text that VS Code reads from these bytes of a document's file, without a byte order mark. */
export async function textOf(bytes: Uint8Array, { encoding }: vscode.TextDocument): Promise<string> {
  const text = await vscode.workspace.decode(bytes, { encoding });
  return text.replace(/^\ufeff/, '');
}

/**
 * Waits until a document shows its file: VS Code reloads it some time after the file has changed. `read` returns the bytes
 * of the file. Returns false if VS Code does not reload it within some seconds, and true for a document that is not reloaded:
 * one with unsaved changes, a closed one, and one without a file.
 */
export function waitUntilUpToDate(
  document: vscode.TextDocument,
  read: () => Promise<Uint8Array | null>,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const look = async (): Promise<void> => {
    const bytes = await read();
    if (bytes === null || document.isDirty || document.isClosed || (await shows(document, bytes))) resolve(true);
  };
  const lookIfOwn = (one: vscode.TextDocument): void => {
    if (one === document) look().catch(reject);
  };
  const listening = [
    vscode.workspace.onDidChangeTextDocument((change) => lookIfOwn(change.document)),
    vscode.workspace.onDidCloseTextDocument(lookIfOwn),
  ];
  const limit = setTimeout(() => resolve(false), reloadTime);
  look().catch(reject);
  return promise.finally(() => {
    for (const listener of listening) listener.dispose();
    clearTimeout(limit);
  });
}

/** Whether a document has the lines of these bytes. VS Code gives all lines the same end. */
async function shows(document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> {
  const [onDisk, shown] = [await textOf(bytes, document), document.getText()];
  return onDisk === shown || inLines(onDisk) === inLines(shown);
}

function inLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
