import type { AnswerBody } from '../../markdown/answerBody.ts';

/** The object that draws an answer. */
export type Body = Pick<AnswerBody, 'update' | 'settle' | 'dispose'>;

/** Shows an answer as plain text, with a note: for a page in which the Markdown renderer could not be loaded, or failed. */
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

  /** Does nothing: the code in plain text has no buttons. */
  settle(): void {}

  /** Does nothing: the text is drawn immediately. */
  dispose(): void {}
}
