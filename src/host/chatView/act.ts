import type { PanelCalls } from '../../protocol/panelCalls.ts';
import type { Session } from '../../session/session.ts';
import type { ProjectInstructions } from '../attachments/projectInstructions.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import { isMessageAction, isTurnAction, performAction } from '../messages/actions.ts';
import type { NextRequest } from '../posture/nextRequest.ts';
import { outcomeIds, type PanelMessages, refusalId } from './panelMessages.ts';
import { setModelWindow } from './setModelWindow.ts';

interface ActParts {
  readonly session: Session;
  readonly instructions: Pick<ProjectInstructions, 'leaveOutAll' | 'leaveOutFiles'>;
  readonly contextReader: Pick<RequestContextReader, 'contextFor'>;
  readonly next: Pick<NextRequest, 'about'>;
  readonly messages: PanelMessages;
}

/** Does what the button of a card offers. */
export function act(
  parts: ActParts,
  { action, turnId, messageId, setting }: Parameters<PanelCalls['act']>[0],
): unknown {
  const { session, instructions, messages } = parts;
  const isDone = messageId !== undefined && messages.perform(messageId, action);
  messages.dismiss(outcomeIds.hint);
  if (isDone) return undefined;
  if (action === 'leaveOutConflicting') return leaveOutConflicting(parts, turnId);
  if (action === 'leaveOutInstructions') return instructions.leaveOutAll();
  if (action === 'setModelWindow') {
    const turn = session.conversation.turns.find(({ id }) => id === turnId);
    return turn === undefined ? undefined : messages.answering(() => setModelWindow(turn, messages));
  }
  // Only a message that does it offers it.
  if (isMessageAction(action)) return undefined;
  if (!isTurnAction(action)) return performAction(action, setting);
  if (turnId !== undefined) void session[action](turnId);
  return undefined;
}

/** Leaves out the instructions that are in the way: of a question that was refused, which is asked again, or of the next. */
function leaveOutConflicting(
  { session, instructions, contextReader, next, messages }: ActParts,
  turnId?: string,
): void {
  const turn = session.conversation.turns.find(({ id }) => id === turnId);
  const refused = turn?.error?.kind === 'policy' ? turn.error.details.instructions : undefined;
  const files = refused ?? contextReader.contextFor(next.about).instructionsInTheWay ?? [];
  instructions.leaveOutFiles(files.map(({ uri }) => uri));
  messages.dismiss(refusalId);
  if (turn !== undefined) void session.retry(turn.id);
}
