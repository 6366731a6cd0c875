import * as vscode from 'vscode';
import { answerLanguage } from '../../../../platform/messages/answerLanguage.ts';
import { attachCode } from '../../../../platform/sources/attach.ts';
import { withEnclosing } from '../../../../platform/sources/enclosing.ts';
import type { MakeOptions } from '../../../../platform/sources/maker.ts';
import { symbolAt } from '../../../../platform/sources/symbols.ts';
import type { Attachment } from '../../../../send/message/attachment.ts';
import type { Question, TurnCommand } from '../../../../session/conversation/turn.ts';
import {
  actionOf,
  explainText,
  type SlashName,
  slashIn,
  slashNames,
  slashText,
  withWords,
} from '../../../../session/prompts/prompts.ts';

import { isServiceError, ServiceError } from '../../../../util/errors.ts';
import { fileSource } from '../fileSource.ts';
import { diffSource } from '../gitDiff.ts';
import type { PendingAttachments } from './pendingAttachments.ts';
import { readPrompts } from './promptFiles.ts';

export interface QuestionParts {
  readonly attachments: Pick<PendingAttachments, 'keys' | 'read'>;
}

/**
 * Returns the question for a message that begins with `/`: a built-in command or a prompt of the workspace; anything
 * else is an ordinary message. Throws a ServiceError if a prompt is broken, or if a command has nothing to work on.
 */
export async function questionFrom(text: string, parts: QuestionParts): Promise<Question> {
  const slash = slashIn(text);
  const builtIn = slashNames.find((name) => name === slash?.name);
  if (slash !== null && builtIn !== undefined) return commandQuestion(builtIn, slash.words, text, parts);
  const attachments = await parts.attachments.read();
  const command = slash === null ? null : await promptCommand(slash.name, slash.words);
  return { action: 'chat', prompt: text, attachments, ...(command === null ? {} : { command }) };
}

async function commandQuestion(
  name: SlashName,
  words: string,
  prompt: string,
  parts: QuestionParts,
): Promise<Question> {
  const attached = await parts.attachments.read();
  const given = name === 'commit' ? await withDiff(attached, parts) : await orCode(attached);
  const attachments = await forCommand(name, given);
  if (attachments.length === 0 && words.trim() === '') {
    throw new ServiceError('gate', 'There is nothing to work on.', { code: 'nothing-to-work-on', file: `/${name}` });
  }
  const language = answerLanguage();
  const isAround = attachments.length > given.length;
  const text = name === 'explain' ? explainText(words, language, isAround) : slashText(name, words, language);
  const command = { name, text };
  return { action: actionOf({ action: 'chat', command }), prompt, attachments, command };
}

/**
 * The content that a command would take from the editor or from git if it were sent now; empty if that would be
 * refused. Never asks the user. `attached` are the keys of existing attachments.
 */
export async function commandContent(name: string, attached: readonly string[]): Promise<readonly Attachment[]> {
  const builtIn = slashNames.find((one) => one === name);
  if (builtIn === undefined) return [];
  try {
    if (builtIn === 'commit') return await withDiff([], { attachments: { keys: attached } });
    return attached.length > 0 ? [] : await forCommand(builtIn, await orCode([], { outside: 'agreed' }));
  } catch (error) {
    if (isServiceError(error)) return [];
    throw error;
  }
}

/**
 * Returns the attachments; if there are none, the selection of the editor, or else the symbol at its cursor, or else
 * its file.
 */
async function orCode(attached: readonly Attachment[], options?: MakeOptions): Promise<readonly Attachment[]> {
  const editor = vscode.window.activeTextEditor;
  if (attached.length > 0 || editor === undefined) return attached;
  const code = await attachCode(editor, options);
  return code.refused === undefined && code.text.trim() === '' ? [] : [code];
}

/** Adds the code around a single piece of code that the model is asked to explain. */
async function forCommand(name: SlashName, given: readonly Attachment[]): Promise<readonly Attachment[]> {
  const [code, ...others] = given;
  return name === 'explain' && code !== undefined && others.length === 0 ? withEnclosing(code) : given;
}

/** Attaches the code that a slash command without attachments works on, which stays this code while the command waits. */
export async function pinCode(text: string, attachments: Pick<PendingAttachments, 'keys' | 'add'>): Promise<void> {
  const name = slashNames.find((each) => each === slashIn(text)?.name);
  const editor = vscode.window.activeTextEditor;
  if (name === undefined || name === 'commit' || attachments.keys.length > 0 || editor === undefined) return;
  const { document, selection } = editor;
  const selected = new vscode.Range(selection.start, selection.end);
  const range = selection.isEmpty ? await symbolAt(document, selection.active) : selected;
  await attachments.add(fileSource(document.uri, range));
}

/** Adds a git diff to attachments that have none: the staged changes, or else all changes. */
async function withDiff(
  attached: readonly Attachment[],
  { attachments }: { readonly attachments: Pick<PendingAttachments, 'keys'> },
): Promise<readonly Attachment[]> {
  if (attachments.keys.some((key) => key.startsWith('diff:'))) return attached;
  const staged = await diffSource('staged')
    .read()
    .catch((error: unknown) => {
      if (isServiceError(error) && error.code === 'nothing-there') return null;
      throw error;
    });
  const diff = staged ?? (await diffSource('all').read());
  return [...attached, ...diff.attachments];
}

/** Returns the workspace prompt with this name, or null if there is none. */
async function promptCommand(name: string, words: string): Promise<TurnCommand | null> {
  const entries = (await readPrompts()).filter((entry) => entry.name === name);
  const entry = entries.find(({ prompt }) => prompt !== undefined) ?? entries[0];
  if (entry === undefined) return null;
  const { prompt, problem, file, folder } = entry;
  if (prompt === undefined) {
    throw new ServiceError('gate', 'A prompt file is broken.', { code: 'broken-prompt', file, reason: problem });
  }
  const { text, model } = prompt;
  return { name, text: withWords(text, words), folder, ...(model === undefined ? {} : { model }) };
}
