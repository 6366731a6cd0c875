import type { Admission } from '../../gate/admit.ts';
import { type ErrorDetails, ServiceError } from '../../util/errors.ts';
import type { Attachment } from '../message/attachment.ts';
import type { Outgoing } from '../outgoing.ts';
import { declaredWindow, LearnedWindows } from './contextWindow.ts';
import { type Budget, type Fit, fit, jsonShare } from './fit.ts';
import type { Shortened } from './leftOut.ts';
import { type Bounded, Measured } from './measured.ts';
import { isTargetOf, targetOf } from './target.ts';
import { Calibration } from './tokens.ts';

/** A request within its budget. */
export interface Fitted {
  readonly outgoing: Outgoing;
  readonly shortened: Shortened | null;
  /** The estimated size of its messages and tools, in UTF-8; null if a request is sent as it is. */
  readonly bytes: number | null;
  readonly tokens: number | null;
  /** The parts that the next request of the conversation leaves out, too. */
  readonly memory: Memory | null;
}

interface Memory {
  /** The memory applies to requests to this target, as long as their budget is not larger. */
  readonly target: string;
  readonly budget: number;
  readonly lines: ReadonlyMap<string, string>;
}

/** The known windows and token sizes of models, and what each conversation leaves out. Kept in memory only; no content. */
export class ContextBudget {
  readonly #windows = new LearnedWindows();
  readonly #calibration = new Calibration();
  readonly #memories = new Map<string, Memory>();
  /** The estimated size, in UTF-8 and with its delimiters, of the longest request that each target has answered. */
  readonly #accepted = new Map<string, number>();

  /**
   * Leaves out what does not fit, if the request is one of a conversation. Throws a ServiceError: `gate` with code
   * `conversation-too-long` if whole turns would have to be left out (`summary-wanted` if the setting asks for a
   * summary then), `question-too-long` if that is not enough; `policy` with code `context-budget` if the settings leave no room.
   */
  fit(outgoing: Outgoing, admission: Admission, excluded: ReadonlySet<Attachment>): Fitted {
    const { fits, offer, ...kept } = outgoing;
    if (fits === undefined) return { outgoing, shortened: null, bytes: null, tokens: null, memory: null };
    const target = targetOf(admission.connection, admission.options);
    const budget = this.#budget(admission, outgoing);
    const before = this.#leftOutBefore(fits.conversation, target, budget);
    const found = fit({
      messages: outgoing.messages,
      excluded,
      offerBytes: bytesOfOffer(outgoing),
      budget,
      before,
      mayLeaveOutTurns: fits.mayLeaveOutTurns || admission.options.context.onLimit === 'leaveOut',
    });
    if (!found.fits) {
      const { model, context } = admission.options;
      const known = this.#windows.of(target, model, context.windows);
      const learned = known?.from === 'service' ? { model, tokens: known.tokens } : undefined;
      throw tooLong(found, { ...budget, learned }, context.onLimit === 'summarize');
    }
    const { shortened, lines, bytes } = found;
    return {
      // The request is sent like this even after a wait.
      outgoing: { ...kept, messages: found.messages, ...(offer === undefined ? {} : { offer }) },
      shortened,
      bytes,
      tokens: found.tokens,
      // Parts that this request lacks, because it is of another branch or without tools, stay left out for later ones.
      memory: { target, budget: budget.tokens, lines: new Map([...before, ...lines]) },
    };
  }

  /**
   * Measures a request before fit() leaves out more than the last one did. Throws a ServiceError `policy` with code
   * `context-budget` if the settings leave no room.
   */
  measure(outgoing: Outgoing, admission: Admission, excluded: ReadonlySet<Attachment>): Measured {
    const { messages, fits } = outgoing;
    const budget = this.#budget(admission, outgoing);
    const target = targetOf(admission.connection, admission.options);
    const before = fits === undefined ? new Map() : this.#leftOutBefore(fits.conversation, target, budget);
    return new Measured({ messages, excluded, offerBytes: bytesOfOffer(outgoing), budget, before });
  }

  /** Remembers what a request that is sent leaves out. */
  keep({ fits }: Outgoing, { memory }: Fitted): void {
    if (fits !== undefined && memory !== null) this.#memories.set(fits.conversation, memory);
  }

  /**
   * Learns from a refusal: the window that the service names, or else less than the request had. A window is never smaller
   * than a request that was accepted: then the number meant something else. A short request can be refused for the length
   * of the answer that it asks for. Returns whether a shorter request can be made.
   */
  refused(admission: Admission, { outgoing, tokens }: Fitted, named: number | undefined): boolean {
    if (tokens === null) return false;
    const { model, context } = admission.options;
    const target = targetOf(admission.connection, admission.options);
    // The same request was accepted before: another model may answer now.
    if ((this.#accepted.get(target) ?? 0) >= this.#bytesOf(target, tokens)) this.#accepted.delete(target);
    const accepted = this.#acceptedTokens(target);
    const known = this.#windows.of(target, model, context.windows)?.tokens ?? Number.POSITIVE_INFINITY;
    const answer = this.answerTokens(admission, outgoing.maxTokens);
    const less = Math.max(roomFor(accepted, admission), Math.floor(Math.max(tokens, answer ?? 0) * shareOfRefused));
    const isWindow =
      named !== undefined && named >= accepted && named <= known && withinWindow(named, admission, answer) < tokens;
    const learned = isWindow ? named : less;
    if (learned < smallestWindow) return false;
    this.#windows.learn(target, model, context.windows, learned);
    return true;
  }

  /** The service has begun to answer a request: what it reads is not less. */
  accepted(admission: Admission, { tokens }: Fitted): void {
    if (tokens === null) return;
    const { model, context } = admission.options;
    const target = targetOf(admission.connection, admission.options);
    this.#accepted.set(target, Math.max(this.#bytesOf(target, tokens), this.#accepted.get(target) ?? 0));
    const window = this.#windows.of(target, model, context.windows);
    if (window?.from === 'service' && window.tokens < this.#acceptedTokens(target)) {
      this.#windows.learn(target, model, context.windows, roomFor(tokens, admission));
    }
  }

  /** Forgets what was learned about a model, at each address. */
  forgetWindow(model: string): void {
    this.#windows.forget(model);
    for (const target of this.#accepted.keys()) if (isTargetOf(target, model)) this.#accepted.delete(target);
  }

  /** Returns the window that the settings declare for the model of a refused request, if the model reads less. */
  declaredDespite({ options }: Admission, { tokens }: Fitted, named: number | undefined): number | undefined {
    const declared = declaredWindow(options.model, options.context.windows);
    // A request that is sent as it is may be longer than any window.
    const isLess = declared !== null && (named === undefined ? tokens !== null : named < declared);
    return isLess ? declared : undefined;
  }

  /** Learns from the tokens that the service counted. Returns them if they are far fewer than were sent. */
  counted(admission: Admission, { bytes, tokens }: Fitted, promptTokens: number | undefined): ReadsLess | null {
    if (bytes === null || tokens === null) return null;
    const target = targetOf(admission.connection, admission.options);
    const found = this.#calibration.learn(target, bytes, promptTokens);
    if (found !== 'reads-less' || promptTokens === undefined) return null;
    this.#accepted.delete(target);
    const { model, context } = admission.options;
    if (promptTokens >= smallestWindow) this.#windows.learn(target, model, context.windows, promptTokens);
    return { counted: promptTokens, sent: tokens };
  }

  /** The maximum number of tokens of an answer: at most a quarter of the window, so that most of it is left to the request. */
  answerTokens(admission: Admission, wanted: number | undefined): number | undefined {
    const window = this.windowOf(admission);
    if (wanted === undefined || window === undefined) return wanted;
    return Math.min(wanted, Math.max(minAnswer, Math.floor(window / 4)));
  }

  /** The context window in tokens that is known for the model of a request. */
  windowOf({ connection, options }: Admission): number | undefined {
    return this.#windows.of(targetOf(connection, options), options.model, options.context.windows)?.tokens;
  }

  /** The parts that the last request of a conversation left out, as long as the budget has not grown. */
  #leftOutBefore(conversation: string, target: string, budget: Bounded): ReadonlyMap<string, string> {
    const memory = this.#memories.get(conversation);
    const applies = memory !== undefined && memory.target === target && budget.tokens <= memory.budget;
    return applies ? memory.lines : new Map();
  }

  /** The estimated bytes of a number of tokens: each answer shows how many bytes a token has. */
  #bytesOf(target: string, tokens: number): number {
    return tokens * this.#calibration.perToken(target);
  }

  /** The estimated tokens of the longest request that was accepted; 0 if there was none. */
  #acceptedTokens(target: string): number {
    return Math.ceil((this.#accepted.get(target) ?? 0) / this.#calibration.perToken(target));
  }

  #budget(admission: Admission, { maxTokens }: Outgoing): Bounded {
    const { connection, options, rules } = admission;
    const target = targetOf(connection, options);
    const perToken = this.#calibration.perToken(target);
    // If the setting has no limit, the maximum size of a request applies.
    const limit = options.context.maxTokens ?? Math.floor((rules.limits.requestBytes * jsonShare) / perToken);
    const window = this.#windows.of(target, options.model, options.context.windows);
    const room =
      window === null
        ? limit
        : Math.min(limit, withinWindow(window.tokens, admission, this.answerTokens(admission, maxTokens)));
    if (room < smallestBudget && window?.from !== 'service') throw noRoom(window?.tokens ?? limit);
    return {
      // A window learned from the service is not an error in the settings: the service's next refusal is shown as it is.
      tokens: Math.max(room, smallestBudget),
      bytes: rules.limits.requestBytes,
      perToken,
    };
  }
}

/** The service counted far fewer tokens than were sent. */
interface ReadsLess {
  readonly counted: number;
  /** An estimate. */
  readonly sent: number;
}

function bytesOfOffer({ offer }: Outgoing): number {
  return offer === undefined ? 0 : Buffer.byteLength(JSON.stringify(offer));
}

/** The part of a window that is available for messages, without the answer's share. */
export function withinWindow(window: number, { options }: Pick<Admission, 'options'>, maxTokens?: number): number {
  const answer = maxTokens ?? options.maxTokens ?? Math.min(maxAnswer, Math.floor(window / 4));
  return window - answer - spare;
}

/** The smallest window that has room for a request with its answer; 0 for no request. */
function roomFor(tokens: number, { options }: Admission): number {
  if (tokens === 0) return 0;
  const needed = tokens + spare;
  return needed + (options.maxTokens ?? Math.min(maxAnswer, Math.ceil(needed / 3) + 1));
}

function tooLong(
  { tokens, canLeaveOutTurns, largest }: Extract<Fit, { fits: false }>,
  budget: Budget & { readonly learned: ErrorDetails<'gate'>['learned'] },
  isSummaryWanted: boolean,
): ServiceError {
  const contextTokens = budget.tokens ?? undefined;
  const { learned } = budget;
  const details = { tokens, ...(learned === undefined ? {} : { learned }) };
  if (canLeaveOutTurns) {
    const words = "The conversation exceeds the model's context window.";
    const code = isSummaryWanted ? 'summary-wanted' : 'conversation-too-long';
    return new ServiceError('gate', words, { code, contextTokens, details });
  }
  const file = largest.join(', ');
  return new ServiceError('gate', "The question exceeds the model's context window.", {
    code: 'question-too-long',
    contextTokens,
    details: { ...details, files: largest },
    ...(file === '' ? {} : { file }),
  });
}

function noRoom(window: number): ServiceError {
  const words = 'The settings leave no room for a question.';
  return new ServiceError('policy', words, { code: 'context-budget', contextTokens: window });
}

/** The number of tokens reserved for the templates of a service. */
const spare = 512;
/** An answer whose length is not set gets a quarter of the window, and at most this number of tokens. */
const maxAnswer = 8192;
const minAnswer = 256;
const smallestWindow = 1024;
const smallestBudget = 2000;
/** The factor by which a request is shortened that was refused as too long by an unknown amount. */
const shareOfRefused = 0.8;
