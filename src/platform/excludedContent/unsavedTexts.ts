import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { filesBehind } from '../sources/behind.ts';
import { ruleFor } from '../sources/ignored/ignoreRules.ts';
import { kindOf } from './knownNames.ts';
import { maxBytes } from './readExcluded.ts';

interface Unsaved {
  /** The URI of the document. */
  readonly uri: vscode.Uri;
  readonly version: number;
  readonly text: string;
}

/** Returns the texts of unsaved documents, from which the user may copy content that is not on the disk. */
export function* unsavedTexts(): Generator<Unsaved> {
  for (const document of vscode.workspace.textDocuments) {
    if (!document.isDirty) continue;
    const text = document.getText();
    if (text.length <= maxBytes) yield { uri: document.uri, version: document.version, text };
  }
}

/** An excluded file, which need not be on the disk. */
interface ShownFile {
  readonly uri: vscode.Uri;
  readonly isCredential: boolean;
}

/**
 * Returns the excluded file that a document shows: also for a cell of a notebook, for a document that will be saved at a certain
 * path, and for a file that was opened through a link. Returns null if no rule excludes the file.
 */
export async function excludedBehind(document: vscode.Uri, lookups: Lookups): Promise<ShownFile | null> {
  const behind = await filesBehind(document, lookups);
  if (behind.kind === 'none') return null;
  const uris =
    behind.kind === 'files' ? behind.files.flatMap(({ real, uri }) => [real, uri]) : [vscode.Uri.file(document.path)];
  for (const uri of uris) {
    if (builtInDenial(uri.path) !== null) return { uri, isCredential: true };
    if (kindOf(await ruleFor(uri, lookups)) !== null) return { uri, isCredential: false };
  }
  return null;
}
