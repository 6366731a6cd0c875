import type * as vscode from 'vscode';
import { asMade, type Content, type Covered, type MadeText, madeContent } from '../../gate/content.ts';
import { abortedError } from '../../util/errors.ts';
import { folderOf } from '../config/settingsReader.ts';
import { type Behind, filesBehind } from './behind.ts';
import { outsideOf, outsideRule, type ReadFiles, ruleAgainst } from './ignored/exclusions.ts';
import { isAgreed, mayAttachOutside } from './outside.ts';
import { marksOf } from './scans.ts';

export type Made =
  | {
      readonly ok: true;
      readonly content: Content;
      /** As in Attachment. */
      readonly outside?: string;
    }
  /** It may not leave, by this rule (in words), and was not read. */
  | { readonly ok: false; readonly rule: string };

export interface MakeOptions {
  /**
   * What lies outside every workspace folder: the user is asked about what they chose themselves; what lies in a folder
   * that they chose needs their earlier agreement; what something else chose is refused.
   */
  readonly outside: 'ask' | 'agreed' | 'refuse';
  /** Ignore files that are read already, where many files are asked about. */
  readonly known?: ReadFiles;
}

/**
 * The one maker of content. Which files are behind these URIs, may they leave, whose settings hold; then the text is read
 * and all of it scanned for secrets. What needs a part cuts it out of the whole with sliceOf(). Throws what `read` throws,
 * and a ServiceError `aborted` where the user does not agree to a file outside the workspace.
 */
export async function makeContent(
  uris: readonly vscode.Uri[],
  read: () => string | Promise<string>,
  { outside, known = new Map() }: MakeOptions,
): Promise<Made> {
  const covers: Covered[] = [];
  let agreed: string | undefined;
  for (const uri of uris) {
    const behind = await filesBehind(uri, known);
    const rule = await ruleAgainst(behind, known);
    if (rule !== null) return { ok: false, rule };
    const foreign = outsideOf(behind);
    if (foreign !== null && !(outside === 'agreed' && isAgreed(foreign))) {
      if (outside !== 'ask') return { ok: false, rule: outsideRule(foreign) };
      if (!(await mayAttachOutside(foreign))) throw abortedError();
    }
    agreed ??= foreign ?? undefined;
    covers.push(...coveredBy(uri, behind));
  }
  const text = await read();
  const content = madeContent(text, await marksOf(text), covers);
  return { ok: true, content, ...(agreed === undefined ? {} : { outside: agreed }) };
}

/** All of a document as the editor has it, with what is not saved. */
export function documentContent(document: vscode.TextDocument, options: MakeOptions): Promise<Made> {
  return makeContent([document.uri], () => document.getText(), options);
}

/** Text that has no file: such as the selection of a terminal. The settings of all `folders` hold for it. */
export function namelessText(
  text: string,
  folders: readonly vscode.Uri[],
): { readonly text: MadeText; readonly covers: readonly Covered[] } {
  return {
    text: asMade(text),
    covers: folders.map((folder) => ({ uri: folder.toString(), folder: folder.toString() })),
  };
}

/** Its own URI first, then what is behind it. */
function coveredBy(uri: vscode.Uri, behind: Behind): readonly Covered[] {
  const covers = new Map<string, Covered>([[uri.toString(), { uri: uri.toString(), folder: folderOf(uri) }]]);
  for (const file of behind.kind === 'files' ? behind.files : []) {
    // The folder may have been opened by a link, and the file named without it.
    for (const name of [file.uri, file.real])
      covers.set(name.toString(), { uri: name.toString(), folder: folderOf(name) ?? file.folder });
  }
  return [...covers.values()];
}
