import type { ChatEvent } from '../../../src/client/chat.ts';
import { admit } from '../../../src/gate/admit.ts';
import { resolveConnection } from '../../../src/policy/connection.ts';
import { resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import { resolvePolicy } from '../../../src/policy/resolve.ts';
import type { Dispatch, Outgoing } from '../../../src/session/dispatch.ts';
import { abortedError } from '../../../src/util/errors.ts';
import { user } from '../policy/layers.ts';

const layers = [user({ 'svc.baseUrl': 'http://127.0.0.1:1/api/v1' })];

/** A dispatch whose answers a test steps through by hand: it records what was asked, and ends as an abort does. */
export class FakeDispatch {
  readonly sent: Outgoing[] = [];
  #push: ((step: Step) => void) | null = null;
  readonly #steps: Step[] = [];

  readonly dispatch: Dispatch = (outgoing, signal) => {
    this.sent.push(outgoing);
    const admission = admit({
      isTrusted: true,
      policy: resolvePolicy(layers),
      connection: resolveConnection(layers),
      options: resolveRequestOptions(layers, outgoing.modelKey),
    });
    return { admission, events: this.#events(signal) };
  };

  send(...events: readonly ChatEvent[]): void {
    this.#next({ events });
  }

  end(error?: Error): void {
    this.#next(error === undefined ? { done: true } : { error });
  }

  #next(step: Step): void {
    const push = this.#push;
    this.#push = null;
    if (push === null) this.#steps.push(step);
    else push(step);
  }

  async *#events(signal: AbortSignal): AsyncGenerator<readonly ChatEvent[]> {
    signal.addEventListener('abort', () => this.#next({ error: abortedError() }), { once: true });
    for (;;) {
      const step = this.#steps.shift() ?? (await new Promise<Step>((resolve) => (this.#push = resolve)));
      if (step.error !== undefined) throw step.error;
      if (step.done) return;
      yield step.events ?? [];
    }
  }
}

interface Step {
  readonly events?: readonly ChatEvent[];
  readonly error?: Error;
  readonly done?: true;
}
