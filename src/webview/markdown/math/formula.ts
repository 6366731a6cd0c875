import type { ViewStrings } from '../../../protocol/viewStrings.ts';
import { copyButton } from '../copyButton.ts';
import { nearSight } from '../nearSight.ts';
import { copyFormulas } from './copyFormulas.ts';
import type { MathTree } from './mathTree.ts';
import { inSlices } from './slices.ts';

/** A formula of an answer. */
export interface FormulaSource {
  /** The source text, including the delimiters of the formula. */
  readonly written: string;
  readonly tex: string;
  readonly isDisplay: boolean;
  /** The punctuation mark that follows the formula, if any. */
  readonly after?: string;
}

/** The functions and strings of the panel that formulas need. */
export interface FormulaActions {
  copy(text: string): Promise<void>;
  onDrawn(): void;
  readonly formulaStrings: Pick<ViewStrings, 'copyFormula' | 'copied'>;
  readonly formulaBudget: FormulaBudget;
}

/** Limits the number and total length of typeset formulas in an answer; formulas beyond the limits stay as source text. */
export class FormulaBudget {
  #formulas = 5_000;
  #characters = 512 * 1024;

  take(characters: number): boolean {
    this.#formulas -= 1;
    this.#characters -= characters;
    return this.#formulas >= 0 && this.#characters >= 0;
  }
}

/** Loads the typesetter when the first formula needs it. If that fails, every formula stays as source text. */
const load = (): Promise<typeof import('./typeset.ts')> => import('./typeset.ts');

/**
 * Creates the element of a formula. It shows the source until the element comes near the viewport and is typeset. The source
 * stays in the page, so that the search finds it and a selection copies it.
 */
export function formula(source: FormulaSource, actions: FormulaActions): HTMLElement {
  const element = document.createElement('span');
  const text = document.createElement('span');
  element.className = source.isDisplay ? 'math display' : 'math';
  element.dir = 'ltr';
  element.dataset.testid = 'formula';
  text.className = 'math-source';
  text.textContent = source.written;
  element.append(text);
  void typesetNear(element, text, source, actions).catch(() => undefined);
  return element;
}

async function typesetNear(
  element: HTMLElement,
  text: HTMLElement,
  source: FormulaSource,
  actions: FormulaActions,
): Promise<void> {
  const { tex, isDisplay } = source;
  await nearSight(element);
  const { typeset } = await load();
  inSlices(() => {
    if (!element.isConnected || !actions.formulaBudget.take(tex.length)) return;
    const tree = typeset(tex, isDisplay);
    if (tree === undefined) return;
    show(element, tree, source, actions);
    // A screen reader reads the typeset formula instead of its source.
    text.ariaHidden = 'true';
    actions.onDrawn();
  });
}

function show(
  element: HTMLElement,
  tree: MathTree,
  { tex, isDisplay, after = '' }: FormulaSource,
  { copy, formulaStrings: { copyFormula, copied } }: FormulaActions,
): void {
  const box = document.createElement('span');
  box.className = 'math-box';
  box.append(drawMath(tree), after);
  const button = copyButton({ id: 'copy-formula', copy, label: copyFormula, copiedLabel: copied }, () => tex);
  // Within a sentence, a tab stop for each formula would make a paragraph hard to navigate with the keyboard.
  if (!isDisplay) button.tabIndex = -1;
  element.className = `${element.className} typeset`;
  element.append(box, button);
  reachIfWide(box);
  copyFormulas();
}

let observer: ResizeObserver | undefined;

/** Makes a part focusable with the keyboard while its content is wider than the part, so that it can be scrolled sideways. */
function reachIfWide(part: HTMLElement): void {
  observer ??= new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (!(target instanceof HTMLElement)) continue;
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  observer.observe(part);
}

const namespace = 'http://www.w3.org/1998/Math/MathML';

/** Creates the DOM of a checked formula. */
function drawMath(tree: MathTree): ChildNode {
  if (typeof tree === 'string') return document.createTextNode(tree);
  const element = document.createElementNS(namespace, tree.tag);
  for (const [name, value] of Object.entries(tree.attributes)) element.setAttribute(name, value);
  // The `style` attribute is not used: the page's content security policy refuses it.
  for (const [name, value] of Object.entries(tree.style)) element.style.setProperty(name, value);
  element.append(...tree.children.map(drawMath));
  return element;
}
