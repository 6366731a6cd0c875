import type { ViewEvent, ViewState } from '../../protocol/panelEvents.ts';
import { siblingsOf } from '../../session/conversation/branches.ts';
import { foldersOf } from '../../session/conversation/conversation.ts';
import type { Session, SessionEvent } from '../../session/session.ts';
import type { PendingAttachments } from '../attachments/pendingAttachments.ts';
import type { RequestContextReader } from '../config/requestContextReader.ts';
import type { NextRequest } from '../posture/nextRequest.ts';
import { messageLimit } from './messageLimit.ts';
import type { PanelMessages } from './panelMessages.ts';
import { viewMeta, viewTurn } from './viewTurn.ts';

/** What the panel shows comes from these. */
export interface ShownParts {
  readonly session: Session;
  readonly contextReader: RequestContextReader;
  readonly next: NextRequest;
  readonly attachments: PendingAttachments;
  readonly messages: PanelMessages;
}

/** Everything that the panel shows now. */
export function viewState(parts: ShownParts): ViewState {
  const { session, contextReader, next, attachments, messages } = parts;
  const { conversation, isBusy } = session;
  const { model, posture, notice, host } = contextReader.read(next.about);
  return {
    conversationId: conversation.id,
    turns: conversation.turns.map((turn) => viewTurn(turn, host, siblingsOf(conversation, turn.id))),
    model,
    posture,
    ...draftRules(parts),
    busy: isBusy,
    attachments: attachments.chips,
    attachmentProblem: attachments.problem,
    messages: messages.shown,
    ...(notice === undefined ? {} : { notice }),
  };
}

/** How the panel is told of a change of the session. */
export function sessionEvent(
  parts: ShownParts,
  event: Exclude<SessionEvent, { type: 'conversation-left' }>,
): ViewEvent {
  const { session, contextReader, next } = parts;
  switch (event.type) {
    case 'conversation-changed':
      return { type: 'snapshot', state: viewState(parts) };
    case 'turn-added':
      return { type: 'turn-added', turn: viewTurn(event.turn, contextReader.read(next.about).host) };
    case 'turn-changed': {
      const siblings = siblingsOf(session.conversation, event.turn.id);
      return { type: 'turn-changed', turn: viewMeta(event.turn, contextReader.read(next.about).host, siblings) };
    }
    case 'delta':
    case 'busy-changed':
      return event;
  }
}

/** How the panel is told of changed settings, keys and policies. */
export function contextEvents(parts: ShownParts): readonly ViewEvent[] {
  const { model, posture, notice } = parts.contextReader.read(parts.next.about);
  return [
    { type: 'model-changed', model },
    { type: 'posture-changed', posture, ...draftRules(parts) },
    { type: 'notice-changed', ...(notice === undefined ? {} : { notice }) },
  ];
}

/**
 * Whether VS Code may store the draft on disk. Depends on the attachments and on each turn, because a turn may be
 * edited.
 */
function draftRules({ session, contextReader, next }: ShownParts): Pick<ViewState, 'mayKeepDraft' | 'messageLimit'> {
  const places = [...next.about.folders, ...foldersOf(session.conversation.turns)];
  return {
    mayKeepDraft: contextReader.retention(places) === 'keep',
    messageLimit: messageLimit(contextReader.limits()),
  };
}
