import type { ChatBody } from '../../../service/chatBody.ts';
import type { PlayedAnswer } from '../../../service/played.ts';
import type { LocalService } from '../../../service/service.ts';
import { type Call, type Model, type Move, pathFields, type Seen } from '../task.ts';

/** Plays the model of a task: each request gets the next move, which was made after the results in the request. */
export class Player {
  readonly #prefix: string;
  readonly #model: Model;
  #body: ChatBody | undefined;
  #isOver = false;
  /** What went wrong in the model itself. */
  readonly faults: string[] = [];

  constructor(model: (seen: Seen) => Model, prefix: string, service: Pick<LocalService, 'holdChunks' | 'enqueue'>) {
    this.#prefix = prefix;
    const body = (): ChatBody => {
      if (this.#body === undefined) throw new Error('There is no request yet.');
      return this.#body;
    };
    const hold = (): void => void service.holdChunks();
    const path = (name: string): string => `${prefix}${name}`;
    this.#model = model({ body, path, hold, breakNext: () => service.enqueue('cut-mid-stream') });
  }

  /** Whether the model came to its last answer. */
  get isOver(): boolean {
    return this.#isOver;
  }

  readonly play = (body: ChatBody): PlayedAnswer => {
    this.#body = body;
    try {
      if (this.#isOver) throw new Error('It was asked after its last answer.');
      const { value, done } = this.#model.next(resultsIn(body));
      this.#isOver = done === true;
      return this.#answerOf(value);
    } catch (error) {
      this.#isOver = true;
      this.faults.push(`The model failed: ${error instanceof Error ? error.message : error}`);
      return { text: 'I failed.' };
    }
  };

  #answerOf(move: Move): PlayedAnswer {
    if (typeof move === 'string') return { text: move };
    if (!('length' in move)) return { ...move, calls: (move.calls ?? []).map((call) => this.#placed(call)) };
    return { calls: move.map((call) => this.#placed(call)) };
  }

  #placed({ name, input }: Call): Call {
    if (typeof input !== 'object' || input === null) return { name, input };
    const placed = pathFields.flatMap((field) => {
      const path = (input as Readonly<Record<string, unknown>>)[field];
      if (typeof path !== 'string') return [];
      if (path.startsWith('\0')) return [[field, path.slice(1)]];
      const [, start = '', rest = path] = /^(\.\/)(.*)$/.exec(path) ?? [];
      return [[field, `${start}${this.#prefix}${rest}`]];
    });
    return { name, input: { ...input, ...Object.fromEntries(placed) } };
  }
}

/** The results of the last calls, or the question if nothing was called. */
function resultsIn({ messages }: ChatBody): readonly string[] {
  const last = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  const results = last.filter(({ role }) => role === 'tool');
  return (results.length > 0 ? results : last.slice(-1)).map(({ content }) => content);
}
