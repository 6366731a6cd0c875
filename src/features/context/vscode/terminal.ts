import * as vscode from 'vscode';
import { showHint } from '../../../platform/messages/hint.ts';
import { namelessText } from '../../../platform/sources/maker.ts';
import { abortedError } from '../../../util/errors.ts';
import { nothingIn } from './gather.ts';
import type { ContextSource } from './source.ts';
import { resultText } from './toolResult.ts';

const t = vscode.l10n.t;

/**
 * The current selection of the active terminal. It is read immediately, because unlike a file, it disappears with the next line
 * of output. Throws a ServiceError if there is no selection, and `aborted` if the user was told why.
 */
export async function terminalSource(): Promise<ContextSource> {
  const label = t('terminal selection');
  const terminal = vscode.window.activeTerminal;
  const text = terminal === undefined ? '' : await selectedInTerminal();
  if (text === undefined) throw abortedError();
  if (terminal === undefined || text === '') throw nothingIn(label);
  const about = { label: `${label} · ${terminal.name}`, languageId: 'plaintext' };
  const attachment = { ...about, ...namelessText(text, 'untitled:terminal') };
  return { key: 'terminal', label, icon: 'terminal', read: async () => ({ attachments: [attachment] }) };
}

/**
 * VS Code's own tool for chat, which returns the selection without the clipboard: its name, and the pattern of the
 * first line of its result.
 */
const toolName = 'terminal_selection';
const answerStart = /^[^\n]*:\n/;

/**
 * Returns the selection of the active terminal, or an empty string if there is none, and undefined if the user was told that VS
 * Code has no such tool. The clipboard is not used instead, because it may contain an image or formatted text, which cannot be
 * restored.
 */
export async function selectedInTerminal(): Promise<string | undefined> {
  if (vscode.window.activeTerminal === undefined) return '';
  if (vscode.lm.tools.some(({ name }) => name === toolName)) return askTool();
  showHint(
    t(
      'VS Code offers the terminal selection only through the clipboard. Copy the selection, and paste it into the question.',
    ),
  );
  return undefined;
}

async function askTool(): Promise<string> {
  const { content } = await vscode.lm.invokeTool(toolName, { input: {}, toolInvocationToken: undefined });
  const answer = resultText(content);
  const [start] = answerStart.exec(answer) ?? [];
  // Without a selection, the result is a single line without text after it.
  return start === undefined ? '' : answer.slice(start.length);
}
