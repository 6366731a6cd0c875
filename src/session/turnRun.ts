import type { ToolCall, Usage } from '../client/chat.ts';
import type { ConfirmationChoice, ConfirmationRequest } from '../send/confirmation.ts';
import { RequestLimit } from '../send/form/requestLimit.ts';
import { type Outgoing, withAllPlaces } from '../send/outgoing.ts';
import type { DispatchEvent } from '../send/withAuditOutcome.ts';
import { abortedError, asServiceError, isServiceError, ServiceError, withCode } from '../util/errors.ts';
import { whyCut } from '../util/whyCut.ts';
import { continuation } from './conversation/continuation.ts';
import { withOutdated } from './conversation/earlierFiles.ts';
import type { Continues } from './conversation/messagesFor.ts';
import { outgoingFor, type RequestExtras, type TurnInPlace } from './conversation/outgoingFor.ts';
import { inPhase, type Turn, type TurnState, withThinkingOver } from './conversation/turn.ts';
import { callTool } from './tools/callTool.ts';
import { PendingDecision } from './tools/pendingDecision.ts';
import type { Toolbox } from './tools/toolbox.ts';
import { stepsOf, type ToolDecision, type ToolStep } from './tools/toolStep.ts';
import { TurnUse } from './tools/turnUse.ts';
import type { Summarizing, TurnStart } from './turnStart.ts';
import {
  afterEvent,
  type Earlier,
  ended,
  isEmpty,
  whenSent,
  whileSummarizing,
  withMemory,
  withText,
} from './turnSteps.ts';

/** One turn until its end: a request, and another one each time its answer asks for tools. */
export class TurnRun {
  readonly #start: TurnStart;
  readonly #controller = new AbortController();
  readonly #confirmation = new PendingDecision<ConfirmationChoice>();
  readonly #decision = new PendingDecision<ToolDecision>();
  /** Returns what to append to the answer for each new piece of text; `null` ends it. */
  #join: (text: string | null) => string;
  #before: readonly Turn[];
  /** Set while a summary is being made; a turn makes at most one. */
  #summarizing: Summarizing | null = null;
  #hasSummarized = false;
  /** Set while a wait before a retry is under way. */
  #retryNow: (() => void) | null = null;
  readonly #use = new TurnUse();
  /** Usage and receipt of the earlier requests. */
  #earlier: Earlier = {};
  #continues: Continues;
  readonly #limit: RequestLimit;
  /** Whether its first request was sent. */
  #isFurther = false;
  #turn: Turn;

  constructor(start: TurnStart) {
    this.#start = start;
    this.#turn = inPhase(start.turn, { status: 'waiting' });
    this.#continues = start.continues;
    this.#limit = start.limit ?? new RequestLimit();
    this.#before = start.before;
    const { text, steps } = start.turn.answer;
    const isAfterCall = steps.at(-1)?.at === text.length;
    this.#join = start.continues && isAfterCall ? paragraphAfter(text) : continuation(start.continues ? text : '');
  }

  get turnId(): string {
    return this.#turn.id;
  }

  stop(): void {
    this.#controller.abort();
    this.#summarizing?.stop();
  }

  retryNow(): void {
    this.#retryNow?.();
    this.#summarizing?.retryNow();
  }

  /** Applies the user's decision, if they are asked whether the request may be sent. */
  decide(asked: number, choice: ConfirmationChoice): void {
    if (this.#summarizing === null) this.#confirmation.answer(asked, choice);
    else this.#summarizing.decide(asked, choice);
  }

  /** Applies the user's decision on a call that waits for it. */
  decideTool(stepId: string, asked: number, decision: ToolDecision): void {
    const askingStep = this.#turn.answer.steps.find(({ state }) => state === 'asking');
    if (askingStep?.id === stepId) this.#decision.answer(asked, decision);
  }

  /** Resolves with the final turn; never rejects. */
  async toEnd(): Promise<Turn> {
    this.#put(this.#turn);
    try {
      await this.#compareFiles();
      if (this.#start.summarizes) await this.#summarize();
      for (let goesOn = true; goesOn; ) goesOn = await this.#round();
      if (isEmpty(this.#turn)) throw emptyAnswer(this.#turn);
      this.#put(inPhase(withThinkingOver(this.#turn), { status: 'complete' }));
    } catch (thrown) {
      this.#take(null);
      this.#put(ended(this.#turn, asServiceError(thrown)));
    }
    return this.#turn;
  }

  /** Finds the earlier attachments that are outdated; the rest of an answer belongs to the same request. */
  async #compareFiles(): Promise<void> {
    const { outdated, continues, before } = this.#start;
    if (outdated === undefined || continues !== false) return;
    const turn = await withOutdated(this.#turn, before, outdated);
    if (turn !== this.#turn) this.#put(turn);
  }

  get #place(): TurnInPlace {
    return { turn: this.#turn, before: this.#before, conversation: this.#start.conversation };
  }

  #outgoing(extras: RequestExtras): Outgoing {
    const { outgoing = outgoingFor, isAgain = false } = this.#start;
    const request = outgoing(this.#place, this.#continues, extras);
    return { ...request, limit: this.#limit, ...(isAgain && !this.#isFurther ? { isAgain } : {}) };
  }

  /** Sends a request, and runs the calls that its answer asks for. Returns whether another request follows. */
  async #round(): Promise<boolean> {
    const extras = {
      toolbox: await this.#start.tools(this.#start.conversation.id, this.#turn.question.mode ?? 'ask'),
      instructions: await this.#start.instructions(),
    };
    if (this.#isFurther) this.#earlier = this.#turn.answer;
    try {
      const { calls, toolbox } = await this.#request(extras);
      if (calls.length > 0) await this.#call(calls, toolbox);
      return calls.length > 0;
    } catch (error) {
      await this.#goOnAfter(error, extras);
      return true;
    }
  }

  /** Prepares another request if that helps; else throws the error. */
  async #goOnAfter(error: unknown, { toolbox }: RequestExtras): Promise<void> {
    if (isServiceError(error) && error.code === 'summary-wanted') {
      if (this.#hasSummarized) throw withCode(error, 'conversation-too-long');
      return this.#summarize();
    }
    // The model is told once. If the next call is cut off as well, the turn ends.
    if (toolbox === null || this.#continues === 'shorter-call' || !isCutCall(error)) throw error;
    this.#use.requireMore();
    if (!this.#limit.take()) throw error;
    this.#take(null);
    this.#askFurther('shorter-call');
  }

  /** Prepares the next request of the turn. */
  #askFurther(continues: Continues): void {
    this.#put(inPhase(withThinkingOver(this.#turn), { status: 'waiting' }));
    this.#continues = continues;
    this.#join = paragraphAfter(this.#turn.answer.text);
  }

  /** Handles the calls of an answer, and prepares the next request. Throws if the calls stop the turn. */
  async #call(calls: readonly ToolCall[], toolbox: Toolbox | null): Promise<void> {
    if (toolbox === null) {
      throw new ServiceError('protocol', 'The answer calls a tool, and none was offered.', { code: 'tool-call' });
    }
    const { answer } = this.#turn;
    const { granted } = this.#start;
    const { signal } = this.#controller;
    const steps = stepsOf(calls, answer);
    const asking = { ...this.#turn, answer: { ...answer, steps: [...answer.steps, ...steps] } };
    this.#put(inPhase(asking, { status: 'calling' }));
    const put = (step: ToolStep): void =>
      this.#putStep(step.state === 'asking' ? { ...step, asked: this.#decision.number() } : step);
    const ask = (): Promise<ToolDecision> => this.#decision.wait(signal);
    for (const step of steps) {
      await this.#use.call(step, toolbox, (next) => callTool(step, { toolbox, next, granted, put, ask, signal }));
    }
    if (this.#turn.answer.steps.some(({ state, name }) => state === 'done' && toolbox.proposes(name)))
      this.#turn = withMemory(this.#turn, { hasProposed: true });
    this.#use.requireMore();
    this.#askFurther(this.#use.tellsNow() ? 'near-limit' : false);
  }

  #putStep(step: ToolStep): void {
    const { answer } = this.#turn;
    const steps = answer.steps.map((old) => (old.id === step.id ? step : old));
    this.#put({ ...this.#turn, answer: { ...answer, steps } });
  }

  /** Returns the calls of the answer, and the toolbox that they are for, or null if the model was not offered any tools. */
  async #request(
    extras: RequestExtras,
  ): Promise<{ readonly calls: readonly ToolCall[]; readonly toolbox: Toolbox | null }> {
    const { signal } = this.#controller;
    const confirmSend = async (request: ConfirmationRequest): Promise<ConfirmationChoice> => {
      this.#put(inPhase(this.#turn, { status: 'confirming', request, asked: this.#confirmation.number() }));
      const choice = await this.#confirmation.wait(signal);
      this.#put(inPhase(this.#turn, { status: 'waiting' }));
      return choice;
    };
    const { dispatch } = this.#start;
    const outgoing = this.#outgoing(extras);
    this.#isFurther = true;
    // Each state from here on has these sources, even while the user is asked about the request: they decide whether the
    // turn may be stored.
    const { question } = this.#turn;
    this.#turn = { ...this.#turn, question: { ...question, places: withAllPlaces(outgoing).folders } };
    const sending = await dispatch.send(outgoing, confirmSend, signal);
    this.#put(whenSent(this.#turn, sending));
    const before = this.#turn.answer.text.length;
    const calls: ToolCall[] = [];
    let usage: Usage | undefined;
    let { toolbox } = extras;
    try {
      for await (const batch of sending.events) {
        this.#take(batch);
        for (const event of batch) {
          if (event.type === 'tool-call') calls.push(event.call);
          if (event.type === 'usage') usage = event.usage;
          if (event.type === 'without-tools') toolbox = null;
        }
      }
      this.#take(null);
    } finally {
      this.#use.sent(outgoing, this.#turn.answer.text.slice(before), usage);
      this.#use.leftOut(this.#turn.lastRequest?.shortened?.counts.result ?? 0);
    }
    return { calls, toolbox };
  }

  /** Replaces earlier turns with a summary. If that fails, nothing changes, and the turn fails. */
  async #summarize(): Promise<void> {
    const waiting = inPhase(this.#turn, { status: 'waiting' });
    const run = this.#start.summarize?.(this.#before, this.#limit, (state, turns) =>
      this.#put(whileSummarizing(waiting, state, turns)),
    );
    if (run === undefined || this.#controller.signal.aborted) throw abortedError();
    this.#hasSummarized = true;
    this.#summarizing = run;
    try {
      const summarized = await run.toEnd();
      if (this.#controller.signal.aborted) throw abortedError();
      this.#before = this.#before.map((turn) => (turn.id === summarized.id ? summarized : turn));
      this.#start.onChange({ turn: summarized });
    } finally {
      this.#summarizing = null;
    }
    this.#put(waiting);
  }

  #put(turn: Turn): void {
    this.#turn = turn;
    this.#start.onChange({ turn });
  }

  #take(batch: readonly DispatchEvent[] | null): void {
    const turn = this.#turn;
    let next = turn;
    let text = batch === null ? this.#join(null) : '';
    for (const event of batch ?? []) {
      if (event.type === 'text-delta') text += this.#join(event.text);
      else next = afterEvent(next, event, this.#earlier);
      this.#retryNow = event.type === 'retry-wait' ? event.retryNow : null;
    }
    if (text !== '') next = withText(next, text);
    this.#turn = next;
    if (changesState(turn.state, next.state)) this.#start.onChange({ turn: next });
    const thought = next.state.memory.thinking?.text.slice(turn.state.memory.thinking?.text.length ?? 0) ?? '';
    this.#start.onChange({ turn: next, added: text, thought });
  }
}

/** Whether the answer reached its maximum length inside a tool call. */
function isCutCall(error: unknown): boolean {
  return isServiceError(error) && error.code === 'tool-call-cut' && error.details.cut === 'length';
}

function emptyAnswer({ question: { origin }, answer: { finishReason } }: Turn): ServiceError {
  if (whyCut(finishReason) === 'other') {
    const init = { code: 'doubtful-end', reason: finishReason, origin } as const;
    return new ServiceError('protocol', 'The answer is empty and incomplete.', init);
  }
  return new ServiceError('protocol', 'The answer is empty.', { code: 'empty', origin });
}

/** Whether the turn is in another phase, or its thinking has begun, ended, or reached its limit. */
function changesState(before: TurnState, after: TurnState): boolean {
  const isRetry = after.status === 'retrying' && before.status === 'retrying' && after.retry !== before.retry;
  const [thought, thinks] = [before.memory.thinking, after.memory.thinking];
  return (
    isRetry || before.status !== after.status || thought?.since !== thinks?.since || thought?.isCut !== thinks?.isCut
  );
}

/** Starts a new paragraph with the text of an answer after a call. */
function paragraphAfter(answer: string): (text: string | null) => string {
  let isFirst = answer !== '';
  return (text) => {
    if (!isFirst || text === null || text === '') return text ?? '';
    isFirst = false;
    return `\n\n${text}`;
  };
}
