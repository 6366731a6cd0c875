import type { Usage } from '../client/chat.ts';
import { isLive } from '../protocol/turnStatus.ts';
import type { SentForm } from '../send/form/form.ts';
import type { Receipt } from '../send/message/receipt.ts';
import type { Admittance } from '../send/sent.ts';
import type { DispatchEvent } from '../send/withAuditOutcome.ts';
import { type ServiceError, withFacts } from '../util/errors.ts';
import { whyCut } from '../util/whyCut.ts';
import type { Conversation } from './conversation/conversation.ts';
import { thinkingWith } from './conversation/thinking.ts';
import {
  hasAnswer,
  inPhase,
  type LastRequest,
  stopped,
  summarizingOf,
  type Turn,
  type TurnAnswer,
  type TurnPhase,
  type TurnState,
  withThinkingOver,
} from './conversation/turn.ts';

/** Usage and receipt of the earlier requests of a turn. */
export type Earlier = Pick<TurnAnswer, 'usage' | 'receipt'>;

/** Returns the turn after its next request was admitted. */
export function whenSent(turn: Turn, sent: Admittance): Turn {
  const { model, headers, isZeroRetention, secrets, destination, origin, masked } = sent;
  const { repeated, changesOnly, leftOut, shortened } = sent;
  const { question, lastRequest, state } = turn;
  return {
    ...turn,
    question: {
      ...question,
      origin,
      // The choice applies to each request of the turn to the same destination: the user is asked once.
      secrets: secrets === 'as-is' ? { asIsFor: destination } : secrets,
      ...(isZeroRetention ? { isZeroRetention } : {}),
    },
    lastRequest: {
      ...lastRequest,
      model,
      headers,
      masked,
      shortened,
      repeated,
      changesOnly,
    },
    state: { status: 'waiting', sentAt: Date.now(), memory: { ...state.memory, contentLeftOut: leftOut } },
  };
}

/**
 * Returns the turn after an event of its request, except text. Each request has its own counts and receipt: the turn has their
 * sum, and the worst receipt.
 */
export function afterEvent(
  turn: Turn,
  event: Exclude<DispatchEvent, { type: 'text-delta' }>,
  { usage = {}, receipt }: Earlier,
): Turn {
  const { answer, state } = turn;
  switch (event.type) {
    case 'response': {
      const answered = state.status === 'retrying' ? inPhase(turn, { ...waitIn(state), status: 'waiting' }) : turn;
      const { requestId: serviceRequestId } = event;
      return withRequest(answered, {
        auditRequestId: event.request,
        ...(serviceRequestId === undefined ? {} : { serviceRequestId }),
      });
    }
    case 'retry-wait': {
      const { attempt, delayMs, error } = event;
      const retry = { untilMs: Date.now() + delayMs, attempt, error };
      return inPhase(turn, { ...waitIn(state), status: 'retrying', retry });
    }
    case 'usage':
      return { ...turn, answer: { ...answer, usage: sumOf(usage, event.usage) } };
    case 'receipt': {
      const worst = receipt === undefined ? event.receipt : worseOf(receipt, event.receipt);
      return { ...turn, answer: { ...answer, receipt: worst } };
    }
    case 'finish':
      return withThinkingOver({ ...turn, answer: { ...answer, finishReason: event.finishReason } });
    case 'without-tools':
      return { ...turn, answer: { ...answer, isWithoutTools: true } };
    case 'in-form': {
      const { type: _, ...sentForm } = event;
      const before = state.memory.sentForm;
      return withMemory(turn, { sentForm: before === undefined ? sentForm : bothForms(before, sentForm) });
    }
    case 'sent-again-shorter': {
      const { type: _, shortened, ...sentAgain } = event;
      return withRequest(turn, { shortened, sentAgain });
    }
    case 'reads-less':
      return withRequest(turn, { readsLess: { counted: event.counted, sent: event.sent } });
    case 'reasoning-delta':
      return withMemory(turn, {
        thinking: thinkingWith(state.memory.thinking, event.text, state.status === 'streaming'),
      });
    case 'tool-call':
      return withThinkingOver(turn);
  }
}

/** Returns the turn with new text of its answer. */
export function withText(turn: Turn, text: string): Turn {
  const { answer, state } = turn;
  const longer = { ...turn, answer: { ...answer, text: answer.text + text } };
  return withThinkingOver(
    state.status === 'streaming' ? longer : inPhase(longer, { ...waitIn(state), status: 'streaming' }),
  );
}

/** The phase of waiting for the request that runs. */
function waitIn(state: TurnState): Extract<TurnPhase, { status: 'waiting' }> {
  switch (state.status) {
    case 'waiting':
    case 'retrying':
    case 'streaming': {
      const { sentAt, summarizing } = state;
      return {
        status: 'waiting',
        ...(sentAt === undefined ? {} : { sentAt }),
        ...(summarizing === undefined ? {} : { summarizing }),
      };
    }
    case 'confirming':
    case 'calling':
    case 'complete':
    case 'stopped':
    case 'interrupted':
    case 'failed':
      return { status: 'waiting' };
  }
}

/** Returns the turn with new facts about its last request. */
function withRequest(turn: Turn, change: Partial<LastRequest>): Turn {
  const { lastRequest } = turn;
  return lastRequest === undefined ? turn : { ...turn, lastRequest: { ...lastRequest, ...change } };
}

export function withMemory(turn: Turn, change: TurnState['memory']): Turn {
  return { ...turn, state: { ...turn.state, memory: { ...turn.state.memory, ...change } } };
}

/** Combines the forms of two requests of a turn. */
function bothForms(a: SentForm, b: SentForm): SentForm {
  const both = <T>(list: readonly T[], more: readonly T[]): readonly T[] => [...new Set([...list, ...more])];
  return {
    requests: a.requests + b.requests,
    changed: both(a.changed, b.changed),
    unsent: both(a.unsent, b.unsent),
    tools: b.tools,
  };
}

function sumOf(a: Usage, b: Usage): Usage {
  const keys = ['promptTokens', 'completionTokens', 'totalTokens'] as const;
  const known = keys.filter((key) => a[key] !== undefined || b[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)]));
}

function worseOf(a: Receipt, b: Receipt): Receipt {
  const rank = { confirmed: 0, 'not-confirmed': 1, contradicted: 2 };
  return rank[a.verdict] > rank[b.verdict] ? a : b;
}

/** Returns a turn that waits until earlier turns are summarized; `state` is the state of the request for the summary. */
export function whileSummarizing(turn: Turn, state: TurnState, summarizing: number): Turn {
  switch (state.status) {
    case 'confirming':
      return inPhase(turn, { status: 'confirming', request: state.request, asked: state.asked, summarizing });
    case 'retrying':
      return inPhase(turn, { ...waitIn(state), status: 'retrying', retry: state.retry, summarizing });
    case 'waiting':
    case 'streaming':
    case 'calling':
    case 'complete':
    case 'stopped':
    case 'interrupted':
    case 'failed':
      // The text of the summary is not shown before it is complete.
      return inPhase(turn, { ...waitIn(state), summarizing });
  }
}

/** Ends a turn: it is stopped if the user cancelled it, interrupted if text or tool calls have arrived, else failed. */
export function ended(running: Turn, error: ServiceError): Turn {
  if (error.kind === 'aborted') return stopped(running);
  const { requestId } = error;
  const settled = withThinkingOver(running);
  const turn = requestId === undefined ? settled : withRequest(settled, { serviceRequestId: requestId });
  const summarizing = summarizingOf(turn);
  return inPhase(turn, {
    status: hasAnswer(turn) ? 'interrupted' : 'failed',
    error: withLargestFile(error, turn),
    ...(summarizing === undefined ? {} : { summarizing }),
  });
}

/** Adds the largest file of the question to the error of a request that was too long: removing it helps most. */
function withLargestFile(error: ServiceError, { question: { attachments } }: Turn): ServiceError {
  if (error.code !== 'context-length') return error;
  const sizes = attachments.map(({ label, text }) => ({ label, bytes: Buffer.byteLength(text) }));
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
  return largest === undefined ? error : withFacts(error, { file: largest.label });
}

/** Whether the service ended the answer and it is empty. An answer that was cut in a known way has its own message. */
export function isEmpty(turn: Turn): boolean {
  const cut = whyCut(turn.answer.finishReason);
  return !hasAnswer(turn) && (cut === null || cut === 'other');
}

/** Stops the running turns of a conversation, which will receive nothing more. */
export function stoppedIn(conversation: Conversation): Conversation {
  return { ...conversation, turns: conversation.turns.map((turn) => (isLive(turn.state) ? stopped(turn) : turn)) };
}
