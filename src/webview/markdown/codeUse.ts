import type { ViewStrings } from '../../protocol/viewStrings.ts';

/** What can be made of a block of code besides copying it. */
export type CodeWay = 'insert' | 'newFile' | 'apply';

/** Texts of a block's header and of its fold. */
export type CodeStrings = Pick<
  ViewStrings,
  'insertCode' | 'newFile' | 'applyCode' | 'codeUnfinished' | 'codeCut' | 'showAllLines' | 'showFewerLines'
>;

/** What the header's buttons do; the host decides whether it may be done. */
export interface CodeUse {
  use(way: CodeWay, info: string, text: string): void;
  readonly codeStrings: CodeStrings;
}

const ways = [
  ['apply', 'applyCode', 'git-pull-request-go-to-changes'],
  ['insert', 'insertCode', 'insert'],
  ['newFile', 'newFile', 'new-file'],
] as const;

/** Finds the buttons of a block from its element; those of a block that is gone are forgotten with it. */
const known = new WeakMap<Element, CodeButtons>();

/**
 * The buttons that use a block's code. Until the answer is known to be whole they can be reached, and say why they do
 * nothing: a button that is disabled is not read out.
 */
export class CodeButtons {
  readonly #strings: CodeStrings;
  readonly #buttons: readonly { readonly element: HTMLButtonElement; readonly label: string }[];
  readonly #block: HTMLElement;
  #note: HTMLElement | undefined;
  #whyNot = '';

  constructor(
    block: HTMLElement,
    header: HTMLElement,
    info: string,
    text: () => string,
    { use, codeStrings }: CodeUse,
  ) {
    this.#strings = codeStrings;
    this.#block = block;
    // Whether the opening line names a file is for the host to read; where it is one word, it does not.
    const named = /^\s*\S+\s+\S/.test(info);
    this.#buttons = ways
      .filter(([way]) => way !== 'apply' || named)
      .map(([way, name, icon]) => {
        const label = codeStrings[name];
        const element = iconButton(`${way}-code`, icon, label);
        element.addEventListener('click', () => {
          if (this.#whyNot === '') use(way, info, text());
        });
        return { element, label };
      });
    header.append(...this.#buttons.map(({ element }) => element));
    known.set(block, this);
    this.#set(codeStrings.codeUnfinished);
  }

  /** The answer has ended: it is whole, or it was cut. */
  settle(isWhole: boolean): void {
    this.#set(isWhole ? '' : this.#strings.codeCut);
    this.#note?.remove();
    this.#note = isWhole ? undefined : note(this.#strings.codeCut);
    if (this.#note !== undefined) this.#block.append(this.#note);
  }

  #set(whyNot: string): void {
    this.#whyNot = whyNot;
    for (const { element, label } of this.#buttons) {
      element.ariaDisabled = whyNot === '' ? 'false' : 'true';
      const said = whyNot === '' ? label : `${label}: ${whyNot}`;
      element.title = said;
      element.ariaLabel = said;
    }
  }
}

/** Tells the blocks of an answer that has ended whether they are whole; its last one may lack its end. */
export function settleCode(
  answer: ParentNode,
  { isWhole, endsInCode }: { isWhole: boolean; endsInCode: boolean },
): void {
  const blocks = [...answer.querySelectorAll('.code-block')];
  for (const [index, block] of blocks.entries()) {
    known.get(block)?.settle(isWhole && !(endsInCode && index === blocks.length - 1));
  }
}

function note(text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = 'code-note';
  element.textContent = text;
  return element;
}

function iconButton(id: string, icon: string, label: string): HTMLButtonElement {
  const button = document.createElement('button');
  const image = document.createElement('span');
  button.type = 'button';
  button.className = 'icon-button';
  button.dataset.testid = id;
  button.ariaLabel = label;
  image.ariaHidden = 'true';
  image.className = `codicon codicon-${icon}`;
  button.append(image);
  return button;
}
