import { blocksIn } from '../../session/prompts/fences.ts';
import { languageIdOf } from './candidates.ts';
import { beginsSearch, isDiff } from './changes.ts';
import { readFenceInfo } from './fileName.ts';
import { withoutThinking } from './thinking.ts';

/**
 * Returns the code for each of `count` places as far as it has arrived, for display. A text is empty if there is no
 * code yet.
 */
export function codesSoFar(answer: string, count: number): readonly string[] {
  const { text, isOpen } = withoutThinking(answer);
  const none = Array.from<string>({ length: count }).fill('');
  if (isOpen) return none;
  const blocks = blocksIn(text, true).filter(({ info, code }) => {
    const { language } = readFenceInfo(info);
    const lines = code.split('\n');
    return languageIdOf(language) !== 'shellscript' && !isDiff(lines, language) && !beginsSearch(lines);
  });
  if (blocks.length === 0 && count === 1) {
    const isCode = blocksIn(text).length === 0 && !beginsSearch(text.split('\n'));
    return [isCode ? withLineEnd(text) : ''];
  }
  return none.map((_, index) => withLineEnd(blocks[index]?.code ?? ''));
}

function withLineEnd(code: string): string {
  const text = code.replace(/^(\s*\n)+/, '').trimEnd();
  return text === '' ? '' : `${text}\n`;
}
