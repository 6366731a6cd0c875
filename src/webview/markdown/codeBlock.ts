import { withReordering } from '../text.ts';
import { CodeFold } from './codeFold.ts';
import { CodeButtons, type CodeUse } from './codeUse.ts';
import { copyButton } from './copyButton.ts';
import { highlight, languageOf } from './highlight/highlight.ts';
import { nearSight } from './nearSight.ts';

/** The panel functions that code blocks use. */
export interface CodeActions extends CodeUse {
  copy(text: string): Promise<void>;
  readonly copyLabel: string;
  readonly copiedLabel: string;
  /** Whether the user sees the answer being written: its code is then highlighted as soon as it is complete, wherever it is. */
  isWatched(): boolean;
}

/** The number of lines per element: the layout of a single growing text node costs forty times as much. */
const linesPerSpan = 64;

/** A block of code: a header with its language and a copy button, and the code, which can grow. */
export class CodeBlock {
  readonly element = document.createElement('div');
  readonly #code = document.createElement('code');
  readonly #language: string;
  readonly #isWatched: () => boolean;
  readonly #fold: CodeFold;
  #text = '';
  #span: HTMLSpanElement | undefined;
  #lines = 0;

  constructor(info: string, actions: CodeActions) {
    this.#language = languageOf(info);
    this.#isWatched = () => actions.isWatched();
    this.element.className = 'code-block';
    this.element.dataset.testid = 'code-block';
    const header = document.createElement('div');
    header.className = 'code-header';
    const label = document.createElement('span');
    label.className = 'code-language';
    label.textContent = this.#language;
    const file = document.createElement('bdi');
    file.className = 'code-file';
    file.textContent = fileOf(info);
    header.append(label, file);
    const pre = document.createElement('pre');
    // A region that scrolls sideways must be reachable with the keyboard.
    pre.tabIndex = 0;
    pre.append(this.#code);
    this.element.append(header, pre);
    const text = (): string => this.#text;
    new CodeButtons(this.element, header, info, text, actions);
    const { copy, copyLabel, copiedLabel } = actions;
    // The last line ending is not copied, because a terminal would run the pasted command immediately.
    const copied = (): string => this.#text.replace(/\n$/, '');
    header.append(copyButton({ id: 'copy-code', copy, label: copyLabel, copiedLabel }, copied));
    this.#fold = new CodeFold(this.element, pre, actions.codeStrings);
  }

  append(text: string): void {
    this.#text += text;
    this.#write(this.#code, '', text);
    this.#fold.grow(text);
  }

  /** Ends the code: it is highlighted as soon as the highlighter is loaded and the block is near the viewport. */
  async close(): Promise<void> {
    if (!this.#isWatched()) await nearSight(this.element);
    const runs = await highlight(this.#text, this.#language).catch(() => undefined);
    if (runs === undefined) return;
    this.#span = undefined;
    this.#lines = 0;
    const colored = document.createDocumentFragment();
    for (const { className, text } of runs) this.#write(colored, className, text);
    this.#code.replaceChildren(colored);
  }

  #write(parent: ParentNode, className: string, text: string): void {
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at) + 1;
      const line = text.slice(at, end === 0 ? text.length : end);
      at += line.length;
      if (this.#span === undefined || this.#lines >= linesPerSpan) {
        this.#span = document.createElement('span');
        this.#span.className = 'lines';
        parent.append(this.#span);
        this.#lines = 0;
      }
      if (end > 0) this.#lines += 1;
      addRun(this.#span, className, line);
    }
  }
}

/** Returns the text after the language in the opening line of a fence: usually the file. */
export function fileOf(info: string): string {
  const rest = info.trim().replace(/^\S+\s*/, '');
  return withReordering(rest.replace(/^title=(["']?)(.*)\1$/, '$2'));
}

/** Shows characters that reorder text: code must not look like other code. */
function addRun(parent: HTMLElement, className: string, code: string): void {
  const text = withReordering(code);
  const last = parent.lastChild;
  if (className !== '') {
    const run = document.createElement('span');
    run.className = className;
    run.textContent = text;
    parent.append(run);
  } else if (last instanceof Text) {
    last.appendData(text);
  } else {
    parent.append(text);
  }
}
