import * as vscode from 'vscode';
import { supportsImports } from '../../../../edits/importedPaths.ts';
import { isTurnedOff } from '../../../../platform/settings/settingsReader.ts';
import { attachFile, partOf } from '../../../../platform/sources/attach.ts';
import { documentContent } from '../../../../platform/sources/maker.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import { importedFiles } from '../../../context/vscode/importedFiles.ts';
import { linesOf } from '../../common/hunks.ts';
import { surroundingsOf } from './surroundings.ts';

/** The limits in characters of the context sent with a request: of the file itself, and of all other files together. */
const ownBudget = 12_000;
const otherBudget = 24_000;
/**
 * The maximum number of characters, from the beginning of a document, in which the names of open documents are searched
 * for.
 */
const maxSearched = 64 * 1024;

/**
 * Context for some lines of a document, which are in order: its imports, the lines around and between them, and other files
 * that it needs. Content that must not be sent or cannot be read is omitted without an error, because the user did not
 * choose it.
 */
export async function relatedTo(
  document: vscode.TextDocument,
  ranges: readonly vscode.Range[],
): Promise<readonly Attachment[]> {
  const lines = linesOf(document.getText());
  const spans = surroundingsOf(
    lines,
    ranges.map(({ start, end }) => ({ start: start.line, end: end.line + 1 })),
  );
  const made = await documentContent(document, { outside: 'ask' });
  const nearby = spans.map(({ start, end }) => partOf(made, document, new vscode.Range(start, 0, end, 0)));
  return [...within(nearby, ownBudget), ...(await otherFiles(document))];
}

/** The files that a document imports, and the open files that it names; empty if the setting is off. */
export async function otherFiles(document: vscode.TextDocument): Promise<readonly Attachment[]> {
  if (isTurnedOff(document.uri, 'svc.context.related')) return [];
  // VS Code still has the text of a file that has just been deleted.
  const read = (uri: vscode.Uri) => attachFile(uri, undefined, { outside: 'refuse' }).catch(() => null);
  const textOf = async (uri: vscode.Uri): Promise<string> => (await read(uri))?.text ?? '';
  const found = [...(await importedFiles(document, textOf)), ...openFiles(document).map(({ uri }) => uri)];
  const uris = [...new Map(found.map((uri) => [uri.toString(), uri])).values()];
  const others = await Promise.all(uris.map(read));
  const allowed = others.filter((one) => one !== null).filter(({ refused }) => refused === undefined);
  return within(allowed, otherBudget);
}

/** Open documents whose names occur in the document's text between quotes or after an import keyword. */
function openFiles(document: vscode.TextDocument): readonly vscode.TextDocument[] {
  const text = document.getText(new vscode.Range(0, 0, 200, 0)).slice(0, maxSearched);
  return vscode.workspace.textDocuments.filter((other) => {
    if (other === document || other.isClosed || !['file', 'vscode-remote', 'untitled'].includes(other.uri.scheme))
      return false;
    if (isOfOtherLanguage(document, other)) return false;
    const name = other.uri.path.slice(other.uri.path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
    return name.length > 1 && isNamed(name, text);
  });
}

function isNamed(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 40), at);
    const isEnd = !/^\w/.test(text.slice(at + name.length, at + name.length + 1));
    if (isEnd && /(?:['"/.]|(?:import|from|require)\s+)$/.test(before)) return true;
  }
  return false;
}

/**
 * Whether documents are in languages that do not import each other, so that a common name means nothing. Scripts import
 * each other; Python does not import Go.
 */
function isOfOtherLanguage(one: vscode.TextDocument, other: vscode.TextDocument): boolean {
  const isScript = ({ languageId }: vscode.TextDocument): boolean =>
    /^(?:(?:java|type)script|vue$|svelte$)/.test(languageId);
  if (!supportsImports(one.languageId) || !supportsImports(other.languageId)) return false;
  return one.languageId !== other.languageId && !(isScript(one) && isScript(other));
}

/** Whole attachments within the budget, in order. */
function within(attachments: readonly Attachment[], budget: number): readonly Attachment[] {
  let remaining = budget;
  return attachments.filter(({ text }) => {
    if (text.length > remaining || text.trim() === '') return false;
    remaining -= text.length;
    return true;
  });
}
