import type { RequestContextReader } from '../../../platform/settings/requestContextReader.ts';
import { allFolders } from '../../../platform/settings/settingsReader.ts';
import type { ViewEvent, ViewState } from '../../../protocol/panelEvents.ts';
import type { ContextBudget } from '../../../send/budget/contextBudget.ts';
import type { LearnedForms } from '../../../send/form/learnedForms.ts';
import { siblingsOf } from '../../../session/conversation/branches.ts';
import { storedPlacesOf } from '../../../session/conversation/conversation.ts';
import type { Session } from '../../../session/session.ts';
import type { SessionEvent } from '../../../session/sessionEvent.ts';
import type { CurrentFile } from '../../context/vscode/attachments/currentFile.ts';
import type { PendingAttachments } from '../../context/vscode/attachments/pendingAttachments.ts';
import type { ProjectInstructions } from '../../context/vscode/attachments/projectInstructions.ts';
import type { NextRequest } from '../../context/vscode/nextRequest.ts';
import type { PanelChanges } from '../../edits/vscode/changes/panelChanges.ts';
import { viewTools } from '../../tools/vscode/viewTools.ts';
import { viewMode } from './mode/viewMode.ts';
import type { PanelMessages } from './panelMessages.ts';
import { messageLimit } from './question/messageLimit.ts';
import type { Meter } from './question/meter.ts';
import type { StarterOffers } from './question/starters.ts';
import type { WaitingQuestion } from './question/waitingQuestion.ts';
import type { OpenReceipts } from './turn/openReceipts.ts';
import { viewMeta, viewTurn } from './turn/viewTurn.ts';

/** The sources of the state that the panel shows. */
export interface ShownParts {
  readonly session: Session;
  readonly contextReader: RequestContextReader;
  readonly next: NextRequest;
  readonly learned: LearnedForms;
  readonly windows: Pick<ContextBudget, 'forgetWindow'>;
  readonly attachments: PendingAttachments;
  readonly currentFile: Pick<CurrentFile, 'chip'>;
  readonly instructions: ProjectInstructions;
  readonly messages: PanelMessages;
  readonly starters: Pick<StarterOffers, 'shown'>;
  readonly waiting: Pick<WaitingQuestion, 'shown'>;
  readonly changes: Pick<PanelChanges, 'view'>;
  readonly meter: Pick<Meter, 'shown'>;
  readonly receipts: OpenReceipts;
}

/** Returns the complete state that the panel shows now. */
export function viewState(parts: ShownParts): ViewState {
  const { session, contextReader, next, messages, starters, receipts } = parts;
  const { conversation, isBusy } = session;
  const { model, posture, notice } = contextReader.read(next.about);
  return {
    conversationId: conversation.id,
    turns: conversation.turns.map((turn) => receipts.mark(viewTurn(turn, siblingsOf(conversation, turn.id)))),
    model,
    posture,
    ...toolsIn(parts),
    ...draftRules(parts),
    busy: isBusy,
    ...attached(parts),
    ...waitingIn(parts),
    ...changesIn(parts),
    ...meterIn(parts),
    messages: messages.shown,
    starters: starters.shown,
    ...(notice === undefined ? {} : { notice }),
  };
}

/** The tools and the mode of the next question. */
function toolsIn({ session, contextReader, next, learned }: ShownParts): Pick<ViewState, 'tools' | 'mode'> {
  return {
    tools: viewTools(contextReader, learned, next.about, session.mode),
    mode: viewMode(session, contextReader),
  };
}

/** The attachments of the next request, and the instructions that precede it, also for a slash command. */
export function attached({
  instructions,
  currentFile,
  attachments,
}: ShownParts): Pick<ViewState, 'attachments' | 'attachmentProblem'> {
  return {
    attachments: [
      ...instructions.chips,
      ...(currentFile.chip === undefined ? [] : [currentFile.chip]),
      ...attachments.chips,
    ],
    attachmentProblem: attachments.problem,
  };
}

export function waitingIn({ waiting }: ShownParts): Pick<ViewState, 'waiting'> {
  return waiting.shown === undefined ? {} : { waiting: waiting.shown };
}

export function changesIn(parts: Pick<ShownParts, 'changes'>): Pick<ViewState, 'changes'> {
  const changes = parts.changes.view();
  return changes === undefined ? {} : { changes };
}

export function meterIn({ meter }: Pick<ShownParts, 'meter'>): Pick<ViewState, 'meter'> {
  return meter.shown === undefined ? {} : { meter: meter.shown };
}

/** The event that tells the panel of a change of the session. */
export function sessionEvent(
  parts: ShownParts,
  event: Exclude<SessionEvent, { type: 'conversation-left' }>,
): ViewEvent {
  const { session, contextReader, next, receipts } = parts;
  switch (event.type) {
    case 'conversation-changed':
      return { type: 'snapshot', state: viewState(parts) };
    case 'turn-added':
      return { type: 'turn-added', turn: viewTurn(event.turn) };
    case 'turn-changed': {
      const siblings = siblingsOf(session.conversation, event.turn.id);
      const meta = viewMeta(event.turn, siblings);
      return { type: 'turn-changed', turn: receipts.mark(meta) };
    }
    case 'model-changed':
      return { type: 'model-changed', model: contextReader.read(next.about).model };
    case 'mode-changed':
      return { type: 'tools-changed', ...toolsIn(parts) };
    case 'delta':
    case 'thinking':
    case 'busy-changed':
      return event;
  }
}

/** The events that tell the panel of changed settings, keys and policies. */
export function contextEvents(parts: ShownParts): readonly ViewEvent[] {
  const { contextReader, next } = parts;
  const { model, posture, notice } = contextReader.read(next.about);
  return [
    { type: 'model-changed', model },
    { type: 'tools-changed', ...toolsIn(parts) },
    { type: 'posture-changed', posture, ...draftRules(parts) },
    { type: 'notice-changed', ...(notice === undefined ? {} : { notice }) },
  ];
}

/**
 * Whether VS Code may store the draft on disk. Depends on the attachments and on each turn, because a turn may be
 * edited.
 */
function draftRules({
  session,
  contextReader,
  next,
  instructions,
}: ShownParts): Pick<ViewState, 'mayKeepDraft' | 'messageLimit'> {
  const unread = instructions.isRead ? [] : allFolders();
  const places = [...next.about.folders, ...storedPlacesOf(session.conversation.turns), ...unread];
  return {
    mayKeepDraft: contextReader.retention(places) === 'keep',
    messageLimit: messageLimit(contextReader.limits()),
  };
}
