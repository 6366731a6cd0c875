import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { PanelCalls } from '../../../../protocol/panelCalls.ts';
import type { Question } from '../../../../session/conversation/turn.ts';
import type { Session } from '../../../../session/session.ts';
import type { ContextService } from '../../../context/vscode/attachments/contextService.ts';

const t = vscode.l10n.t;

type Edit = Parameters<PanelCalls['edit']>[0];

/**
 * Asks an edited question in place of its turn, with the attachments the user kept, in their original content. Throws
 * a Refusal or a ServiceError if it cannot be asked: the page shows the error and keeps the text.
 */
export async function editTurn(
  session: Session,
  context: () => Promise<Pick<ContextService, 'question'>>,
  edit: Edit,
): Promise<void> {
  requireText(edit.text);
  const question = await questionOf(session, context, edit);
  requireIdle(session);
  void session.edit(edit.turnId, question);
}

export function requireText(text: string): void {
  if (text.trim() === '') throw new Refusal(t('The message is empty.'));
}

export function requireIdle({ isBusy }: Session): void {
  if (isBusy) throw new Refusal(t('Wait until the current answer is complete.'));
}

async function questionOf(
  session: Session,
  context: () => Promise<Pick<ContextService, 'question'>>,
  { turnId, text, attachments }: Edit,
): Promise<Question> {
  const turn = session.conversation.turns.find(({ id }) => id === turnId);
  if (turn === undefined) throw new Refusal(t('This question is no longer open.'));
  const kept = turn.question.attachments.filter((_, index) => attachments.includes(index));
  // An action or command stands for a prompt that the user did not write: with changed text it becomes an ordinary
  // question.
  if (text !== turn.question.prompt) {
    return text.startsWith('/')
      ? (await context()).question(text, kept)
      : { action: 'chat', prompt: text, attachments: kept };
  }
  const { action, command } = turn.question;
  return { action, prompt: text, attachments: kept, ...(command === undefined ? {} : { command }) };
}
