import temml from 'temml';
import { formulaLimit } from '../syntax/formulaText.ts';
import { Checker } from './check.ts';
import type { MathTree } from './mathTree.ts';

/** The maximum depth of nested groups. */
const maxDepth = 100;

/**
 * Commands that define other commands. With them, a formula of a few lines can take gigabytes; links, HTML and pictures are
 * refused by temml itself, because nothing is trusted.
 */
const definitions =
  /\\(?:[egx]?def|let|futurelet|global|long|newcommand|renewcommand|providecommand|DeclareMathOperator|newenvironment|expandafter|csname)(?![A-Za-z])/;

/**
 * Returns a formula as MathML, or undefined if it cannot be parsed or is too large. After any error, the page keeps showing the
 * source.
 */
export function typeset(tex: string, isDisplay: boolean): MathTree | undefined {
  if (tex.length > formulaLimit || definitions.test(tex) || depthOf(tex) > maxDepth) return undefined;
  try {
    const made = temml.__renderToMathMLTree(tex, {
      displayMode: isDisplay,
      throwOnError: true,
      maxExpand: 1000,
      maxSize: [20, 20],
      macros: {},
      trust: () => {
        throw new Error('Nothing is trusted.');
      },
    });
    const [tree, ...others] = new Checker().check(made);
    if (typeof tree !== 'object' || tree.tag !== 'math' || others.length > 0) return undefined;
    // A display formula is text in a line of its own, which starts at the left if it is too wide.
    return isDisplay ? { ...tree, attributes: { ...tree.attributes, displaystyle: 'true' } } : tree;
  } catch {
    return undefined;
  }
}

function depthOf(tex: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [mark] of tex.matchAll(/\\(?:left|begin)(?![A-Za-z])|\\(?:right|end)(?![A-Za-z])|\\[\s\S]|[{}]/g)) {
    if (mark === '{' || mark === '\\left' || mark === '\\begin') depth += 1;
    if (mark === '}' || mark === '\\right' || mark === '\\end') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
