import * as vscode from 'vscode';
import { resultText } from '../languageModel/messages.ts';
import { showInformation } from '../messages.ts';

const t = vscode.l10n.t;

/** VS Code's own tool for chat, which it answers without the clipboard: what it is called, and how its answer begins. */
const toolName = 'terminal_selection';
const answerStart = /^[^\n]*:\n/;

/**
 * What is selected in the terminal in front; empty where nothing is. The clipboard stays as it is, whatever is in it: only
 * where VS Code has no such tool, the selection goes through a clipboard that holds text, which is put back.
 */
export async function selectedInTerminal(): Promise<string> {
  if (vscode.window.activeTerminal === undefined) return '';
  return vscode.lm.tools.some(({ name }) => name === toolName) ? askTool() : throughClipboard();
}

async function askTool(): Promise<string> {
  const { content } = await vscode.lm.invokeTool(toolName, { input: {}, toolInvocationToken: undefined });
  const answer = resultText(content);
  const [start] = answerStart.exec(answer) ?? [];
  // Without a selection it is one line that says so.
  return start === undefined ? '' : answer.slice(start.length);
}

/** An image or a file in the clipboard is no text to an extension, which could not put it back. */
async function throughClipboard(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  if (before === '') {
    void showInformation(
      t(
        'VS Code gives the selection through the clipboard alone, which may hold an image. Copy the selection, then ask again.',
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
