import type { Span } from './pattern.ts';
import type { Field } from './turnTexts.ts';

/** A block of text in the page: its text nodes, and the text of all of them. */
interface PageBlock {
  readonly nodes: readonly Text[];
  readonly text: string;
}

/** The elements of a turn with the texts of a field, in the order of textsOf(). */
const selectors: Readonly<Record<Field, string>> = {
  prompt: '.prompt > [dir], .prompt[dir]',
  context: '.context-name',
  thinking: '.thinking-text',
  steps: '.steps .step :is(summary > span:not(.codicon), .step-text)',
  answer: '.answer',
  summary: '.summary-text',
  openSteps: ':is(.progress[data-testid=step] > span:not(.codicon), [data-state=asking] :is(.card-title, .step-text))',
};

const everyField = Object.values(selectors).join(', ');

/** The elements that the page adds to an answer. */
const ownParts = '.code-language, button, .code-note, .math-box';

const inline: ReadonlySet<string> = new Set(['STRONG', 'EM', 'S', 'CODE', 'A', 'SUP', 'SPAN', 'BDI']);

/** Returns the blocks of a field of a drawn turn. */
export function blocksIn(turn: Element, field: Field): readonly PageBlock[] {
  const parts = [...turn.querySelectorAll(selectors[field])];
  return parts.flatMap((part) => (field === 'answer' ? blocksOf(part) : [joined(textNodesIn(part))]));
}

/** Returns the blocks of a turn whose text is in sight: between two distances in pixels from the top of the window. */
export function blocksInSight(turn: Element, top: number, bottom: number): readonly PageBlock[] {
  const isInSight = (element: Element): boolean => {
    const box = element.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  };
  return [...turn.querySelectorAll(everyField)].filter(isInSight).flatMap((part) => blocksOf(part, isInSight));
}

/**
 * Returns the blocks of an element; they match those of blocksOf() in turnTexts.ts. With `isInSight`, elements out of sight are
 * skipped without reading their content.
 */
function blocksOf(root: Element, isInSight?: (element: Element) => boolean): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  let nodes: Text[] = [];
  const end = (): void => {
    if (nodes.length > 0) blocks.push(joined(nodes));
    nodes = [];
  };
  const walk = (element: Element): void => {
    for (const node of element.childNodes) {
      if (node instanceof Text) nodes.push(node);
      if (!(node instanceof Element) || node.matches(ownParts)) continue;
      // A long block of code is divided into elements of several lines.
      const isSameBlock = inline.has(node.tagName) && !(isInSight !== undefined && node.className === 'lines');
      if (!isSameBlock) end();
      if (isSameBlock || isInSight === undefined || isInSight(node)) walk(node);
      if (!isSameBlock) end();
    }
  };
  walk(root);
  end();
  return blocks;
}

function textNodesIn(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode() !== null) if (walker.currentNode instanceof Text) nodes.push(walker.currentNode);
  return nodes;
}

function joined(nodes: readonly Text[]): PageBlock {
  return { nodes, text: nodes.map(({ data }) => data).join('') };
}

/** Returns the range of a match. The range is static, so that the browser need not update it when the page changes. */
export function rangeOf({ nodes }: PageBlock, { start, end }: Span): StaticRange | undefined {
  const first = placeOf(nodes, start, 1);
  const last = placeOf(nodes, end, 0);
  if (first === undefined || last === undefined) return undefined;
  const [startContainer, startOffset] = first;
  const [endContainer, endOffset] = last;
  return new StaticRange({ startContainer, startOffset, endContainer, endOffset });
}

/** Returns the node and position of an offset. An offset between two nodes belongs to the later one if `least` is 1. */
function placeOf(nodes: readonly Text[], offset: number, least: 0 | 1): readonly [Text, number] | undefined {
  let before = 0;
  for (const node of nodes) {
    if (offset + least <= before + node.length) return [node, offset - before];
    before += node.length;
  }
  return undefined;
}
