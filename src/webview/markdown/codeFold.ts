import { fill } from '../text.ts';
import type { CodeStrings } from './codeUse.ts';

/** The number of lines of a longer block that are shown until the user asks for all of them. */
const linesShown = 60;

let count = 0;

/** Folds a long block while it grows, not at its end, so that the page does not jump. Its text stays in the DOM. */
export class CodeFold {
  readonly #block: HTMLElement;
  readonly #pre: HTMLElement;
  readonly #strings: CodeStrings;
  #button: HTMLButtonElement | undefined;
  #lines = 0;

  constructor(block: HTMLElement, pre: HTMLElement, strings: CodeStrings) {
    this.#block = block;
    this.#pre = pre;
    this.#strings = strings;
  }

  grow(text: string): void {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#lines += 1;
    if (this.#lines > linesShown) this.#draw(this.#button?.ariaExpanded === 'true');
  }

  #draw(isOpen: boolean): void {
    this.#button ??= this.#make();
    this.#button.ariaExpanded = String(isOpen);
    this.#button.textContent = isOpen ? this.#strings.showFewerLines : fill(this.#strings.showAllLines, this.#lines);
    this.#block.classList.toggle('folded', !isOpen);
  }

  #make(): HTMLButtonElement {
    const button = document.createElement('button');
    count += 1;
    this.#pre.id = `code-${count}`;
    button.type = 'button';
    button.className = 'code-fold';
    button.dataset.testid = 'fold-code';
    button.setAttribute('aria-controls', this.#pre.id);
    button.addEventListener('click', () => this.#draw(button.ariaExpanded !== 'true'));
    this.#pre.after(button);
    return button;
  }
}
