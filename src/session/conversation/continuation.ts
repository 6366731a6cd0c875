import { blocksIn } from '../prompts/fences.ts';

/**
 * Joins the rest of an answer to the part before the break. If that part ends inside a code block, models tend to
 * repeat the opening fence: the line is removed, so that the code continues in the same block. Text may arrive in any
 * pieces; `null` ends it.
 */
export function continuation(answer: string): (text: string | null) => string {
  let isDecided = blocksIn(answer).at(-1)?.isClosed !== false;
  let waiting = '';
  return (text) => {
    if (isDecided) return text ?? '';
    waiting += text ?? '';
    // Waits while the line may still become an opening fence, which is short.
    const isShort = waiting.length < 200;
    if (text !== null && isShort && /^\s*(`{0,3}|~{0,3}|(`{3,}|~{3,})[\w+#.-]{0,40} *)\r?$/.test(waiting)) return '';
    isDecided = true;
    return waiting.replace(/^\s*(`{3,}|~{3,})[\w+#.-]+ *\r?\n/, '');
  };
}
