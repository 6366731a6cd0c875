import type { ConfirmationChoice } from '../send/confirmation.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { RequestLimit } from '../send/form/requestLimit.ts';
import { abortedError, ServiceError } from '../util/errors.ts';
import { whyCut } from '../util/whyCut.ts';
import type { TurnInPlace } from './conversation/outgoingFor.ts';
import { isShorter, summaryRequest, turnsToSummarize } from './conversation/summarize.ts';
import type { Summary } from './conversation/summary.ts';
import { errorOf, newTurn, type Turn, type TurnState } from './conversation/turn.ts';
import { summaryPrompt } from './prompts/prompts.ts';
import { noTools } from './tools/toolbox.ts';
import { TurnRun } from './turnRun.ts';
import type { Summarizing } from './turnStart.ts';

interface SummaryStart extends Pick<TurnInPlace, 'before' | 'conversation'> {
  readonly dispatch: Dispatch;
  readonly limit: RequestLimit;
  /** Called with the state of the request, and the number of turns that are summarized. */
  readonly onChange: (state: TurnState, turns: number) => void;
}

/** The request for a summary of earlier turns: a run like that of a turn, with the same checks and records. */
export class SummaryRun implements Summarizing {
  /** The turns that it replaces. */
  readonly #turns: readonly Turn[];
  readonly #run: TurnRun;

  constructor({ before, conversation, dispatch, limit, onChange }: SummaryStart) {
    this.#turns = turnsToSummarize(before);
    this.#run = new TurnRun({
      turn: newTurn({ action: 'chat', prompt: summaryPrompt, attachments: [] }, null),
      before: this.#turns,
      conversation,
      continues: false,
      dispatch,
      limit,
      outgoing: summaryRequest,
      tools: noTools,
      instructions: async () => [],
      granted: new Set(),
      onChange: ({ turn }) => onChange(turn.state, this.#turns.length),
    });
  }

  stop(): void {
    this.#run.stop();
  }

  retryNow(): void {
    this.#run.retryNow();
  }

  decide(asked: number, choice: ConfirmationChoice): void {
    this.#run.decide(asked, choice);
  }

  async toEnd(): Promise<Turn> {
    const replaced = this.#turns.at(-1);
    if (replaced === undefined) {
      throw new ServiceError('gate', 'There is nothing to summarize.', { code: 'nothing-to-summarize' });
    }
    const turn = await this.#run.toEnd();
    if (turn.state.status === 'stopped') throw abortedError();
    const error = errorOf(turn);
    if (error !== undefined) throw error;
    const cut = whyCut(turn.answer.finishReason);
    if (cut !== null)
      throw new ServiceError('protocol', 'The summary was cut off.', { code: 'summary-cut', details: { cut } });
    if (turn.lastRequest?.readsLess !== undefined) {
      throw new ServiceError('protocol', 'The turns were not read completely.', { code: 'summary-unread' });
    }
    const text = turn.answer.text.trim();
    if (!isShorter(text, this.#turns)) {
      throw new ServiceError('protocol', 'The summary is too long.', { code: 'summary-too-long' });
    }
    const isZeroRetention = turn.question.isZeroRetention ?? replaced.question.isZeroRetention;
    return {
      ...replaced,
      question: { ...replaced.question, ...(isZeroRetention === undefined ? {} : { isZeroRetention }) },
      summary: summaryOf(turn, text, this.#turns.length),
    };
  }
}

function summaryOf({ answer, lastRequest, state }: Turn, text: string, turns: number): Summary {
  const { usage, receipt } = answer;
  const { model = '', serviceRequestId, headers, masked, shortened } = lastRequest ?? {};
  const { contentLeftOut } = state.memory;
  return {
    text,
    turns,
    model,
    ...(usage === undefined ? {} : { usage }),
    ...(serviceRequestId === undefined ? {} : { requestId: serviceRequestId }),
    ...(headers === undefined ? {} : { requested: headers }),
    ...(receipt === undefined ? {} : { receipt }),
    ...(masked === undefined ? {} : { masked }),
    ...(shortened === undefined ? {} : { shortened }),
    ...(contentLeftOut === undefined ? {} : { contentLeftOut }),
  };
}
