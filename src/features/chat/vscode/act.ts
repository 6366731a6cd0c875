import * as vscode from 'vscode';
import { isMessageAction, isTurnAction, performAction } from '../../../platform/messages/actions.ts';
import { asText } from '../../../platform/messages/asText.ts';
import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import type { PanelCalls } from '../../../protocol/panelCalls.ts';
import type { ContextBudget } from '../../../send/budget/contextBudget.ts';
import { errorOf, type Turn } from '../../../session/conversation/turn.ts';
import type { Session } from '../../../session/session.ts';
import type { BlockingFile, BlockingFiles } from '../../../util/errors.ts';
import type { NextAttachments } from '../../context/vscode/attachments/nextAttachments.ts';
import type { ProjectInstructions } from '../../context/vscode/attachments/projectInstructions.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';
import { outcomeIds, type PanelMessages, refusalId } from './panelMessages.ts';
import { setModelWindow } from './setModelWindow.ts';

const t = vscode.l10n.t;

interface ActParts {
  readonly session: Session;
  readonly instructions: Pick<ProjectInstructions, 'leaveOutAll' | 'leaveOutFiles'>;
  readonly contextReader: Pick<RequestContextReader, 'contextFor'>;
  readonly next: Pick<NextRequest, 'about'>;
  readonly messages: PanelMessages;
  readonly nextAttachments: Pick<NextAttachments, 'leaveOutFile'>;
  readonly windows: Pick<ContextBudget, 'forgetWindow'>;
}

/** Performs the action of a button on a card. */
export function act(
  parts: ActParts,
  { action, turnId, messageId, setting }: Parameters<PanelCalls['act']>[0],
): unknown {
  const { session, instructions, messages } = parts;
  const isDone = messageId !== undefined && messages.perform(messageId, action);
  messages.dismiss(outcomeIds.hint);
  if (isDone) return undefined;
  if (action === 'leaveOutConflicting') return leaveOutConflicting(parts, turnId);
  if (action === 'leaveOutAttached') return leaveOutAttached(parts, turnId);
  if (action === 'leaveOutInstructions') return instructions.leaveOutAll();
  if (action === 'setModelWindow') {
    const turn = session.conversation.turns.find(({ id }) => id === turnId);
    return turn === undefined ? undefined : messages.answering(() => setModelWindow(turn, parts));
  }
  // Only the message that implements this action offers it.
  if (isMessageAction(action)) return undefined;
  if (!isTurnAction(action)) return performAction(action, setting);
  if (turnId !== undefined) void session[action](turnId);
  return undefined;
}

/** The files that block a refused question, or that would block the next one. */
function blockingFilesOf({ contextReader, next }: ActParts, turn: Turn | undefined): BlockingFiles {
  const error = errorOf(turn);
  const refused = error?.kind === 'policy' ? error.details : undefined;
  return refused ?? contextReader.contextFor(next.about).blockingFiles ?? {};
}

function turnAt({ session }: ActParts, turnId: string | undefined): Turn | undefined {
  return session.conversation.turns.find(({ id }) => id === turnId);
}

/** Leaves out the instructions that block a refused question, which is asked again, or the next one. */
function leaveOutConflicting(parts: ActParts, turnId?: string): void {
  const turn = turnAt(parts, turnId);
  const { instructions: files = [] } = blockingFilesOf(parts, turn);
  parts.instructions.leaveOutFiles(files.map(({ uri }) => uri));
  parts.messages.dismiss(refusalId);
  if (turn !== undefined) void parts.session.retry(turn.id);
}

/** Leaves out a blocking attachment. If there are several, the user chooses one; the others may then be allowed. */
async function leaveOutAttached(parts: ActParts, turnId?: string): Promise<void> {
  const turn = turnAt(parts, turnId);
  const { attached = [] } = blockingFilesOf(parts, turn);
  const file = attached.length > 1 ? await chooseFile(attached) : attached[0];
  if (file === undefined) return;
  parts.messages.dismiss(refusalId);
  if (turn === undefined) parts.nextAttachments.leaveOutFile(file.uri);
  else void parts.session.removeFile(turn.id, file.uri);
}

async function chooseFile(files: readonly BlockingFile[]): Promise<BlockingFile | undefined> {
  const items = files.map((file) => ({ label: asText(file.label), file }));
  const chosen = await vscode.window.showQuickPick(items, { title: t('Which file should be left out?') });
  return chosen?.file;
}
