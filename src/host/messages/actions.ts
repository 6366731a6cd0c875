import * as vscode from 'vscode';
import type { CardAction } from '../../protocol/card.ts';

/** The actions on a turn of the conversation. */
type TurnAction = 'retry' | 'continue' | 'removeFile' | 'summarize' | 'leaveOutTurns';

/** The actions that only the panel can perform. */
type PanelAction = TurnAction | 'leaveOutInstructions' | 'leaveOutConflicting' | 'setModelWindow' | OwnAction['id'];

/** An action of one message, which knows what it does. */
export interface OwnAction {
  readonly id: 'reveal';
  readonly run: () => unknown;
}

/** The actions that map to a command. */
export type CommandAction = Exclude<CardAction['id'], PanelAction>;

export function isTurnAction(id: CardAction['id']): id is TurnAction {
  const ids: readonly CardAction['id'][] = ['retry', 'continue', 'removeFile', 'summarize', 'leaveOutTurns'];
  return ids.includes(id);
}

export function isPanelAction(id: CardAction['id']): id is PanelAction {
  const ids: readonly CardAction['id'][] = ['leaveOutInstructions', 'leaveOutConflicting', 'setModelWindow', 'reveal'];
  return ids.includes(id) || isTurnAction(id);
}

/** Runs an action that maps to a command. */
export async function performAction(id: CommandAction, setting?: string): Promise<unknown> {
  switch (id) {
    case 'newChat':
    case 'setApiKey':
    case 'checkHealth':
    case 'diagnoseConnection':
    case 'selectModel':
    case 'showLog':
    case 'showPolicy':
    case 'showFirstSteps':
    case 'showReview':
    case 'reviewFile':
      return vscode.commands.executeCommand(`svc.${id}`);
    case 'setBaseUrl':
      // Asks for the address first if none is set.
      return vscode.commands.executeCommand('svc.setApiKey');
    case 'openAuditLog':
      return vscode.commands.executeCommand('svc.auditLog.open');
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', setting ?? '@ext:svc.svc-coder');
    case 'showProblems':
      return vscode.commands.executeCommand('workbench.actions.view.problems');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
  }
}
