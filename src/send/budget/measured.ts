import type { Attachment } from '../message/attachment.ts';
import { isSameFile } from '../repeats.ts';
import { Draft } from './draft.ts';
import type { Budget, FitInput } from './fit.ts';
import { bytesOfPart } from './sizes.ts';
import { tokensIn } from './tokens.ts';

/** The estimated tokens of a request, and how much of the model's context window they take. */
export interface Taken {
  readonly tokens: number;
  /** The maximum number of tokens. */
  readonly budget: number;
  /** The tokens of each part; their sum is `tokens`. */
  readonly parts: {
    readonly conversation: number;
    readonly attached: number;
    readonly instructions: number;
    readonly tools: number;
  };
}

interface MeasuredInput extends Omit<FitInput, 'mayLeaveOutTurns'> {
  readonly budget: Bounded;
}

/** A budget with a limit of tokens. */
export type Bounded = Budget & { readonly tokens: number };

/**
 * A request whose question is still being written. What comes before the question is measured once, so that each further
 * word or attachment costs next to nothing.
 */
export class Measured {
  readonly #draft: Draft;
  readonly #budget: Bounded;
  /** Sizes in UTF-8. */
  readonly #bytes: Readonly<Record<'attached' | 'instructions' | 'tools', number>>;

  /** Leaves out the parts that the conversation's last request left out, like fit(). */
  constructor({ messages, excluded, offerBytes, budget, before }: MeasuredInput) {
    const draft = new Draft(messages, excluded, budget.perToken);
    draft.leaveOutAgain(before);
    const attached = draft.items.filter(({ kind }) => kind === 'attachment').map((item) => draft.bytesOf(item));
    const lead = messages.flatMap((message) => message.lead ?? []);
    const files = lead.filter((part) => typeof part !== 'string').filter((file) => !excluded.has(file));
    const instructions = files.filter((file, index) => !isIn(files.slice(0, index), file)).map(bytesOfPart);
    this.#draft = draft;
    this.#budget = budget;
    this.#bytes = { attached: sumOf(attached), instructions: sumOf(instructions), tools: offerBytes };
  }

  /** The share with more text in the question (its size in UTF-8) and these attachments, all of which may be sent. */
  with(textBytes: number, attachments: readonly Attachment[]): Taken {
    const { perToken, tokens: budget } = this.#budget;
    const { size, messageCount } = this.#draft;
    const more = sumOf(
      attachments.map((file, index) => this.#draft.sizeOfFurther(file, attachments.slice(0, index)).bytes),
    );
    const tokens = tokensIn(size.bytes + textBytes + more + this.#bytes.tools, messageCount, perToken);
    const attached = Math.round((this.#bytes.attached + more) / perToken);
    const instructions = Math.round(this.#bytes.instructions / perToken);
    const tools = Math.round(this.#bytes.tools / perToken);
    return {
      tokens,
      budget,
      parts: { conversation: Math.max(0, tokens - attached - instructions - tools), attached, instructions, tools },
    };
  }
}

function isIn(files: readonly Attachment[], file: Attachment): boolean {
  return files.some((one) => one.uri === file.uri && isSameFile(one, file));
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
