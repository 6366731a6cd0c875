import type { ViewEvent, ViewState } from '../protocol/panelEvents.ts';
import type { TurnView } from '../protocol/turnView.ts';
import type { GrowingText } from './growingText.ts';

/** A turn in the page. */
export type ShownTurn = TurnView & {
  /** The answer in its pieces, if some of it arrived after the snapshot. */
  readonly growing?: GrowingText;
};

/**
 * Returns the state after an event. The function is pure; parts that an event does not change keep their identity, so that the
 * view can skip them. Before the first snapshot there is no state, and other events have no effect.
 */
export function reduce(state: ViewState | undefined, event: ViewEvent): ViewState | undefined {
  if (event.type === 'snapshot') return event.state;
  if (state === undefined) return undefined;
  switch (event.type) {
    case 'turn-added':
      return { ...state, turns: [...state.turns, event.turn] };
    case 'delta':
      return withTurn(state, event.turnId, (turn) => ({
        ...turn,
        answer: turn.answer + event.text,
        growing: { piece: event.text, before: turn.growing ?? { piece: turn.answer } },
      }));
    case 'thinking':
      return withTurn(state, event.turnId, (turn) => ({ ...turn, thinking: (turn.thinking ?? '') + event.text }));
    case 'turn-changed':
      // The new meta replaces the old one completely: a retry or card that it does not contain is over.
      return withTurn(state, event.turn.id, ({ prompt, answer, growing, thinking }) => ({
        ...event.turn,
        prompt,
        answer,
        ...(growing === undefined ? {} : { growing }),
        ...(thinking === undefined ? {} : { thinking }),
      }));
    case 'busy-changed':
      return { ...state, busy: event.busy };
    case 'model-changed':
      return { ...state, model: event.model };
    case 'tools-changed':
      return { ...state, tools: event.tools, mode: event.mode };
    case 'posture-changed':
      return {
        ...state,
        posture: event.posture,
        mayKeepDraft: event.mayKeepDraft,
        messageLimit: event.messageLimit,
      };
    case 'notice-changed': {
      const { notice: _, ...rest } = state;
      return event.notice === undefined ? rest : { ...rest, notice: event.notice };
    }
    case 'messages-changed':
      return { ...state, messages: event.messages };
    case 'attachments-changed':
      return { ...state, attachments: event.attachments, attachmentProblem: event.attachmentProblem };
    case 'waiting-changed': {
      const { waiting: _, ...rest } = state;
      return event.waiting === undefined ? rest : { ...rest, waiting: event.waiting };
    }
    case 'changes-changed': {
      const { changes: _, ...rest } = state;
      return event.changes === undefined ? rest : { ...rest, changes: event.changes };
    }
    case 'meter-changed': {
      const { meter: _, ...rest } = state;
      return event.meter === undefined ? rest : { ...rest, meter: event.meter };
    }
    case 'starters-changed':
      return { ...state, starters: event.starters };
    case 'focus-composer':
    case 'preview-wanted':
    case 'find-wanted':
    case 'draft-purged':
    case 'message-returned':
    case 'text-restored':
      return state;
  }
}

function withTurn(state: ViewState, id: string, change: (turn: ShownTurn) => ShownTurn): ViewState {
  const index = state.turns.findLastIndex((turn) => turn.id === id);
  const turn = state.turns[index];
  return turn === undefined ? state : { ...state, turns: state.turns.with(index, change(turn)) };
}
