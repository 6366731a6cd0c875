import { type Block, BlockStream, type Step } from './blocks.ts';
import { CodeBlock } from './codeBlock.ts';
import { settleCode } from './codeUse.ts';
import { endsInFence } from './fence.ts';
import { FlushClock, pageFrames } from './flushClock.ts';
import { type AnswerActions, render } from './render.ts';
import { toTree } from './tree.ts';

/** An answer in the page: plain DOM that grows with its text. */
export class AnswerBody {
  readonly #root: HTMLElement;
  readonly #actions: AnswerActions;
  readonly #clock = new FlushClock(pageFrames, () => this.#apply(this.#stream.flush()));
  #stream = new BlockStream();
  #text = '';
  #isDone = false;
  /** The nodes of each block shown, in order. */
  #blocks: (readonly Node[])[] = [];
  #code: CodeBlock | undefined;

  constructor(root: HTMLElement, actions: AnswerActions) {
    this.#root = root;
    this.#actions = actions;
  }

  /** Shows `text`, which usually continues what was shown. A whole answer is drawn at once, one that grows by frames. */
  update(text: string, isDone: boolean): void {
    if (this.#isDone && isDone && text === this.#text) return;
    const continues = !this.#isDone && text.startsWith(this.#text);
    if (!continues) this.#restart();
    this.#stream.append(text.slice(this.#text.length));
    this.#text = text;
    if (isDone) {
      this.#isDone = true;
      this.#clock.cancel();
      this.#apply(this.#stream.end());
    } else {
      this.#clock.request();
    }
  }

  /** The answer has ended: code of one that did not come to its end cannot be used. */
  settle(isWhole: boolean): void {
    settleCode(this.#root, { isWhole, endsInCode: endsInFence(this.#text) });
  }

  /** Nothing will be drawn any more. */
  dispose(): void {
    this.#clock.cancel();
  }

  #restart(): void {
    this.#stream = new BlockStream();
    this.#text = '';
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
    for (const node of this.#blocks.splice(count).flat()) this.#root.removeChild(node);
  }

  #add(block: Block): void {
    const nodes = block.kind === 'fence' ? [this.#open(block.info)] : this.#render(block);
    this.#blocks.push(nodes);
    this.#root.append(...nodes);
  }

  #render({ tokens, isFinal }: Extract<Block, { readonly kind: 'tokens' }>): readonly Node[] {
    return render(toTree(tokens), this.#actions, isFinal);
  }

  #open(info: string): Node {
    this.#code = new CodeBlock(info, this.#actions);
    return this.#code.element;
  }
}
