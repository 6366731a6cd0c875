import type { ViewStrings } from '../../protocol/viewStrings.ts';

/** The actions on a block of code besides copying it. */
type CodeWay = 'insert' | 'newFile' | 'apply';

/** The texts of a block's header and of its fold. */
export type CodeStrings = Pick<
  ViewStrings,
  'insertCode' | 'newFile' | 'applyCode' | 'codeUnfinished' | 'codeCut' | 'showAllLines' | 'showFewerLines'
>;

/** The actions of the header's buttons; the host decides whether they are allowed. */
export interface CodeUse {
  use(way: CodeWay, info: string, text: string): void;
  readonly codeStrings: CodeStrings;
}

const ways = [
  ['apply', 'applyCode', 'git-pull-request-go-to-changes'],
  ['insert', 'insertCode', 'insert'],
  ['newFile', 'newFile', 'new-file'],
] as const;

/** Maps the element of a block to its buttons; entries of removed blocks are garbage-collected. */
const known = new WeakMap<Element, CodeButtons>();

/**
 * The buttons that use a block's code. Until the answer is complete they can be focused, and explain why they do
 * nothing: screen readers skip disabled buttons.
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
    // The host decides which file is meant: a file that the block or the text before it names, or the attached file.
    const isForFile =
      !/^\s*(?:sh|bash|zsh|shell|console|terminal|powershell|pwsh|ps1|cmd|bat|text|txt|plaintext|output|log)\s*$/i.test(
        info,
      );
    this.#buttons = ways
      .filter(([way]) => way !== 'apply' || isForFile)
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

  /** Called when the answer has ended, complete or cut. */
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
      const tooltip = whyNot === '' ? label : `${label}: ${whyNot}`;
      element.title = tooltip;
      element.ariaLabel = tooltip;
    }
  }
}

/** Tells the blocks of an ended answer whether they are complete; the last block may lack its end. */
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
