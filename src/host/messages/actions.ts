import * as vscode from 'vscode';
import type { CardAction } from '../../protocol/messages.ts';

/** The actions that stand for a command, wherever they are offered. Retry and continue belong to whoever offers them. */
export async function performAction(
  id: Exclude<CardAction['id'], 'retry' | 'continue'>,
  setting?: string,
): Promise<unknown> {
  switch (id) {
    case 'setApiKey':
    case 'checkHealth':
    case 'selectModel':
    case 'showLog':
    case 'showPolicy':
    case 'showFirstSteps':
      return vscode.commands.executeCommand(`svc.${id}`);
    case 'setBaseUrl':
      // Asks for the address first where none is set.
      return vscode.commands.executeCommand('svc.setApiKey');
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', setting ?? '@ext:svc.svc-coder');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
  }
}
