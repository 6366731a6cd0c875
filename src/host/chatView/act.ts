import type { PanelCalls } from '../../protocol/panelCalls.ts';
import type { Session } from '../../session/session.ts';
import type { ProjectInstructions } from '../attachments/projectInstructions.ts';
import { isTurnAction, performAction } from '../messages/actions.ts';
import type { PanelMessages } from './panelMessages.ts';
import { setModelWindow } from './setModelWindow.ts';

interface ActParts {
  readonly session: Session;
  readonly instructions: Pick<ProjectInstructions, 'leaveOutAll'>;
  readonly messages: PanelMessages;
}

/** Does what the button of a card offers. */
export function act(
  { session, instructions, messages }: ActParts,
  { action, turnId, setting }: Parameters<PanelCalls['act']>[0],
): unknown {
  if (action === 'leaveOutInstructions') return instructions.leaveOutAll();
  if (action === 'setModelWindow') {
    const turn = session.conversation.turns.find(({ id }) => id === turnId);
    return turn === undefined ? undefined : messages.answering(() => setModelWindow(turn, messages));
  }
  if (!isTurnAction(action)) return performAction(action, setting);
  if (turnId !== undefined) void session[action](turnId);
  return undefined;
}
