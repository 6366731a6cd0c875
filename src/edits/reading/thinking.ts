import { blocksIn } from '../../session/prompts/fences.ts';

const names = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis';
const opening = new RegExp(`^\\s*<(${names})>`, 'i');
const closing = new RegExp(`</(?:${names})>`, 'gi');

/** An answer without the model's visible thinking, which may contain fences and drafts of code. */
export interface WithoutThinking {
  readonly text: string;
  /** Whether the thinking has no end. Then only the last block is used. */
  readonly isOpen: boolean;
}

/** Removes thinking at the beginning of an answer. Its opening tag may be lost, and so may the closing one. */
export function withoutThinking(answer: string): WithoutThinking {
  let text = answer;
  let wasOpened = false;
  for (;;) {
    const opened = opening.exec(text);
    if (opened === null) break;
    wasOpened = true;
    const [tag, name = ''] = opened;
    const end = text.toLowerCase().indexOf(`</${name.toLowerCase()}>`, tag.length);
    if (end === -1) return { text: text.slice(tag.length), isOpen: true };
    text = text.slice(end + name.length + 3);
  }
  return { text: wasOpened ? text : text.slice(strayEnd(text)), isOpen: false };
}

/**
 * The offset after the first closing tag without an opening tag, at the end of a line and not in code; 0 if there is
 * none.
 */
function strayEnd(answer: string): number {
  const tags = [...answer.matchAll(closing)];
  if (tags.length === 0) return 0;
  const blocks = blocksIn(answer).filter(({ isClosed }) => isClosed);
  for (const { 0: tag, index } of tags) {
    const end = index + tag.length;
    const isInCode = blocks.some((block) => block.start < index && index < block.end);
    if (!isInCode && /^(?:[ \t]*(?:\r|\n|$))/.test(answer.slice(end, end + 40)) && !hasOpening(answer, tag, index))
      return end;
  }
  return 0;
}

function hasOpening(answer: string, tag: string, before: number): boolean {
  return answer.slice(0, before).toLowerCase().includes(tag.toLowerCase().replace('/', ''));
}
