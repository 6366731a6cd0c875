import * as vscode from 'vscode';
import { filesBehind } from '../../../../platform/sources/behind.ts';
import { type ReadFiles, whyFileExcluded } from '../../../../platform/sources/ignored/exclusions.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { OwnText } from '../../../../session/tools/ownText.ts';
import { ownText } from '../../../../session/tools/ownText.ts';

/**
 * Resolves a path from a model to a file or folder of the workspace. Throws a ToolRefusal if it is outside all
 * workspace folders, by its name or through links, or if it must not be sent.
 */
export async function locate(path: string, files: ReadFiles = new Map()): Promise<vscode.Uri> {
  const uri = named(path);
  const behind = uri === null ? null : await filesBehind(uri, files);
  const isInside = behind?.kind === 'files' && behind.files.every((file) => file.isInside);
  if (uri === null || behind?.kind === 'none' || (behind?.kind === 'files' && !isInside)) {
    throw new ToolRefusal(ownText`Refused: this path is not in the workspace.`);
  }
  const reason = await whyFileExcluded(uri.toString(), files);
  if (reason === null) return uri;
  throw new ToolRefusal(ownText`Refused: the content of this path is not sent.`, { rule: reason });
}

/** Returns the path by which locate() finds this file: the usual path, or the full path if the usual one is ambiguous. */
export function pathOf(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri);
  return named(path)?.toString() === uri.toString() ? path : uri.path;
}

/** Parses the format of vscode.workspace.asRelativePath(): the folder's name comes first if there are several. */
function named(path: string): vscode.Uri | null {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (first === undefined) return null;
  const root = folders.find(({ uri }) => path === uri.path || path.startsWith(`${uri.path.replace(/\/$/, '')}/`));
  if (root !== undefined) return root.uri.with({ path });
  if (path.startsWith('/')) return null;
  const [name = '', ...rest] = path.replace(/^\.\//, '').split('/');
  const folder = folders.length > 1 ? folders.find((one) => one.name === name) : undefined;
  return folder === undefined ? vscode.Uri.joinPath(first.uri, path) : vscode.Uri.joinPath(folder.uri, ...rest);
}

/** A tool's refusal, for the model and the user. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
  readonly words: OwnText;
  /** The rule that excludes the file, as text of the workspace. */
  readonly rule: string | undefined;
  /** The content that the words are about. */
  readonly attachments: readonly Attachment[];

  constructor(words: OwnText, { rule, attachments = [] }: { rule?: string; attachments?: readonly Attachment[] } = {}) {
    super(words);
    this.words = words;
    this.rule = rule;
    this.attachments = attachments;
  }
}
