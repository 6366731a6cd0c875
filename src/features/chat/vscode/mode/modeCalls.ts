import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { CallHandlers } from '../../../../platform/pages/channel.ts';
import type { PanelCalls } from '../../../../protocol/panelCalls.ts';
import type { Session } from '../../../../session/session.ts';
import type { PendingAttachments } from '../../../context/vscode/attachments/pendingAttachments.ts';
import type { PanelChanges } from '../../../edits/vscode/changes/panelChanges.ts';
import type { PanelMessages } from '../panelMessages.ts';
import { requireIdle } from '../turn/editTurn.ts';
import { isFinishedPlan } from '../turn/viewTurn.ts';
import { type ModeParts, requireChange } from './useMode.ts';

const t = vscode.l10n.t;

interface ModeCallParts extends ModeParts {
  readonly session: Session;
  readonly changes: Pick<PanelChanges, 'decisions'>;
  readonly attachments: Pick<PendingAttachments, 'add'>;
  readonly messages: Pick<PanelMessages, 'answering'>;
}

/** The calls of the panel about modes. `ask` sends a question with the attachments of the composer. */
export function modeCalls(
  parts: () => ModeCallParts,
  ask: (text: string) => Promise<void>,
): Pick<CallHandlers<PanelCalls>, 'chooseMode' | 'carryOut' | 'goOn'> {
  return {
    chooseMode: () => vscode.commands.executeCommand('svc.chooseMode'),
    carryOut: ({ turnId }) => parts().messages.answering(() => carryOut(parts(), turnId, ask)),
    goOn: () => parts().messages.answering(() => goOn(parts(), ask)),
  };
}

async function carryOut(parts: ModeCallParts, turnId: string, ask: (text: string) => Promise<void>): Promise<void> {
  const { session } = parts;
  const requirePlan = (): void => {
    requireIdle(session);
    const last = session.conversation.turns.at(-1);
    if (last?.id !== turnId || !isFinishedPlan(last)) throw new Refusal(t('This plan is no longer the last answer.'));
  };
  requirePlan();
  await requireChange(parts);
  // The conversation may have changed while the user was asked.
  requirePlan();
  await ask(t('Carry out the plan above.'));
}

async function goOn(parts: ModeCallParts, ask: (text: string) => Promise<void>): Promise<void> {
  const { session, changes, attachments } = parts;
  const { id } = session.conversation;
  requireIdle(session);
  await requireChange(parts);
  requireIdle(session);
  const decisions = changes.decisions();
  // Another conversation may have been opened while the user was asked.
  if (decisions === undefined || session.conversation.id !== id)
    throw new Refusal(t('The model knows all of your decisions already.'));
  await attachments.add(decisions.source);
  await ask(t('Go on.'));
}
