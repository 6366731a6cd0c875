import { isObject, listOf } from '../../../client/answer/answerShape.ts';
import { placeholderFor, textOfData } from './textData.ts';

/** The parts that VS Code adds for caches and states of other providers. They have no content. */
export const bookkeeping = new Set(['cache_control', 'stateful_marker', 'context_management', 'phase_data', 'usage']);

/** VS Code's prompt element trees are shallow. The limit protects against malicious nesting. */
const maxTreeDepth = 100;

/**
 * Returns a tool's result as text: its text parts and the text of VS Code's prompt elements. Parts that are not text
 * are named: without any text, the model would assume that the tool has failed, and might call it again.
 */
export function resultText(content: readonly unknown[]): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return part;
      if (!isObject(part)) return '';
      if (typeof part.mimeType === 'string') return resultData(part.mimeType, part.data);
      return typeof part.value === 'string' ? part.value : treeText(part.value, maxTreeDepth);
    })
    .join('\n')
    .trim();
}

function resultData(mimeType: string, data: unknown): string {
  return bookkeeping.has(mimeType) ? '' : (textOfData(mimeType, data) ?? placeholderFor(mimeType, data));
}

/**
 * Returns the text of the serialized form of a prompt element: `{ node: { children: [{ text, lineBreakBefore }] } }`.
 */
function treeText(tree: unknown, depth: number): string {
  if (!isObject(tree) || depth === 0) return '';
  if (typeof tree.text === 'string') return `${tree.lineBreakBefore ? '\n' : ''}${tree.text}`;
  const children = listOf(tree.children)
    .map((child) => treeText(child, depth - 1))
    .join('');
  return treeText(tree.node, depth - 1) + (tree.lineBreakBefore ? `\n${children}` : children);
}
