import * as vscode from 'vscode';
import { maxBytes } from './readExcluded.ts';

interface Unsaved {
  /** The URI of the file as text. */
  readonly key: string;
  readonly version: number;
  readonly text: string;
}

/** Returns the texts of unsaved documents, from which the user may copy content that is not on the disk. */
export function* unsavedTexts(): Generator<Unsaved> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    const text = document.getText();
    if (text.length <= maxBytes) yield { key: document.uri.toString(), version: document.version, text };
  }
}
