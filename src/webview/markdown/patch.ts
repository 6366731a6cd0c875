import { type AnswerActions, codeBlockOf, render } from './render.ts';
import type { Tree } from './tree.ts';

type ElementTree = Extract<Tree, { readonly children: readonly Tree[] }>;

/**
 * Changes the DOM of `before` into that of `after`, in place: a block that grows by a word keeps its elements, with the
 * browser's cached style and layout and the user's selection. Returns the resulting node.
 */
export function patch(node: ChildNode, before: Tree, after: Tree, actions: AnswerActions, isFinal: boolean): ChildNode {
  if (typeof before === 'string' && typeof after === 'string' && node instanceof Text) {
    if (after.startsWith(before)) {
      if (after.length > before.length) node.appendData(after.slice(before.length));
    } else {
      node.data = after;
    }
    return node;
  }
  if (typeof before === 'object' && typeof after === 'object') {
    if ('children' in before && 'children' in after && isSameElement(before, after)) {
      const parent = before.tag === 'table' ? (node.firstChild ?? node) : node;
      patchChildren(parent, 0, before.children, after.children, actions, isFinal);
      return node;
    }
    if (isSameLeaf(before, after) || growCode(node, before, after, isFinal)) return node;
  }
  const [fresh] = render([after], actions, isFinal);
  if (fresh === undefined) return node;
  node.replaceWith(fresh);
  return fresh;
}

/** Patches the children of a node, beginning at the index `from`; there must be as many as `before` has trees. */
export function patchChildren(
  parent: Node,
  from: number,
  before: readonly Tree[],
  after: readonly Tree[],
  actions: AnswerActions,
  isFinal: boolean,
): void {
  let child = parent.childNodes[from] ?? null;
  for (const [index, tree] of after.entries()) {
    const old = before[index];
    if (child === null || old === undefined) {
      for (const node of render(after.slice(index), actions, isFinal)) parent.appendChild(node);
      return;
    }
    child = patch(child, old, tree, actions, isFinal).nextSibling;
  }
  while (child !== null) {
    const next = child.nextSibling;
    child.remove();
    child = next;
  }
}

function isSameElement(before: ElementTree, after: ElementTree): boolean {
  const { children: _, ...mine } = before;
  const { children: __, ...others } = after;
  const names = Object.keys(mine);
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => Reflect.get(mine, name) === Reflect.get(others, name))
  );
}

/** Whether both are the same formula or box. */
function isSameLeaf(before: Tree, after: Tree): boolean {
  if (typeof before !== 'object' || typeof after !== 'object') return false;
  if (before.tag === 'formula' && after.tag === 'formula') return before.written === after.written;
  return before.tag === 'task-box' && after.tag === 'task-box' && before.isDone === after.isDone;
}

/** Appends the new code of a block. Returns true if the code has grown or is unchanged. */
function growCode(node: Node, before: Tree, after: Tree, isFinal: boolean): boolean {
  if (typeof before !== 'object' || before.tag !== 'code-block') return false;
  if (typeof after !== 'object' || after.tag !== 'code-block') return false;
  const block = codeBlockOf(node);
  if (block === undefined || before.info !== after.info || !after.code.startsWith(before.code)) return false;
  block.append(after.code.slice(before.code.length));
  if (isFinal) void block.close();
  return true;
}
