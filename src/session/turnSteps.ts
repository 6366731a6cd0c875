import type { Usage } from '../client/chat.ts';
import { isLive } from '../protocol/turnStatus.ts';
import type { SentForm } from '../send/form/form.ts';
import type { Receipt } from '../send/message/receipt.ts';
import type { DispatchEvent } from '../send/withAuditOutcome.ts';
import { type ServiceError, withFacts } from '../util/errors.ts';
import { whyCut } from '../util/whyCut.ts';
import type { Conversation, Turn } from './conversation/conversation.ts';
import { thinkingOver, thinkingWith } from './conversation/thinking.ts';
import { closed } from './tools/toolStep.ts';

/** Usage and receipt of the earlier requests of a turn. */
export type Earlier = Pick<Turn, 'usage' | 'receipt'>;

/**
 * A turn after an event of its request, except text. Each request has its own counts and receipt: the turn has their
 * sum, and the worst receipt.
 */
export function afterEvent(
  turn: Turn,
  event: Exclude<DispatchEvent, { type: 'text-delta' }>,
  { usage = {}, receipt }: Earlier,
): Turn {
  switch (event.type) {
    case 'response': {
      const answered = { ...withoutRetry(turn), status: turn.status === 'retrying' ? 'waiting' : turn.status } as const;
      const named = { ...answered, request: event.request };
      return event.requestId === undefined ? named : { ...named, requestId: event.requestId };
    }
    case 'retry-wait': {
      const { attempt, delayMs, error } = event;
      return { ...turn, status: 'retrying', retry: { untilMs: Date.now() + delayMs, attempt, error } };
    }
    case 'usage':
      return { ...turn, usage: sumOf(usage, event.usage) };
    case 'receipt':
      return { ...turn, receipt: receipt === undefined ? event.receipt : worseOf(receipt, event.receipt) };
    case 'finish':
      return { ...withoutOpenThinking(turn), finishReason: event.finishReason };
    case 'without-tools':
      return { ...turn, isWithoutTools: true };
    case 'in-form': {
      const { type: _, ...sentForm } = event;
      return { ...turn, sentForm: turn.sentForm === undefined ? sentForm : bothForms(turn.sentForm, sentForm) };
    }
    case 'sent-again-shorter': {
      const { type: _, shortened, ...sentAgain } = event;
      return { ...withoutShortened(turn), ...(shortened === undefined ? {} : { shortened }), sentAgain };
    }
    case 'reads-less':
      return { ...turn, readsLess: { counted: event.counted, sent: event.sent } };
    case 'reasoning-delta':
      return { ...turn, thinking: thinkingWith(turn.thinking, event.text, turn.status === 'streaming') };
    case 'tool-call':
      return withoutOpenThinking(turn);
  }
}

/** The same question, as it was asked first, with the choices that the user and the policy have made for it. */
export function afresh(turn: Turn): Turn {
  const { id, parent = null, askedAt, action, prompt, attachments } = turn;
  const { command, secrets, asIsFor, origin, places, isZeroRetention } = turn;
  return {
    ...{ id, parent, askedAt, action, prompt, attachments, status: 'waiting', answer: '', model: null },
    ...(command === undefined ? {} : { command }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(asIsFor === undefined ? {} : { asIsFor }),
    ...(origin === undefined ? {} : { origin }),
    ...(places === undefined ? {} : { places }),
    ...(isZeroRetention === undefined ? {} : { isZeroRetention }),
  };
}

/** What the user should know of both requests of a turn. */
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

/** The turn before its next request, which reports anew what it leaves out. */
export function withoutShortened(turn: Turn): Turn {
  const { shortened: _, ...kept } = turn;
  return kept;
}

export function withoutRetry(turn: Turn): Turn {
  const { retry: _, ...kept } = turn;
  return kept;
}

/** A turn that waits until earlier turns are summarized; `state` is that of the request for the summary. */
export function whileSummarizing(turn: Turn, { status, confirmation, retry, sentAt }: Turn, turns: number): Turn {
  return {
    ...turn,
    summarizing: turns,
    // Its text is not shown before it is complete.
    status: status === 'confirming' || status === 'retrying' ? status : 'waiting',
    ...(confirmation === undefined ? {} : { confirmation }),
    ...(retry === undefined ? {} : { retry }),
    ...(sentAt === undefined ? {} : { sentAt }),
  };
}

/** Its answer changes, so that its summary no longer replaces it. */
export function withoutSummary(turn: Turn): Turn {
  const { summary: _, ...kept } = turn;
  return kept;
}

/** Nothing has been sent yet that the turn waits for. */
export function withoutSending(turn: Turn): Turn {
  const { sentAt: _, ...kept } = turn;
  return kept;
}

export function withoutConfirmation(turn: Turn): Turn {
  const { confirmation: _, ...kept } = turn;
  return kept;
}

/** Thinking that was arriving has ended. */
export function withoutOpenThinking(turn: Turn): Turn {
  return turn.thinking === undefined ? turn : { ...turn, thinking: thinkingOver(turn.thinking) };
}

/** Calls that were pending or running when the turn ended are closed. */
function withoutOpenSteps(turn: Turn): Turn {
  return turn.steps === undefined ? turn : { ...turn, steps: turn.steps.map(closed) };
}

/** A cancelled turn keeps what arrived; an interruption after the first delta keeps the text; anything else failed. */
export function ended(running: Turn, error: ServiceError): Turn {
  const turn = withoutOpenThinking(running);
  if (error.kind === 'aborted') {
    const { summarizing: _, ...stopped } = withoutConfirmation(withoutOpenSteps(turn));
    return { ...stopped, status: 'stopped' };
  }
  const requestId = error.requestId ?? turn.requestId;
  const status = turn.answer.trim() === '' ? 'failed' : 'interrupted';
  return { ...turn, status, error: withLargestFile(error, turn), ...(requestId === undefined ? {} : { requestId }) };
}

/** If the request was too long for the model, the largest file of the question is what helps most to remove. */
function withLargestFile(error: ServiceError, { attachments }: Turn): ServiceError {
  if (error.code !== 'context-length') return error;
  const sizes = attachments.map(({ label, text }) => ({ label, bytes: Buffer.byteLength(text) }));
  const [largest] = sizes.sort((a, b) => b.bytes - a.bytes);
  return largest === undefined ? error : withFacts(error, { file: largest.label });
}

/** The service ended the answer and it is empty. An answer that was cut in a known way has its own message. */
export function isEmpty({ answer, steps, finishReason }: Turn): boolean {
  const cut = whyCut(finishReason);
  return answer.trim() === '' && steps === undefined && (cut === null || cut === 'other');
}

/** Stops turns that were running: they will receive nothing more. */
export function withoutRunning(conversation: Conversation): Conversation {
  const turns = conversation.turns.map((turn) =>
    isLive(turn)
      ? {
          ...withoutConfirmation(withoutRetry(withoutOpenSteps(withoutOpenThinking(turn)))),
          status: 'stopped' as const,
        }
      : turn,
  );
  return { ...conversation, turns };
}
