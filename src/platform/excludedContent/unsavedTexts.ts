import * as vscode from 'vscode';
import { maxBytes } from './readExcluded.ts';

interface Unsaved {
  /** The address of the file. */
  readonly key: string;
  readonly version: number;
  readonly text: string;
}

/** The texts of editors that are not saved: the user may copy from there what is not on the disk. */
export function* unsavedTexts(): Generator<Unsaved> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    const text = document.getText();
    if (text.length <= maxBytes) yield { key: document.uri.toString(), version: document.version, text };
  }
}
