import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { Session } from '../../../../session/session.ts';
import { requireIdle } from './editTurn.ts';

const t = vscode.l10n.t;

/** Changes the text of a summary. Throws a Refusal if that is not possible: the page keeps the text. */
export function editSummary(
  session: Session,
  { turnId, text }: { readonly turnId: string; readonly text: string },
): void {
  requireIdle(session);
  if (text.trim() === '') throw new Refusal(t('The summary is empty. To send the turns themselves, use Undo.'));
  requireSummary(session, turnId);
  session.changeSummary(turnId, text);
}

/** Removes a summary. Throws a Refusal if that is not possible. */
export function undoSummary(session: Session, turnId: string): void {
  requireIdle(session);
  requireSummary(session, turnId);
  session.changeSummary(turnId, null);
}

function requireSummary({ conversation }: Session, turnId: string): void {
  const turn = conversation.turns.find(({ id }) => id === turnId);
  if (turn?.summary === undefined) throw new Refusal(t('This summary is no longer in use.'));
}
