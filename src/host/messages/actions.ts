import * as vscode from 'vscode';
import type { CardAction } from '../../protocol/card.ts';

/** Runs an action that maps to a command. Retry and continue are handled by the caller. */
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
      // Asks for the address first if none is set.
      return vscode.commands.executeCommand('svc.setApiKey');
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', setting ?? '@ext:svc.svc-coder');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
  }
}
