import type { Question } from '../../../../session/session.ts';
import type { ContextService } from '../../../context/vscode/attachments/contextService.ts';
import type { PendingAttachments } from '../../../context/vscode/attachments/pendingAttachments.ts';

/** The question for a text with its attachments, read now. Throws a ServiceError where one cannot be read. */
export async function composedQuestion(
  text: string,
  attachments: Pick<PendingAttachments, 'keys' | 'read'>,
  context: () => Promise<Pick<ContextService, 'question'>>,
): Promise<Question> {
  if (text.startsWith('/')) return (await context()).question(text, attachments);
  return { action: 'chat', prompt: text, attachments: await attachments.read() };
}
