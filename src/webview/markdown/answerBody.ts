import { type GrowingText, newSince } from '../growingText.ts';
import { type Block, BlockStream, type Step } from './blocks.ts';
import { CodeBlock } from './codeBlock.ts';
import { settleCode } from './codeUse.ts';
import { endsInFence } from './fence.ts';
import { FlushClock, pageFrames } from './flushClock.ts';
import { FormulaBudget } from './math/formula.ts';
import { patch, patchChildren } from './patch.ts';
import { type AnswerActions, render } from './render.ts';
import { type Tree, toTree } from './tree.ts';

/**
 * The number of blocks per group element, and of groups per outer group: the layout of an element visits all of its
 * children when one of them changes, and groups out of sight are skipped.
 */
const perGroup = 32;

/** A block in the page. */
interface Drawn {
  node: ChildNode;
  /** The rendered tree of the block. A fence is not redrawn, and has no tree. */
  tree?: Tree;
  /** For a long list or table: the trees of its parts, beginning with the part `from`. */
  parts?: { readonly from: number; readonly trees: readonly Tree[] };
}

/** A rendered answer: plain DOM that grows with its text. */
export class AnswerBody {
  readonly #root: HTMLElement;
  readonly #actions: AnswerActions;
  readonly #clock = new FlushClock(pageFrames, () => this.#apply(this.#stream.flush()));
  #stream = new BlockStream();
  #text = '';
  #growing: GrowingText | undefined;
  #isDone = false;
  /** Whether the answer is or was streamed while visible. */
  #isWatched = false;
  readonly #blocks: Drawn[] = [];
  /** The number of blocks that stay; later ones are reused for the next blocks. */
  #kept = 0;
  #code: CodeBlock | undefined;

  constructor(root: HTMLElement, actions: Omit<AnswerActions, 'isWatched' | 'formulaBudget'>) {
    this.#root = root;
    this.#actions = { ...actions, isWatched: () => this.#isWatched, formulaBudget: new FormulaBudget() };
  }

  /**
   * Shows `text`, which usually continues the shown text. `growing` is the same text in pieces, if it was streamed. A complete
   * answer is drawn immediately, a growing one by frames.
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
      this.#isWatched = true;
      this.#clock.request();
    }
  }

  #added(text: string, growing: GrowingText | undefined): string | undefined {
    // The chain of pieces may contain text before this part of the answer, so it is used only from the second update on.
    if (growing !== undefined && this.#growing !== undefined) return newSince(growing, this.#growing);
    return text.startsWith(this.#text) ? text.slice(this.#text.length) : undefined;
  }

  /** Called when the answer has ended: the code of an incomplete answer cannot be used. */
  settle(isWhole: boolean): void {
    settleCode(this.#root, { isWhole, endsInCode: endsInFence(this.#text) });
  }

  /** Stops all drawing. */
  dispose(): void {
    this.#clock.cancel();
  }

  #restart(): void {
    this.#stream = new BlockStream();
    this.#isDone = false;
    this.#removeFrom(0);
  }

  #apply(steps: readonly Step[]): void {
    this.#kept = this.#blocks.length;
    for (const step of steps) {
      switch (step.op) {
        case 'keep':
          this.#kept = step.count;
          break;
        case 'add':
          this.#add(step.block);
          break;
        case 'parts':
          this.#replaceParts(step.keep, toTree(step.tokens), step.isFinal);
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
    this.#removeFrom(this.#kept);
    this.#actions.onDrawn();
  }

  #removeFrom(count: number): void {
    for (const { node } of this.#blocks.splice(count).reverse()) {
      const group = node.parentElement;
      const outer = group?.parentElement;
      node.remove();
      if (group?.firstChild === null) group.remove();
      if (outer?.firstChild === null) outer.remove();
    }
  }

  #add(block: Block): void {
    const [tree] = block.kind === 'tokens' ? toTree(block.tokens) : [];
    const isFinal = block.kind === 'tokens' && block.isFinal;
    const old = this.#blocks[this.#kept];
    if (tree !== undefined && old?.tree !== undefined && old.parts === undefined) {
      old.node = patch(old.node, old.tree, tree, this.#actions, isFinal);
      old.tree = tree;
    } else {
      this.#removeFrom(this.#kept);
      if (this.#kept % perGroup === 0) this.#addGroup();
      const [node] =
        block.kind === 'fence' ? [this.#open(block.info)] : render(toTree(block.tokens), this.#actions, isFinal);
      this.#blocks.push({ node: node ?? document.createTextNode(''), ...(tree === undefined ? {} : { tree }) });
      if (node !== undefined) this.#group?.append(node);
    }
    this.#kept += 1;
  }

  /** Returns the last group, which contains the next block. */
  get #group(): Element | undefined {
    return this.#root.lastElementChild?.lastElementChild ?? undefined;
  }

  #addGroup(): void {
    const full = this.#group;
    if (full !== undefined) full.className = 'blocks full';
    if (this.#kept % (perGroup * perGroup) === 0) this.#root.append(document.createElement('div'));
    const group = document.createElement('div');
    group.className = 'blocks';
    this.#root.lastElementChild?.append(group);
  }

  /** Replaces the parts after the first `keep` ones of the last block: a list, or a table in its scroll container. */
  #replaceParts(keep: number, trees: readonly Tree[], isFinal: boolean): void {
    const block = this.#blocks[this.#kept - 1];
    if (block === undefined || !(block.node instanceof Element)) return;
    const list = block.node.querySelector(':scope > table > tbody') ?? block.node;
    const { from, trees: before } = block.parts ?? { from: 0, trees: partTrees(block.tree) };
    patchChildren(list, keep, before.slice(keep - from), trees, this.#actions, isFinal);
    block.parts = { from: keep, trees };
  }

  #open(info: string): ChildNode {
    this.#code = new CodeBlock(info, this.#actions);
    return this.#code.element;
  }
}

/** Returns the items of a list, or the rows of a table's body. */
function partTrees(tree: Tree | undefined): readonly Tree[] {
  if (typeof tree !== 'object' || !('children' in tree)) return [];
  return tree.tag === 'table' ? partTrees(tree.children.at(-1)) : tree.children;
}
