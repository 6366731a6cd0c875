import { abortedError } from '../../util/errors.ts';
import { delay, orAborted } from '../../util/orAborted.ts';
import type { Completion, OnAnswer } from './complete.ts';
import { begunInsertion } from './insertion.ts';
import { lineAt, type Place } from './place.ts';
import { RecentCompletions, typedSince } from './recent.ts';
import { TypingRhythm, usefulLength } from './rhythm.ts';

/**
 * The time in milliseconds for which a request continues after VS Code cancels it: VS Code asks again a moment after a keystroke.
 */
const keptFor = 400;

/** The place of a wanted completion. */
export interface Wanted {
  readonly uri: string;
  readonly languageId: string;
  readonly place: Place;
  /** Whether the user has typed; otherwise they asked for the completion. */
  readonly isAutomatic: boolean;
}

/** Makes and sends a request. Returns null if it was not sent because the text has changed. */
export type Begin = (signal: AbortSignal, onAnswer: OnAnswer) => Promise<Completion | null>;

interface SuggesterParts {
  /** Called when a request starts or ends. */
  readonly onChange: () => void;
  /** The time in milliseconds, on any clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Decides which requests are sent for completions, at most one at a time. A request continues while the typed text may
 * be the beginning of its answer, which is then shown without the typed text.
 */
export class Suggester {
  readonly #recent = new RecentCompletions();
  readonly #rhythm = new TypingRhythm();
  readonly #onChange: () => void;
  readonly #now: () => number;
  #running: Running | null = null;

  constructor({ onChange, now = () => performance.now() }: SuggesterParts) {
    this.#onChange = onChange;
    this.#now = now;
  }

  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** Returns the completion at a place if it needs no request, or undefined. To be called once for each keystroke. */
  known({ uri, place, isAutomatic }: Wanted): Completion | undefined {
    if (isAutomatic) this.#rhythm.typed(this.#now());
    if (this.#recent.followed(uri, place) >= usefulLength) this.#rhythm.followed();
    return this.#recent.find(uri, place);
  }

  /**
   * Returns the completion at a place, from the running request if it fits, or from a new one after a wait. Any other
   * request ends. Throws an aborted ServiceError when `signal` aborts; the request then continues for a moment. Throws
   * what `begin` throws.
   */
  async completion(wanted: Wanted, begin: Begin, signal: AbortSignal): Promise<Completion> {
    const from = this.#now();
    const kept = this.#running;
    if (kept?.mayFit(wanted)) {
      await kept.result(wanted, signal);
      const found = this.#recent.find(wanted.uri, wanted.place);
      if (found !== undefined) return found;
    } else kept?.stop();
    if (wanted.isAutomatic) await this.#pause(wanted, from, signal);
    while (this.#running !== null) {
      this.#running.stop();
      await this.#running.ended;
    }
    if (signal.aborted) throw abortedError();
    return (await this.#ask(wanted, begin).result(wanted, signal)) ?? { insertion: '' };
  }

  /** Ends the request and forgets every answer, because the answers may no longer be allowed or wanted. */
  forget(): void {
    this.#running?.stop();
    this.#recent.clear();
  }

  async #pause({ place }: Wanted, from: number, signal: AbortSignal): Promise<void> {
    const now = this.#now();
    const remaining = this.#rhythm.wait(now, lineAt(place).typed.trim() === '') - (now - from);
    if (remaining > 0) await delay(remaining, signal);
  }

  #ask(wanted: Wanted, begin: Begin): Running {
    this.#rhythm.asked(this.#now());
    const running = new Running(wanted, async (...given) => {
      try {
        const completion = await begin(...given);
        if (given[0].aborted) throw abortedError();
        if (completion !== null) this.#recent.put(wanted.uri, wanted.place, completion);
        return completion;
      } finally {
        this.#running = null;
        this.#onChange();
      }
    });
    this.#running = running;
    this.#onChange();
    return running;
  }
}

/** A request that several consecutive keystrokes may use. */
class Running {
  readonly #asked: Wanted;
  readonly #stopping = new AbortController();
  readonly #completion: Promise<Completion | null>;
  /** Resolves when the request has ended, in any way. */
  readonly ended: Promise<unknown>;
  #answer = '';
  /** The place where the answer is wanted now. */
  #wanted: Wanted;
  #isMisfit = false;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(asked: Wanted, begin: Begin) {
    this.#asked = asked;
    this.#wanted = asked;
    this.#completion = begin(this.#stopping.signal, (answer) => this.#take(answer));
    this.ended = this.#completion.catch(() => undefined);
  }

  /** Whether the answer so far may continue with the text that was typed since the request. */
  mayFit({ uri, place }: Wanted): boolean {
    const typed = uri === this.#asked.uri ? typedSince(this.#asked.place, place) : null;
    if (typed === null || typed === '') return typed === '';
    const begun = begunInsertion(this.#answer, this.#asked.place, this.#asked.languageId);
    return begun.startsWith(typed) || typed.startsWith(begun);
  }

  /**
   * Waits for the answer at another place. Returns null if the request was not sent, or if the answer does not fit.
   * After the last caller has cancelled, the request continues for `keptFor`.
   */
  async result(wanted: Wanted, signal: AbortSignal): Promise<Completion | null> {
    this.#wanted = wanted;
    this.#waiting += 1;
    clearTimeout(this.#timer);
    try {
      return await orAborted(this.#completion, signal);
    } catch (error) {
      if (this.#isMisfit && !signal.aborted) return null;
      throw error;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0 && signal.aborted) this.#timer = setTimeout(() => this.stop(), keptFor);
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#stopping.abort();
  }

  #take(answer: string): void {
    this.#answer = answer;
    if (this.mayFit(this.#wanted)) return;
    this.#isMisfit = true;
    this.stop();
  }
}
