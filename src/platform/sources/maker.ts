import * as vscode from 'vscode';
import { asMade, type Content, type Covered, madeContent } from '../../gate/content.ts';
import { type Attachment, type NamelessUri, organizationUri } from '../../send/message/attachment.ts';
import { append } from '../../util/append.ts';
import { abortedError } from '../../util/errors.ts';
import { otherNames } from '../files/hardLinks.ts';
import { folderOf } from '../settings/settingsReader.ts';
import { type Behind, filesBehind } from './behind.ts';
import { farNameRule, linkedRule, outsideRule } from './ignored/describeExclusion.ts';
import { outsideOf, type ReadFiles, ruleAgainst } from './ignored/exclusions.ts';
import { isAgreed, mayAttachOutside } from './outside.ts';
import { marksOf } from './scans.ts';

export type Made =
  | {
      readonly ok: true;
      readonly content: Content;
      /** The real path outside the workspace that the user agreed to, as in Attachment. */
      readonly outside?: string;
    }
  /** The file may not be sent because of this rule (as text), and was not read. */
  | { readonly ok: false; readonly rule: string };

export interface MakeOptions {
  /**
   * The handling of files outside every workspace folder. `ask`: the user chose the file and is asked. `agreed`: the file is
   * in a folder that the user chose, and needs the earlier agreement. `refuse`: the user did not choose the file.
   */
  readonly outside: 'ask' | 'agreed' | 'refuse';
  /** The ignore files that were read already, for checks of many files. */
  readonly known?: ReadFiles;
}

/**
 * The only function that creates content. It determines the files behind these URIs, whether they may be sent, and the
 * folders whose settings apply; then it reads the text and scans all of it for secrets. Callers that need a part cut it out
 * of the whole with sliceOf(). Throws the errors of `read`, and a ServiceError `aborted` if the user does not agree to a
 * file outside the workspace.
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
    const outsidePath = outsideOf(behind);
    const linked = outsidePath === null ? await ruleOfOtherNames(behind, known) : { path: null };
    if (typeof linked === 'string') return { ok: false, rule: linked };
    const askedPath = outsidePath ?? linked.path;
    if (askedPath !== null && !(outside === 'agreed' && isAgreed(askedPath))) {
      const isLinked = outsidePath === null;
      if (outside !== 'ask') return { ok: false, rule: isLinked ? farNameRule(askedPath) : outsideRule(askedPath) };
      if (!(await mayAttachOutside(askedPath, isLinked))) throw abortedError();
    }
    agreed ??= outsidePath ?? undefined;
    append(covers, coveredBy(uri, behind));
  }
  const text = await read();
  const content = madeContent(text, await marksOf(text), covers);
  return { ok: true, content, ...(agreed === undefined ? {} : { outside: agreed }) };
}

/**
 * Returns the rule that excludes another name of the same file, such as a hard link to an excluded file. `path` is the path
 * of a file that has another name outside the searched folders: it is unknown whether a rule excludes that name.
 */
async function ruleOfOtherNames(behind: Behind, known: ReadFiles): Promise<string | { readonly path: string | null }> {
  let path: string | null = null;
  for (const { real } of behind.kind === 'files' ? behind.files : []) {
    const names = await otherNames(real);
    if (names === null) continue;
    for (const name of names.found) {
      const rule = await ruleAgainst(await filesBehind(name, known), known);
      if (rule !== null) return linkedRule(name, rule);
    }
    if (names.hasMore) path ??= real.path;
  }
  return { path };
}

/** Makes content of the whole document as the editor has it, with unsaved changes. */
export function documentContent(document: vscode.TextDocument, options: MakeOptions): Promise<Made> {
  return makeContent([document.uri], () => document.getText(), options);
}

/**
 * Makes content of text without a file, such as the selection of a terminal. It may come from any workspace folder, so the
 * settings of all of them apply. Its URI marks it as text without a file name, so all of it is compared with the excluded files.
 */
export function namelessText(
  text: string,
  uri: NamelessUri,
): Pick<Attachment, 'text' | 'uri' | 'firstLine' | 'folder'> & { readonly covers: readonly Covered[] } {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.toString());
  return {
    text: asMade(text),
    uri,
    firstLine: 1,
    folder: null,
    covers: folders.map((folder) => ({ uri: folder, folder })),
  };
}

/** Makes content of the result of a tool of VS Code, an extension or an MCP server. It is scanned as a whole. */
export async function toolText(text: string): Promise<Omit<Attachment, 'label' | 'languageId'>> {
  return { ...namelessText(text, 'untitled:tool'), marks: await marksOf(text, true) };
}

/** Makes content of the organization's instructions, which only an administrator can write. */
export async function organizationText(text: string): Promise<Omit<Attachment, 'label' | 'languageId'>> {
  return { text: asMade(text), uri: organizationUri, firstLine: 1, folder: null, marks: await marksOf(text) };
}

/** Returns the URI itself, then the files behind it. */
function coveredBy(uri: vscode.Uri, behind: Behind): readonly Covered[] {
  const covers = new Map<string, Covered>([[uri.toString(), { uri: uri.toString(), folder: folderOf(uri) }]]);
  for (const file of behind.kind === 'files' ? behind.files : []) {
    // The folder may have been opened through a link, while the URI of the file does not contain the link.
    for (const name of [file.uri, file.real])
      covers.set(name.toString(), { uri: name.toString(), folder: folderOf(name) ?? file.folder });
  }
  return [...covers.values()];
}
