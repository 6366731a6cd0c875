import { isOpen } from '../../../protocol/toolStepState.ts';
import type { ToolStepView } from '../../../protocol/turnView.ts';

/** A part of an answer, and the tool calls that ended after it. */
interface Segment {
  /** The offset in the answer at which the text begins. */
  readonly from: number;
  /** The offset at which the text ends; undefined for the last part, which grows. */
  readonly to: number | undefined;
  readonly steps: readonly ToolStepView[];
}

/**
 * Splits an answer into its parts, in the order in which they arrived: text, the tool calls after it, and the text after them.
 */
export function segmentsOf(steps: readonly ToolStepView[], answer: string): readonly Segment[] {
  const segments: Segment[] = [];
  let from = 0;
  for (const step of steps.filter((each) => !isOpen(each))) {
    const to = Math.min(Math.max(from, step.at), answer.length);
    const last = segments.at(-1);
    if (last !== undefined && answer.slice(from, to).trim() === '') {
      segments[segments.length - 1] = { ...last, steps: [...last.steps, step] };
    } else segments.push({ from, to, steps: [step] });
    from = to;
  }
  return [...segments, { from, to: undefined, steps: [] }];
}
