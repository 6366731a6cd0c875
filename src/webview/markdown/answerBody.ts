import { type GrowingText, newSince } from '../growingText.ts';
import { type Block, BlockStream, type Step } from './blocks.ts';
import { CodeBlock } from './codeBlock.ts';
import { FlushClock, pageFrames } from './flushClock.ts';
import { type AnswerActions, render } from './render.ts';
import { toTree } from './tree.ts';

/**
 * So many blocks share one element: the layout of an element goes over all of its children when one of them changes.
 */
const blocksPerGroup = 64;

/** An answer in the page: plain DOM that grows with its text. */
export class AnswerBody {
  readonly #root: HTMLElement;
  readonly #actions: AnswerActions;
  readonly #clock = new FlushClock(pageFrames, () => this.#apply(this.#stream.flush()));
  #stream = new BlockStream();
  #text = '';
  #growing: GrowingText | undefined;
  #isDone = false;
  /** The nodes of each block shown, in order. */
  #blocks: (readonly Node[])[] = [];
  #code: CodeBlock | undefined;

  constructor(root: HTMLElement, actions: AnswerActions) {
    this.#root = root;
    this.#actions = actions;
  }

  /**
   * Shows `text`, which usually continues what was shown; `growing` is the same in the pieces it came in, if it did. A
   * whole answer is drawn at once, one that grows by frames.
   */
  update(text: string, growing: GrowingText | undefined, isDone: boolean): void {
    if (this.#isDone && isDone && text === this.#text) return;
    const added = this.#isDone ? undefined : this.#added(text, growing);
    if (added === undefined) this.#restart();
    this.#stream.append(added ?? text);
    this.#text = text;
    this.#growing = growing;
    if (isDone) {
      this.#isDone = true;
      this.#clock.cancel();
      this.#apply(this.#stream.end());
    } else {
      this.#clock.request();
    }
  }

  #added(text: string, growing: GrowingText | undefined): string | undefined {
    if (growing !== undefined) return newSince(growing, this.#growing, this.#growing ? undefined : this.#text);
    return text.startsWith(this.#text) ? text.slice(this.#text.length) : undefined;
  }

  /** Nothing will be drawn any more. */
  dispose(): void {
    this.#clock.cancel();
  }

  #restart(): void {
    this.#stream = new BlockStream();
    this.#isDone = false;
    this.#keep(0);
  }

  #apply(steps: readonly Step[]): void {
    for (const step of steps) {
      switch (step.op) {
        case 'keep':
          this.#keep(step.count);
          break;
        case 'add':
          this.#add(step.block);
          break;
        case 'parts':
          this.#replaceParts(step.keep, render(toTree(step.tokens), this.#actions, step.isFinal));
          break;
        case 'code':
          this.#code?.append(step.text);
          break;
        case 'close':
          void this.#code?.close();
          this.#code = undefined;
          break;
      }
    }
  }

  #keep(count: number): void {
    for (const node of this.#blocks.splice(count).flat().reverse()) {
      node.parentNode?.removeChild(node);
      const group = this.#root.lastElementChild;
      if (group?.firstChild === null) group.remove();
    }
  }

  #add(block: Block): void {
    const nodes = block.kind === 'fence' ? [this.#open(block.info)] : this.#render(block);
    if (this.#blocks.length % blocksPerGroup === 0) this.#addGroup();
    this.#blocks.push(nodes);
    this.#root.lastElementChild?.append(...nodes);
  }

  #addGroup(): void {
    const group = document.createElement('div');
    group.className = 'blocks';
    this.#root.append(group);
  }

  /** The last block is a list, or a table in what it scrolls in. */
  #replaceParts(keep: number, parts: readonly Node[]): void {
    const block = this.#blocks.at(-1)?.[0];
    if (!(block instanceof Element)) return;
    const list = block.querySelector(':scope > table > tbody') ?? block;
    for (const part of [...list.children].slice(keep)) part.remove();
    list.append(...parts);
  }

  #render({ tokens, isFinal }: Extract<Block, { readonly kind: 'tokens' }>): readonly Node[] {
    return render(toTree(tokens), this.#actions, isFinal);
  }

  #open(info: string): Node {
    this.#code = new CodeBlock(info, this.#actions);
    return this.#code.element;
  }
}
