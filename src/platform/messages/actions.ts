import * as vscode from 'vscode';
import type { CardAction } from '../../protocol/card.ts';
import type { MessageAction } from './cardWords.ts';

/** The actions on a turn of the conversation. */
type TurnAction = 'retry' | 'continue' | 'removeFile' | 'summarize' | 'leaveOutTurns';

/** The actions that only the panel can perform. */
type PanelAction =
  | TurnAction
  | 'leaveOutInstructions'
  | 'leaveOutConflicting'
  | 'leaveOutAttached'
  | 'setModelWindow'
  | MessageAction;

/** An action of one message, with the function that performs it. */
export interface OwnAction {
  readonly id: MessageAction;
  readonly label: string;
  readonly run: () => unknown;
}

/** The actions that map to a command. */
export type CommandAction = Exclude<CardAction['id'], PanelAction>;

export function isTurnAction(id: CardAction['id']): id is TurnAction {
  const ids: readonly CardAction['id'][] = ['retry', 'continue', 'removeFile', 'summarize', 'leaveOutTurns'];
  return ids.includes(id);
}

export function isPanelAction(id: CardAction['id']): id is PanelAction {
  const ids: readonly CardAction['id'][] = [
    'leaveOutInstructions',
    'leaveOutConflicting',
    'leaveOutAttached',
    'setModelWindow',
  ];
  return ids.includes(id) || isMessageAction(id) || isTurnAction(id);
}

export function isMessageAction(id: CardAction['id']): id is MessageAction {
  const ids: readonly CardAction['id'][] = [
    ...(['reveal', 'openAuditLog', 'reviewFile', 'retryNow', 'cancelWork'] as const),
    ...(['askAgain', 'askForCells', 'insertCode', 'asNewFile', 'openFile'] as const),
  ];
  return ids.includes(id);
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
      return vscode.commands.executeCommand(`svc.${id}`);
    case 'setBaseUrl':
      // This command asks for the address first if it is not set.
      return vscode.commands.executeCommand('svc.setApiKey');
    case 'openSettings':
      return vscode.commands.executeCommand('workbench.action.openSettings', setting ?? '@ext:svc.svc-coder');
    case 'showProblems':
      return vscode.commands.executeCommand('workbench.actions.view.problems');
    case 'manageTrust':
      return vscode.commands.executeCommand('workbench.trust.manage');
  }
}
