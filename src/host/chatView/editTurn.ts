import type { HostCalls } from '../../protocol/panelCalls.ts';
import type { Question, Session } from '../../session/session.ts';
import type { ContextService } from '../attachments/contextService.ts';

type Edit = Parameters<HostCalls['edit']>[0];

/**
 * Asks an edited question in place of its turn, with the attachments the user kept, in their original content. Throws
 * where it cannot be asked: the page shows the error and keeps the text.
 */
export async function editTurn(
  session: Session,
  context: () => Promise<Pick<ContextService, 'question'>>,
  edit: Edit,
): Promise<void> {
  if (edit.text.trim() === '') throw new Error('The message is empty.');
  const question = await questionOf(session, context, edit);
  if (session.isBusy) throw new Error('An answer is still being written.');
  void session.edit(edit.turnId, question);
}

async function questionOf(
  session: Session,
  context: () => Promise<Pick<ContextService, 'question'>>,
  { turnId, text, attachments }: Edit,
): Promise<Question> {
  const turn = session.conversation.turns.find(({ id }) => id === turnId);
  if (turn === undefined) throw new Error('This question is no longer shown.');
  const kept = turn.attachments.filter((_, index) => attachments.includes(index));
  // An action or command stands for a prompt that the user did not write: with changed text it becomes an ordinary
  // question.
  if (text !== turn.prompt) {
    return text.startsWith('/')
      ? (await context()).question(text, kept)
      : { action: 'chat', prompt: text, attachments: kept };
  }
  const { action, command } = turn;
  return { action, prompt: text, attachments: kept, ...(command === undefined ? {} : { command }) };
}
