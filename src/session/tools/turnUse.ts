import type { Usage } from '../../client/chat.ts';
import { bytesOfPart, sizeOfCalls } from '../../send/budget/sizes.ts';
import { bytesPerToken, countedTokens, tokensIn } from '../../send/budget/tokens.ts';
import type { Outgoing } from '../../send/outgoing.ts';
import type { StopCode } from '../../util/errorKinds.ts';
import { ServiceError } from '../../util/errors.ts';
import {
  callKey,
  isEndNear,
  type NextCall,
  nextCall,
  type PastCall,
  turnLimits,
  type Used,
  whyStop,
} from './stopRules.ts';
import type { Toolbox } from './toolbox.ts';
import type { ToolStep } from './toolStep.ts';

/** The calls and requests of a run, by which the rules of stopRules.ts stop it. A run that continues a turn starts at zero. */
export class TurnUse {
  readonly #past: PastCall[] = [];
  #used: Used = { calls: 0, requests: 0, tokens: 0 };
  #limits: Used = turnLimits;
  /** The changes to what calls find, besides those that the toolbox notices. */
  #changes = 0;
  #resultsLeftOut = 0;
  #wasTold = false;
  /** The rule that stopped the turn within the calls of an answer. */
  #stopped: StopCode | null = null;

  /** Counts a request that has ended. Without counts of the service, its tokens are estimated. */
  sent(outgoing: Outgoing, answer: string, usage: Usage | undefined): void {
    const { calls, requests, tokens } = this.#used;
    this.#used = {
      calls,
      requests: requests + 1,
      tokens: tokens + (countedTokens(usage ?? {}) ?? estimate(outgoing, answer)),
    };
  }

  /** Notes how many results a request left out: the model is asked to make their calls again where it needs them. */
  leftOut(results: number): void {
    if (results !== this.#resultsLeftOut) this.#changes += 1;
    this.#resultsLeftOut = results;
  }

  /** Decides how the next call of an answer is treated, and counts it. Once a rule stops the turn, no further call is run. */
  async call(
    { name, input }: ToolStep,
    toolbox: Toolbox,
    handle: (next: NextCall) => Promise<ToolStep>,
  ): Promise<void> {
    const version = this.#changes + toolbox.fileChanges();
    const started = { key: callKey(name, input), version };
    this.#limits = { ...turnLimits, calls: toolbox.maxCalls };
    this.#stopped ??= this.#whyStop();
    const next = this.#stopped === null ? nextCall(this.#past, started) : 'stop';
    const { state } = await handle(next);
    if (next === 'stop') {
      this.#stopped ??= 'same-call';
      return;
    }
    const isDone = state === 'done';
    this.#past.push({ ...started, isDone });
    this.#used = { ...this.#used, calls: this.#used.calls + 1 };
    if (isDone && toolbox.changesFiles(name)) this.#changes += 1;
  }

  /** Throws a ServiceError if a rule stops the turn before its next request. */
  requireMore(): void {
    const code = this.#stopped ?? this.#whyStop();
    if (code !== null)
      throw new ServiceError('interrupted', 'The turn was stopped because of its tool calls.', { code });
  }

  /** Whether the next request tells the model that the limits are near. It is told once. */
  tellsNow(): boolean {
    if (this.#wasTold || !isEndNear(this.#used, this.#limits)) return false;
    this.#wasTold = true;
    return true;
  }

  #whyStop(): StopCode | null {
    return whyStop(this.#past, this.#used, this.#limits);
  }
}

/** Estimates the tokens of a request and its answer: what a model reads may be less, if parts of it are left out. */
function estimate({ messages, offer }: Outgoing, answer: string): number {
  const sizes = messages.flatMap((message) => [
    ...[...(message.lead ?? []), ...message.parts].map(bytesOfPart),
    sizeOfCalls(message).bytes,
  ]);
  const offered = Buffer.byteLength(JSON.stringify(offer?.tools ?? []));
  const bytes = sizes.reduce((sum, size) => sum + size, offered + Buffer.byteLength(answer));
  return tokensIn(bytes, messages.length, bytesPerToken);
}
