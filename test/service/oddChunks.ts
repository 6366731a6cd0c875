import type { Completion } from './completion.ts';

/** The changes that gateways make to the chunks of a complete answer. */
export type Oddity =
  /** finish_reason stop on each chunk. */
  | 'early-reason'
  /** The text "null" as a reason until the end. */
  | 'null-reason'
  /** Events that are no JSON objects between the others. */
  | 'heartbeats'
  /** The whole message again in the last chunk. */
  | 'whole-message'
  /** Calls in the second choice. */
  | 'second-choice'
  /** Calls as function_call, of the older interface. */
  | 'older-call'
  /** All of the input of a call again with each piece. */
  | 'repeated-input'
  /** Lines of JSON without `data:`. */
  | 'bare-lines';

type Chunk = Readonly<Record<string, unknown>>;
type Choice = Readonly<Record<string, unknown>> & { readonly delta: Readonly<Record<string, unknown>> };

const beats = ['data: ping\n\n', 'data: [KEEPALIVE]\n\n', 'data: ""\n\n', ': keep-alive\n\n'];

/** The events that a gateway makes of the chunks, in their order. */
export class OddChunks {
  readonly #oddity: Oddity | undefined;
  readonly #completion: Completion;
  readonly #inputs = new Map<unknown, string>();
  #count = 0;

  constructor(oddity: Oddity | undefined, completion: Completion) {
    this.#oddity = oddity;
    this.#completion = completion;
  }

  event(value: unknown): string {
    const chunk = value as Chunk;
    const choices = (Array.isArray(chunk.choices) ? chunk.choices : []).map((choice) => this.#choice(choice));
    const json = JSON.stringify(Array.isArray(chunk.choices) ? { ...chunk, choices } : chunk);
    this.#count += 1;
    if (this.#oddity === 'bare-lines' && this.#count > 1) return `${json}\n`;
    const beat = this.#oddity === 'heartbeats' ? (beats[this.#count % beats.length] ?? '') : '';
    return `${beat}data: ${json}\n\n`;
  }

  #choice(choice: Choice): unknown {
    const { delta, finish_reason: reason } = choice;
    const [call] = Array.isArray(delta.tool_calls) ? delta.tool_calls : [];
    switch (this.#oddity) {
      case 'early-reason':
        return { ...choice, finish_reason: 'stop' };
      case 'null-reason':
        return { ...choice, finish_reason: reason ?? 'null' };
      case 'whole-message':
        if (reason === null) return choice;
        return { ...choice, message: { role: 'assistant', content: this.#completion.pieces.join('') } };
      case 'second-choice':
        return call === undefined ? choice : { ...choice, index: 1 };
      case 'older-call':
        return call === undefined ? choice : { ...choice, delta: { function_call: call.function } };
      case 'repeated-input': {
        if (call === undefined) return choice;
        const input = (this.#inputs.get(call.index) ?? '') + call.function.arguments;
        this.#inputs.set(call.index, input);
        return { ...choice, delta: { tool_calls: [{ ...call, function: { ...call.function, arguments: input } }] } };
      }
      default:
        return choice;
    }
  }
}
