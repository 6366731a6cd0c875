import type { HostCalls } from '../../protocol/messages.ts';
import type { Session } from '../../session/session.ts';

/**
 * Asks an edited question in the place of its turn, with what was attached then and the person kept, as it was then.
 * The page is told why where it cannot be asked: what was typed stays there.
 */
export function editTurn(session: Session, { turnId, text, attachments }: Parameters<HostCalls['edit']>[0]): void {
  const turn = session.conversation.turns.find(({ id }) => id === turnId);
  if (turn === undefined) throw new Error('This question is no longer shown.');
  if (text.trim() === '') throw new Error('The message is empty.');
  if (session.isBusy) throw new Error('An answer is still being written.');
  void session.edit(turnId, {
    // What an action stands for is not what the person wrote: other words are a question of their own.
    action: text === turn.prompt ? turn.action : 'chat',
    prompt: text,
    attachments: turn.attachments.filter((_, index) => attachments.includes(index)),
  });
}
