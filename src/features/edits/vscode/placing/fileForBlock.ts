import * as vscode from 'vscode';
import { type AnswerBlock, type ReadAnswer, readAnswer } from '../../../../edits/reading/answer.ts';
import { isSameFile } from '../../../../edits/reading/candidates.ts';
import { filesIn } from '../../../../edits/reading/fileName.ts';
import { trimLines } from '../../../../edits/text/lines.ts';
import { asText } from '../../../../platform/messages/asText.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import { type Attachment, isNameless } from '../../../../send/message/attachment.ts';
import { fenceFor } from '../../../../util/text/fence.ts';
import { type Instead, namelessCode, refusedFile } from '../unusableCode.ts';
import { findAnswerFile } from './answerFile.ts';
import { safeParseAnswerPath } from './answerPath.ts';

const t = vscode.l10n.t;

interface Asked {
  readonly answer: string;
  readonly attachments: readonly Attachment[];
  /** The text after the opening fence of the block, and the text of the block. */
  readonly info: string;
  readonly text: string;
}

export type FoundFile = Extract<Awaited<ReturnType<typeof findAnswerFile>>, { readonly ok: true }>;

/**
 * Returns the file that a block of an answer is for, and the block alone. It is the file that the block or the text
 * before it names; for a block without a name, the attached file, or else the only file that the answer or the output
 * of a terminal mentions. Returns null if the user chooses none; throws a Refusal if there is none.
 */
export async function fileForBlock(
  asked: Asked,
  instead: Pick<Instead, 'insert' | 'newFile'>,
): Promise<{ readonly file: FoundFile; readonly read: ReadAnswer } | null> {
  const read = blocksFor(asked);
  const named = [...new Set(read.blocks.map(({ file }) => file).filter((file) => file !== undefined))];
  const name =
    named.length > 1
      ? await chooseOf(named)
      : (named[0] ?? attachedFile(asked.attachments) ?? (await mentionedFile(asked, read.text)));
  if (name === null) return null;
  if (name === undefined) throw namelessCode(instead);
  const file = await fileNamed(name, asked.attachments, instead);
  if (file === null) return null;
  const blocks = read.blocks.filter((block) => block.file === undefined || block.file === name);
  return { file, read: { ...read, blocks: file.exists ? blocks.map(withoutFile) : blocks } };
}

/** Returns the file that an answer names, or null if the user chooses none. Throws a Refusal if there is none. */
export async function fileNamed(
  name: string,
  attachments: readonly Attachment[],
  instead: Pick<Instead, 'insert' | 'newFile'>,
): Promise<FoundFile | null> {
  const path = safeParseAnswerPath(belowFolder(name));
  if (path === null) throw namelessCode(instead);
  const file = await findAnswerFile(path);
  if (!file.ok) throw refusedFile(file.reason, instead);
  if (file.exists) return file;
  const meant = await meantInstead(path, attachments);
  return meant === 'new' ? file : meant;
}

/**
 * Removes the file name, because the file is known: its real path may differ from its name in the answer, which may
 * lead over a link.
 */
export function withoutFile({ file: _, ...block }: AnswerBlock): AnswerBlock {
  return block;
}

/** Returns the block within its answer, whose text before the block may name the file, or else the block alone. */
function blocksFor({ answer, info, text }: Asked): ReadAnswer {
  const lines = trimLines(text.split(/\r\n|\r|\n/));
  const isSameBlock = (block: AnswerBlock): boolean =>
    block.lines.length === lines.length && block.lines.every((line, at) => line === lines[at]);
  const whole = readAnswer(answer);
  const blocks = whole.blocks.filter(isSameBlock);
  if (blocks.length > 0) return { ...whole, blocks, others: [] };
  const fence = fenceFor(text);
  const end = text.endsWith('\n') ? '' : '\n';
  return readAnswer(`${fence}${info.replace(/[`\n]/g, '')}\n${text}${end}${fence}\n`);
}

/** Returns the file attached to the question if there is only one. */
function attachedFile(attachments: readonly Attachment[]): string | undefined {
  const files = new Set(attachments.filter(({ uri }) => !uri.startsWith('untitled:')).map(({ uri }) => uri));
  const [only, ...others] = files;
  if (only === undefined || others.length > 0) return undefined;
  const uri = vscode.Uri.parse(only);
  return vscode.workspace.getWorkspaceFolder(uri) === undefined ? undefined : vscode.workspace.asRelativePath(uri);
}

/**
 * The only file of the workspace that the answer mentions or, if it mentions none, that is mentioned in text attached
 * without a file, such as the output of a terminal.
 */
async function mentionedFile({ attachments }: Asked, answer: string): Promise<string | undefined> {
  const nameless = attachments.filter(isNameless).map(({ text }) => text);
  for (const text of [answer, nameless.join('\n')]) {
    const found = new Set<string>();
    for (const name of filesIn(text)) if (await isInWorkspace(belowFolder(name))) found.add(belowFolder(name));
    const [only, ...others] = found;
    if (only !== undefined) return others.length === 0 ? only : undefined;
  }
  return undefined;
}

async function isInWorkspace(name: string): Promise<boolean> {
  const path = safeParseAnswerPath(name);
  if (path === null) return false;
  const found = (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }) => {
    const file = await vscode.workspace.fs.stat(vscode.Uri.joinPath(uri, path)).then(undefined, () => null);
    return file?.type === vscode.FileType.File;
  });
  return (await Promise.all(found)).includes(true);
}

/** Removes the workspace folder from a path: models repeat a whole path if they saw it. */
function belowFolder(name: string): string {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (name.startsWith(`${uri.path}/`)) return name.slice(uri.path.length + 1);
  }
  return name;
}

/**
 * Finds a file that the workspace has under a longer path: an attached or open file is meant; about other files, the
 * user is asked. Returns `new` if there is none, and null if the user chooses neither.
 */
async function meantInstead(path: string, attachments: readonly Attachment[]): Promise<FoundFile | 'new' | null> {
  const known = [
    ...attachments.filter(({ uri }) => !uri.startsWith('untitled:')).map(({ uri }) => vscode.Uri.parse(uri)),
    ...vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed).map(({ uri }) => uri),
  ];
  const [open, ...more] = await existing(known.filter((uri) => isSameFile(path, uri.path)));
  if (open !== undefined && more.length === 0) return open;
  const pattern = `**/${path.replace(/[[\]{}*?]/g, '[$&]')}`;
  const found = await existing(await vscode.workspace.findFiles(pattern, '**/node_modules/**', 20));
  if (found.length === 0) return 'new';
  return askWhich(path, found);
}

async function existing(uris: readonly vscode.Uri[]): Promise<readonly FoundFile[]> {
  const unique = new Map(uris.map((uri) => [uri.toString(), uri]));
  const files: FoundFile[] = [];
  for (const uri of unique.values()) {
    if (vscode.workspace.getWorkspaceFolder(uri) === undefined) continue;
    const isMany = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
    const path = safeParseAnswerPath(vscode.workspace.asRelativePath(uri, isMany));
    const file = path === null ? null : await findAnswerFile(path);
    if (file?.ok === true && file.exists) files.push(file);
  }
  return files;
}

async function askWhich(path: string, found: readonly FoundFile[]): Promise<FoundFile | 'new' | null> {
  const [first] = found;
  if (first === undefined) return 'new';
  const create = t('Create {0}', path);
  if (found.length > 1) {
    const items = [
      ...found.map((file) => ({ label: asText(vscode.workspace.asRelativePath(file.uri)), file })),
      { label: asText(create), file: 'new' as const },
    ];
    const chosen = await vscode.window.showQuickPick(items, { title: t('Which file is it?') });
    return chosen?.file ?? null;
  }
  const change = t('Change This File');
  const question = t('Did you mean {0}?', vscode.workspace.asRelativePath(first.uri));
  const detail = t('The answer names {0}, which does not exist.', path);
  const chosen = await showWarning(question, { modal: true, detail }, change, create);
  return chosen === change ? first : chosen === create ? 'new' : null;
}

async function chooseOf(files: readonly string[]): Promise<string | null> {
  const items = files.map((file) => ({ label: asText(file), file }));
  const title = t('The changes are for several files. Which one first?');
  return (await vscode.window.showQuickPick(items, { title }))?.file ?? null;
}
