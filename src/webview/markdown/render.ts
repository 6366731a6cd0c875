import { type CodeActions, CodeBlock } from './codeBlock.ts';
import type { Tree } from './tree.ts';

/** What an answer can do on a person's click. */
export interface AnswerActions extends CodeActions {
  openLink(href: string): void;
}

const codeBlocks = new WeakMap<Node, CodeBlock>();

/** The block of code within an answer's text whose element this is. */
export function codeBlockOf(node: Node): CodeBlock | undefined {
  return codeBlocks.get(node);
}

/** Makes the DOM of a tree. Only createElement and text nodes: the page lets no string become HTML. */
export function render(trees: readonly Tree[], actions: AnswerActions, isFinal: boolean): readonly ChildNode[] {
  return trees.map((tree) => renderOne(tree, actions, isFinal));
}

function renderOne(tree: Tree, actions: AnswerActions, isFinal: boolean): ChildNode {
  if (typeof tree === 'string') return document.createTextNode(tree);
  if (tree.tag === 'code-block') {
    const block = new CodeBlock(tree.info, actions);
    block.append(tree.code);
    codeBlocks.set(block.element, block);
    // Code in a list that still grows would lose its colours with each flush.
    if (isFinal) void block.close();
    return block.element;
  }
  const element = document.createElement(tree.tag);
  element.append(...render(tree.children, actions, isFinal));
  if (element instanceof HTMLAnchorElement && 'href' in tree) return link(element, tree.href, actions);
  if ('start' in tree && element instanceof HTMLOListElement) element.start = tree.start;
  if ('isTask' in tree) element.className = 'task';
  // A class, not a style of its own: cells of a column then share what the browser works out for one.
  if ('align' in tree) element.className = `align-${tree.align}`;
  return tree.tag === 'table' ? scrolling(element) : element;
}

function link(element: HTMLAnchorElement, href: string, actions: AnswerActions): ChildNode {
  element.href = href;
  // Where it really goes, whatever its text says.
  element.title = href;
  const open = (event: MouseEvent): void => {
    // VS Code listens for clicks on links itself and would follow without our host having asked.
    event.preventDefault();
    event.stopPropagation();
    actions.openLink(href);
  };
  element.addEventListener('click', open);
  element.addEventListener('auxclick', open);
  return element;
}

/** A wide table scrolls by itself, also with the keyboard. */
function scrolling(table: HTMLElement): HTMLElement {
  const wrapper = document.createElement('div');
  wrapper.className = 'table-scroll';
  wrapper.tabIndex = 0;
  wrapper.append(table);
  return wrapper;
}
