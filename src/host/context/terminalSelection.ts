import * as vscode from 'vscode';
import { resultText } from '../languageModel/messages.ts';
import { showInformation } from '../messages/show.ts';

const t = vscode.l10n.t;

/**
 * VS Code's own tool for chat, which returns the selection without the clipboard: its name, and the first line of its
 * result.
 */
const toolName = 'terminal_selection';
const answerStart = /^[^\n]*:\n/;

/**
 * The selection of the active terminal; empty where there is none, undefined where the user was told that VS Code has no
 * such tool. The clipboard is not a way around: it may hold an image or formatted text, which cannot be restored.
 */
export async function selectedInTerminal(): Promise<string | undefined> {
  if (vscode.window.activeTerminal === undefined) return '';
  if (vscode.lm.tools.some(({ name }) => name === toolName)) return askTool();
  void showInformation(
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
