import type { AnswerBlock, ReadAnswer } from './answer.ts';
import { isCommands, isExample, languageIdOf } from './candidates.ts';

/** The blocks of an answer that name a file, and the number of other blocks of code. */
export interface ForFiles {
  readonly named: readonly AnswerBlock[];
  readonly unnamed: number;
}

/** Returns the blocks that can be applied together. Commands, output and examples are excluded. */
export function blocksForFiles({ blocks }: Pick<ReadAnswer, 'blocks'>): ForFiles {
  const named = blocks.filter(({ file }) => file !== undefined);
  const isCode = (block: AnswerBlock): boolean =>
    !isCommands(block) && languageIdOf(block.language) !== 'plaintext' && !isExample(block) && block.lines.length > 0;
  return { named, unnamed: blocks.filter((block) => block.file === undefined && isCode(block)).length };
}
