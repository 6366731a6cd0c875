import type { AnswerBody } from '../../markdown/answerBody.ts';

/** What draws an answer. */
export type Body = Pick<AnswerBody, 'update' | 'settle' | 'dispose'>;

/** An answer as plain text, with a note: for a page that could not load what draws it, or where that failed. */
export class PlainBody implements Body {
  readonly #text = document.createElement('div');
  readonly #onDrawn: () => void;
  #shown = '';

  constructor(root: HTMLElement, note: string, onDrawn: () => void) {
    this.#onDrawn = onDrawn;
    const element = document.createElement('p');
    element.className = 'plain-note';
    element.textContent = note;
    this.#text.className = 'plain-answer';
    this.#text.dataset.testid = 'plain-answer';
    root.replaceChildren(element, this.#text);
  }

  update(text: string): void {
    if (text.startsWith(this.#shown)) this.#text.append(text.slice(this.#shown.length));
    else this.#text.textContent = text;
    this.#shown = text;
    this.#onDrawn();
  }

  /** Its code has no buttons. */
  settle(): void {}

  /** Nothing is drawn later. */
  dispose(): void {}
}
