import { posix } from 'node:path';
import * as vscode from 'vscode';
import { isGone } from '../../../platform/files/isGone.ts';
import { hasLink } from '../../../platform/files/links.ts';
import { isTurnedOff } from '../../../platform/settings/settingsReader.ts';
import { attachmentOf } from '../../../platform/sources/attach.ts';
import { makeContent, organizationText } from '../../../platform/sources/maker.ts';
import { readUtf8 } from '../../../platform/sources/open.ts';
import type { Attachment } from '../../../send/message/attachment.ts';
import { distinctLabels } from './distinctLabels.ts';
import { unsavedText } from './unsaved.ts';

/** The files of a workspace folder that contain instructions for a model. */
export const instructionNames = ['AGENTS.md', '.github/copilot-instructions.md'] as const;

/** The maximum size of an instructions file in bytes. The file is never cut, and a larger one is not sent. */
export const maxInstructionBytes = 64 * 1024;

/** The reason why an instructions file is not sent. */
export type InstructionsProblem =
  | { readonly kind: 'link' | 'not-text' }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'excluded'; readonly rule: string };

/** An instructions file of the workspace. */
export type ProjectFile = {
  readonly uri: vscode.Uri;
  /** `AGENTS.md`, with its workspace folder if there are several. */
  readonly label: string;
} & ({ readonly attachment: Attachment } | { readonly problem: InstructionsProblem });

/** The organization's instructions as content; empty if there are none. */
export async function organizationInstructions(text: string | undefined): Promise<readonly Attachment[]> {
  if (text === undefined) return [];
  return [{ ...(await organizationText(text)), label: 'organization', languageId: 'markdown' }];
}

/** The instructions of all workspace folders, read now; empty in an untrusted workspace. */
export async function readInstructions(limit: number): Promise<readonly ProjectFile[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(
    ({ uri }) => !isTurnedOff(uri, 'svc.instructions.enabled'),
  );
  const uris = folders.flatMap(({ uri }) => instructionNames.map((name) => vscode.Uri.joinPath(uri, name)));
  const labels = distinctLabels(uris.map((uri) => ({ path: uri.path, label: vscode.workspace.asRelativePath(uri) })));
  const files = await Promise.all(
    uris.map((uri, index) => readProjectFile(uri, labels[index] ?? '', Math.min(limit, maxInstructionBytes))),
  );
  return files.filter((file) => file !== null);
}

/**
 * The instructions for a file: the closest AGENTS.md in its folder or above that may be sent, or else the instructions
 * of its workspace folder.
 */
export async function readInstructionsNear(uri: vscode.Uri, limit: number): Promise<readonly ProjectFile[]> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (!vscode.workspace.isTrusted || folder === undefined || isTurnedOff(folder, 'svc.instructions.enabled')) return [];
  const read = async (path: string): Promise<readonly ProjectFile[]> => {
    const file = folder.with({ path });
    const one = await readProjectFile(
      file,
      vscode.workspace.asRelativePath(file),
      Math.min(limit, maxInstructionBytes),
    );
    return one !== null && 'attachment' in one ? [one] : [];
  };
  const root = folder.path.replace(/\/$/, '');
  for (let path = posix.dirname(uri.path); path.startsWith(`${root}/`); path = posix.dirname(path)) {
    const closest = await read(posix.join(path, instructionNames[0]));
    if (closest.length > 0) return closest;
  }
  return (await Promise.all(instructionNames.map((name) => read(`${root}/${name}`)))).flat();
}

/** Reads one file. Returns null if it does not exist or is empty. */
export async function readProjectFile(uri: vscode.Uri, label: string, limit: number): Promise<ProjectFile | null> {
  const without = (problem: InstructionsProblem): ProjectFile => ({ uri, label, problem });
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    // Links are not followed, because the target was not written as instructions of this project.
    if (await hasLink(uri)) return without({ kind: 'link' });
    // Reading a pipe or a device may never end.
    if (type !== vscode.FileType.File) return without({ kind: 'not-text' });
    const unsaved = unsavedText(uri);
    const bytes = unsaved === null ? size : Buffer.byteLength(unsaved);
    if (bytes > limit) return without({ kind: 'too-large', limit });
    const made = await makeContent([uri], () => unsaved ?? readUtf8(uri), { outside: 'refuse' });
    if (!made.ok) return without({ kind: 'excluded', rule: made.rule });
    const { text } = made.content;
    // The file may have grown since its size was checked.
    if (Buffer.byteLength(text) > limit) return without({ kind: 'too-large', limit });
    if (text.includes('\0')) return without({ kind: 'not-text' });
    return text.trim() === ''
      ? null
      : { uri, label, attachment: attachmentOf(made, { label, uri, languageId: 'markdown' }) };
  } catch {
    return (await isGone(uri)) ? null : without({ kind: 'not-text' });
  }
}
