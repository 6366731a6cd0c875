import { blocksIn } from '../prompts/fences.ts';

/**
 * Joins the rest of an answer to what came before it broke off. Where that ends inside a code block, models like to begin
 * with the block's fence again: the line is left out, so that the code goes on in the same block. Text may come in any
 * pieces; `null` says that no more comes.
 */
export function continuation(answer: string): (text: string | null) => string {
  let isDecided = blocksIn(answer).at(-1)?.isClosed !== false;
  let waiting = '';
  return (text) => {
    if (isDecided) return text ?? '';
    waiting += text ?? '';
    // As long as it may become an opening fence it waits: a line is short.
    const isShort = waiting.length < 200;
    if (text !== null && isShort && /^\s*(`{0,3}|~{0,3}|(`{3,}|~{3,})[\w+#.-]{0,40} *)\r?$/.test(waiting)) return '';
    isDecided = true;
    return waiting.replace(/^\s*(`{3,}|~{3,})[\w+#.-]+ *\r?\n/, '');
  };
}
