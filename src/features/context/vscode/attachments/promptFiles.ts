import * as vscode from 'vscode';
import { describeBytes } from '../../../../platform/messages/describeNumber.ts';
import { describePromptProblem } from '../../../../platform/messages/describePrompt.ts';
import { makeContent } from '../../../../platform/sources/maker.ts';
import { readUtf8 } from '../../../../platform/sources/open.ts';
import { maxPromptBytes, type OwnPrompt, parsePromptFile } from '../../../../session/prompts/promptFile.ts';
import { slashNames } from '../../../../session/prompts/prompts.ts';

const t = vscode.l10n.t;

/** The maximum number of files read in one folder. */
const maxFiles = 100;

/** A file of `.svc/prompts`: its prompt, or the reason why it has none. */
interface PromptEntry {
  /** The path of the file, such as `.svc/prompts/audit.md`. */
  readonly file: string;
  /** The name after the `/`; for a broken file, the file name without its extension. */
  readonly name: string;
  readonly prompt?: OwnPrompt;
  /** The workspace folder (URI) that contains the file. */
  readonly folder: string;
  readonly problem?: string;
}

/** Reads the prompts of all workspace folders; empty in an untrusted workspace. */
export async function readPrompts(): Promise<readonly PromptEntry[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const entries = (await Promise.all(folders.map(({ uri }) => readFolder(uri)))).flat();
  const known = new Map<string, string>(slashNames.map((name) => [name, t('a Svc command')]));
  return entries.map((entry) => {
    const { prompt, ...kept } = entry;
    if (prompt === undefined) return entry;
    const usedBy = known.get(prompt.name);
    if (usedBy !== undefined) return { ...kept, problem: t('/{0} is already {1}', prompt.name, usedBy) };
    known.set(prompt.name, entry.file);
    return entry;
  });
}

async function readFolder(folder: vscode.Uri): Promise<readonly PromptEntry[]> {
  const place = vscode.Uri.joinPath(folder, '.svc', 'prompts');
  let found: readonly [string, vscode.FileType][];
  try {
    found = await vscode.workspace.fs.readDirectory(place);
  } catch {
    return [];
  }
  const files = found.filter(([name, type]) => name.endsWith('.md') && (type & vscode.FileType.Directory) === 0);
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, maxFiles);
  return Promise.all(
    sorted.map(async ([name, type]): Promise<PromptEntry> => {
      const uri = vscode.Uri.joinPath(place, name);
      const stem = name.slice(0, -'.md'.length);
      const entry = { file: vscode.workspace.asRelativePath(uri), name: stem, folder: folder.toString() };
      const read = await readPrompt(uri, type, stem, entry.folder);
      return typeof read === 'string' ? { ...entry, problem: read } : { ...entry, name: read.name, prompt: read };
    }),
  );
}

/** Returns the prompt in a file of a workspace folder (URI), or the reason why there is none. */
async function readPrompt(
  uri: vscode.Uri,
  type: vscode.FileType,
  stem: string,
  folder: string,
): Promise<OwnPrompt | string> {
  const isLink = t('it is a link, and links are not followed');
  // The target was not written as a prompt.
  if ((type & vscode.FileType.SymbolicLink) !== 0) return isLink;
  let source: string;
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    if (size > maxPromptBytes) return t('larger than {0}', describeBytes(maxPromptBytes));
    const made = await makeContent([uri], () => readUtf8(uri), { outside: 'refuse' });
    if (!made.ok) return t('excluded by {0}', made.rule);
    // A link to a folder leads to a file with other settings.
    if (made.content.covers.some((file) => file.folder !== folder)) return isLink;
    source = made.content.text;
  } catch {
    return t('it cannot be read as text');
  }
  const parsed = parsePromptFile(source, stem);
  if (parsed.ok) return parsed.prompt;
  return describePromptProblem(parsed.problem);
}
