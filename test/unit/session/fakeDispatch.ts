import { chatRequest } from '../../../src/client/wireRequest.ts';
import type { AuditHeader } from '../../../src/send/audit.ts';
import type { Shortened } from '../../../src/send/budget/leftOut.ts';
import { Measured } from '../../../src/send/budget/measured.ts';
import type { ConfirmationRequest, Preview } from '../../../src/send/confirmation.ts';
import { treatmentAt } from '../../../src/send/destination.ts';
import type { Dispatch } from '../../../src/send/dispatch.ts';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import type { DispatchEvent } from '../../../src/send/withAuditOutcome.ts';
import { abortedError } from '../../../src/util/errors.ts';
import { policyOf } from '../policy/layers.ts';
import { nothingLeftOut } from './recognition.ts';

export const about = { baseUrl: 'http://127.0.0.1:1/api/v1', userAgent: 'svc-coder/test', policy: policyOf() };

export const preview: Preview = {
  request: chatRequest(about, { model: 'svc/auto', messages: [], maxTokens: null, temperature: null, stream: true }),
  model: 'svc/auto',
  headers: [],
  files: [],
  masked: [],
  unmasked: [],
  parts: [],
  excluded: [],
  ...nothingLeftOut,
};

/** A dispatch whose answers a test steps through by hand. It records what was asked, and ends as an abort does. */
export class FakeDispatch {
  readonly sent: Outgoing[] = [];
  readonly previewed: Outgoing[] = [];
  #push: ((step: Step) => void) | null = null;
  readonly #steps: Step[] = [];

  /** What the user is asked before the next request. Nothing unless a test sets it. */
  confirmation: ConfirmationRequest | null = null;
  headers: readonly AuditHeader[] = [];
  isZeroRetention = false;
  destination = 'http://127.0.0.1:1';
  origin = 'http://127.0.0.1:1';
  repeated: readonly string[] = [];
  changesOnly: readonly string[] = [];
  shortened: Shortened | undefined;

  readonly dispatch: Dispatch = {
    preview: async (outgoing) => {
      this.previewed.push(outgoing);
      return preview;
    },
    check: async () => undefined,
    measure: async ({ messages }) => {
      const budget = { tokens: 100_000, bytes: 4_000_000, perToken: 3.2 };
      return new Measured({ messages, excluded: new Set(), offerBytes: 0, budget, before: new Map() });
    },
    send: async (outgoing, confirmSend, signal) => {
      const choice = this.confirmation === null ? 'send-masked' : await confirmSend(this.confirmation, signal);
      if (choice === 'cancel') throw abortedError();
      this.sent.push(outgoing);
      const isAsIs = outgoing.messages.some(({ secrets }) => treatmentAt(secrets, this.destination) === 'as-is');
      const secrets: 'as-is' | 'mask' = choice === 'send-as-is' || isAsIs ? 'as-is' : 'mask';
      const { headers, isZeroRetention, destination, origin } = this;
      const events = this.#events(signal);
      const facts = { model: 'svc/auto', headers, isZeroRetention, secrets, destination, origin, masked: 0 };
      const fitted = this.shortened === undefined ? {} : { shortened: this.shortened };
      return { ...facts, ...fitted, repeated: this.repeated, changesOnly: this.changesOnly, events };
    },
  };

  send(...events: readonly DispatchEvent[]): void {
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

  async *#events(signal: AbortSignal): AsyncGenerator<readonly DispatchEvent[]> {
    if (signal.aborted) throw abortedError();
    const onAbort = (): void => this.#next({ error: abortedError() });
    signal.addEventListener('abort', onAbort, { once: true });
    for (;;) {
      const step = this.#steps.shift() ?? (await new Promise<Step>((resolve) => (this.#push = resolve)));
      if (step.error !== undefined || step.done) signal.removeEventListener('abort', onAbort);
      if (step.error !== undefined) throw step.error;
      if (step.done) return;
      yield step.events ?? [];
    }
  }
}

interface Step {
  readonly events?: readonly DispatchEvent[];
  readonly error?: Error;
  readonly done?: true;
}
