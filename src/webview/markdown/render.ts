import { type CodeActions, CodeBlock } from './codeBlock.ts';
import type { Tree } from './tree.ts';

/** What an answer can do when the user clicks. */
export interface AnswerActions extends CodeActions {
  openLink(href: string): void;
  /** The answer was drawn or has changed. */
  onDrawn(): void;
}

const codeBlocks = new WeakMap<Node, CodeBlock>();

/** The block of code that belongs to this element of an answer. */
export function codeBlockOf(node: Node): CodeBlock | undefined {
  return codeBlocks.get(node);
}

/** Creates the DOM of a tree. Only createElement and text nodes: the page allows no string to become HTML. */
export function render(trees: readonly Tree[], actions: AnswerActions, isFinal: boolean): readonly ChildNode[] {
  return trees.map((tree) => renderOne(tree, actions, isFinal));
}

function renderOne(tree: Tree, actions: AnswerActions, isFinal: boolean): ChildNode {
  if (typeof tree === 'string') return document.createTextNode(tree);
  if (tree.tag === 'code-block') {
    const block = new CodeBlock(tree.info, actions);
    block.append(tree.code);
    codeBlocks.set(block.element, block);
    // Code in a growing list would lose its colours with each flush.
    if (isFinal) void block.close();
    return block.element;
  }
  const element = document.createElement(tree.tag);
  element.append(...render(tree.children, actions, isFinal));
  if (element instanceof HTMLAnchorElement && 'href' in tree) return link(element, tree.href, actions);
  if ('start' in tree && element instanceof HTMLOListElement) element.start = tree.start;
  if ('isTask' in tree) element.className = 'task';
  // A class, not an inline style: cells of a column then share their computed style.
  if ('align' in tree) element.className = `align-${tree.align}`;
  return tree.tag === 'table' ? scrolling(element) : element;
}

function link(element: HTMLAnchorElement, href: string, actions: AnswerActions): ChildNode {
  element.href = href;
  // The real destination, regardless of the link text.
  element.title = href;
  const open = (event: MouseEvent): void => {
    // VS Code handles clicks on links itself and would open them before our host asks the user.
    event.preventDefault();
    event.stopPropagation();
    actions.openLink(href);
  };
  element.addEventListener('click', open);
  element.addEventListener('auxclick', open);
  return element;
}

/** A wide table scrolls separately, also with the keyboard. */
function scrolling(table: HTMLElement): HTMLElement {
  const wrapper = document.createElement('div');
  wrapper.className = 'table-scroll';
  wrapper.tabIndex = 0;
  wrapper.append(table);
  return wrapper;
}
