/** States of a tool call that may still change. */
const openStates = [
  /** Another call runs first. */
  'waiting',
  /** The user is asked. */
  'asking',
  'running',
] as const;

export const toolStepStates = [
  ...openStates,
  'done',
  'failed',
  /**
   * The call does not match an offered tool, requests content that must not be sent, or repeats another call: the user was
   * not asked.
   */
  'refused',
  'denied',
  'stopped',
  /** The turn was stopped before it: see session/tools/stopRules.ts. */
  'capped',
] as const;

export type ToolStepState = (typeof toolStepStates)[number];

export function isOpen({ state }: { readonly state: ToolStepState }): boolean {
  return (openStates as readonly ToolStepState[]).includes(state);
}
