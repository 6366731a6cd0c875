import type { ViewStrings } from '../../protocol/viewStrings.ts';
import { type CodeActions, CodeBlock } from './codeBlock.ts';
import { type FormulaActions, formula } from './math/formula.ts';
import { type Tree, taskBox } from './tree.ts';

/** The actions and strings that an answer needs. */
export interface AnswerActions extends CodeActions, FormulaActions {
  openLink(href: string): void;
  /** Called when the answer was drawn or has changed. */
  onDrawn(): void;
  readonly taskStrings: Pick<ViewStrings, 'taskDone' | 'taskOpen'>;
}

const codeBlocks = new WeakMap<Node, CodeBlock>();

/** Returns the code block that belongs to this element of an answer. */
export function codeBlockOf(node: Node): CodeBlock | undefined {
  return codeBlocks.get(node);
}

/** Creates the DOM of trees. Only createElement() and text nodes are used: the page does not allow strings to become HTML. */
export function render(trees: readonly Tree[], actions: AnswerActions, isFinal: boolean): readonly ChildNode[] {
  return trees.map((tree) => renderOne(tree, actions, isFinal));
}

function renderOne(tree: Tree, actions: AnswerActions, isFinal: boolean): ChildNode {
  if (typeof tree === 'string') return document.createTextNode(tree);
  if (tree.tag === 'code-block') {
    const block = new CodeBlock(tree.info, actions);
    block.append(tree.code);
    codeBlocks.set(block.element, block);
    // Code in a growing list would lose its colors with each flush.
    if (isFinal) void block.close();
    return block.element;
  }
  if (tree.tag === 'formula') return formula(tree, actions);
  if (tree.tag === 'task-box') return box(tree.isDone, actions);
  const element = document.createElement(tree.tag);
  element.append(...render(tree.children, actions, isFinal));
  if (element instanceof HTMLAnchorElement && 'href' in tree) return link(element, tree.href, actions);
  if ('start' in tree && element instanceof HTMLOListElement) element.start = tree.start;
  if ('isTask' in tree) element.className = 'task';
  if ('isFootnote' in tree) element.className = 'footnote';
  direct(element, tree.tag);
  // A class is used, not an inline style, so that cells of a column share their computed style.
  if ('align' in tree) element.className = `align-${tree.align}`;
  return tree.tag === 'table' ? scrolling(element) : element;
}

/**
 * Sets the direction of list items and quotes, whose marks are at the side where their text begins. Lines need no
 * direction of their own: the style sheet gives each line the direction of its text. Code is always written from left to right,
 * and is ignored.
 */
function direct(element: HTMLElement, tag: string): void {
  if (tag === 'li' || tag === 'blockquote') element.dir = 'auto';
  if (tag === 'code') element.dir = 'ltr';
}

function box(isDone: boolean, { taskStrings: { taskDone, taskOpen } }: AnswerActions): HTMLElement {
  const element = document.createElement('span');
  element.role = 'img';
  element.ariaLabel = isDone ? taskDone : taskOpen;
  element.textContent = taskBox(isDone);
  return element;
}

function link(element: HTMLAnchorElement, href: string, actions: AnswerActions): ChildNode {
  element.href = href;
  // The tooltip shows the real destination, regardless of the link text.
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
  wrapper.dir = 'auto';
  wrapper.append(table);
  return wrapper;
}
