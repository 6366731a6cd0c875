import { isOpen } from '../../protocol/toolStepState.ts';
import type { ToolStepView } from '../../protocol/turnView.ts';
import { fileOf } from '../markdown/codeBlock.ts';
import { parse } from '../markdown/parser.ts';
import { type Tree, taskBox, toTree } from '../markdown/tree.ts';
import type { ShownTurn } from '../state.ts';
import { withReordering } from '../text.ts';
import { segmentsOf } from '../view/turn/segments.ts';

/** The parts of a turn that are searched, in the order of the page; parts of an answer between tool calls follow them. */
export const fields = ['prompt', 'context', 'thinking', 'steps', 'answer', 'openSteps', 'summary'] as const;
export type Field = (typeof fields)[number];

/** Elements that do not interrupt the text around them. */
const inline: ReadonlySet<string> = new Set(['strong', 'em', 's', 'code', 'a', 'sup']);

/**
 * Returns the texts of a turn as the page shows them, including parts that are folded or not drawn. Each text is a block: a match
 * can cross the formats inside a block, but not its end.
 */
export function textsOf(turn: ShownTurn): Readonly<Record<Field, readonly string[]>> {
  const { prompt, context, thinking = '', steps = [], answer, summary } = turn;
  return {
    prompt: [prompt],
    context,
    thinking: [thinking],
    steps: steps
      .filter((step) => !isOpen(step))
      .flatMap(({ title, note, input, result }) => [`${title} · ${note}`, input, result ?? '']),
    answer: segmentsOf(steps, answer).flatMap(({ from, to }) => blocksOf(toTree(parse(answer.slice(from, to)).tokens))),
    openSteps: steps.filter(isOpen).flatMap(openTexts),
    summary: summary === undefined ? [] : [summary.text],
  };
}

/** Returns the sources of the texts of textsOf(), with the Markdown of the answer. */
export function sourcesOf(turn: ShownTurn): readonly string[] {
  const { prompt, context, thinking = '', steps = [], answer, summary } = turn;
  const ofSteps = steps.flatMap(({ title, input, result = '' }) => [title, input, result]);
  return [prompt, answer, thinking, summary?.text ?? '', ...context, ...ofSteps];
}

function openTexts({ state, title, note, question, detail, input }: ToolStepView): readonly string[] {
  return state === 'asking'
    ? [question ?? '', ...(detail === undefined ? [] : [detail]), input]
    : [`${title} · ${note}`];
}

/** Returns the text of each block of an answer. */
function blocksOf(trees: readonly Tree[]): readonly string[] {
  const blocks: string[] = [];
  let text = '';
  const end = (): void => {
    if (text !== '') blocks.push(text);
    text = '';
  };
  const walk = (tree: Tree): void => {
    if (typeof tree === 'string') {
      text += tree;
    } else if (tree.tag === 'formula') {
      text += tree.written;
    } else if (tree.tag === 'task-box') {
      text += taskBox(tree.isDone);
    } else if (tree.tag === 'code-block') {
      end();
      for (const part of [fileOf(tree.info), withReordering(tree.code)]) if (part !== '') blocks.push(part);
    } else {
      if (!inline.has(tree.tag)) end();
      tree.children.forEach(walk);
      if (!inline.has(tree.tag)) end();
    }
  };
  trees.forEach(walk);
  end();
  return blocks;
}
