import type { RequestOptions } from '../../../policy/requestOptions.ts';
import { filesQuestion } from '../../../review/prompt.ts';
import { withinWindow } from '../../../send/budget/contextBudget.ts';
import { declaredWindow } from '../../../send/budget/contextWindow.ts';
import { bytesPerToken } from '../../../send/budget/tokens.ts';

/** The minimum room in characters: a smaller one would split a file into pieces that no model can judge. */
const minRoom = 1000;

/** The amount of files that fits in a request of a review besides its instructions. */
export interface Room {
  /** The maximum number of characters, if the settings state how many tokens the model reads. */
  readonly declared: number;
  /** Returns the maximum number of characters for a model that reads this number of tokens. */
  readonly of: (contextTokens: number) => number;
}

export function roomFor(options: RequestOptions, instructions: string): Room {
  const ours = Buffer.byteLength(instructions) + Buffer.byteLength(filesQuestion(1, true));
  const of = (contextTokens: number): number =>
    Math.max(minRoom, Math.floor(withinWindow(contextTokens, { options }) * bytesPerToken) - ours);
  const window = declaredWindow(options.model, options.context.windows);
  return { declared: window === null ? Number.POSITIVE_INFINITY : of(window), of };
}
