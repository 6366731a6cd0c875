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
 * The selection of the active terminal; empty where there is none. The clipboard keeps its contents: only where VS Code
 * has no such tool, the selection is copied through a clipboard that holds text, which is restored.
 */
export async function selectedInTerminal(): Promise<string> {
  if (vscode.window.activeTerminal === undefined) return '';
  return vscode.lm.tools.some(({ name }) => name === toolName) ? askTool() : throughClipboard();
}

async function askTool(): Promise<string> {
  const { content } = await vscode.lm.invokeTool(toolName, { input: {}, toolInvocationToken: undefined });
  const answer = resultText(content);
  const [start] = answerStart.exec(answer) ?? [];
  // Without a selection, the result is a single line without text after it.
  return start === undefined ? '' : answer.slice(start.length);
}

/** Skips a clipboard with an image or a file, because an extension cannot restore those. */
async function throughClipboard(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  if (before === '') {
    void showInformation(
      t(
        'VS Code provides the terminal selection only through the clipboard, which may contain an image. Copy the selection, then try again.',
      ),
    );
    return '';
  }
  try {
    await clipboard.writeText('');
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}
