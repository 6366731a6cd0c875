import type { CodeBlock } from './prompt.ts';

/** Asks again for code that could not be placed. */
export function asksForWhole(words: string): boolean {
  return /^The code could not be placed/m.test(words);
}

/** The file, which is the last block, with the code at its end: the first one, without the marks for other lines. */
export function wholeAnswer(blocks: readonly CodeBlock[]): string {
  const [code, file] = [blocks[0], blocks.at(-1)];
  const own = (code?.code ?? '').split('\n').filter((line) => !line.includes('...'));
  return `\`\`\`${file?.language ?? ''}\n${file?.code.trimEnd() ?? ''}\n${own.join('\n')}\n\`\`\`\n`;
}
