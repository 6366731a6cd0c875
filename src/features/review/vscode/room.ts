import type { RequestOptions } from '../../../policy/requestOptions.ts';
import { filesQuestion } from '../../../review/prompt.ts';
import { withinWindow } from '../../../send/budget/contextBudget.ts';
import { declaredWindow } from '../../../send/budget/contextWindow.ts';
import { bytesPerToken } from '../../../send/budget/tokens.ts';

/** A smaller room would split a file into pieces that no model can judge. In characters. */
const leastRoom = 1000;

/** How much of files fits in a request of a review beside its instructions. */
export interface Room {
  /** The most characters, if the settings say how many tokens the model reads. */
  readonly declared: number;
  /** The most characters for a model that reads so many tokens. */
  readonly of: (contextTokens: number) => number;
}

export function roomFor(options: RequestOptions, instructions: string): Room {
  const ours = Buffer.byteLength(instructions) + Buffer.byteLength(filesQuestion(1, true));
  const of = (contextTokens: number): number =>
    Math.max(leastRoom, Math.floor(withinWindow(contextTokens, { options }) * bytesPerToken) - ours);
  const window = declaredWindow(options.model, options.context.windows);
  return { declared: window === null ? Number.POSITIVE_INFINITY : of(window), of };
}
