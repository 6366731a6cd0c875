import type { MathTree } from './mathTree.ts';

const namespace = 'http://www.w3.org/1998/Math/MathML';

/** Creates the DOM of a checked formula. */
export function drawMath(tree: MathTree): ChildNode {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const element = document.createElementNS(namespace, tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) element.setAttribute(name, value);
  // Not the attribute, which the page's policy refuses.
  for (const [name, value] of Object.entries(tree.style)) element.style.setProperty(name, value);
  element.append(...tree.children.map(drawMath));
  return element;
}
