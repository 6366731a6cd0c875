/** States of a turn that may still change. */
const liveStatuses = [
  /** The user is asked whether the request may leave. */
  'confirming',
  /** The user is asked about a tool call, or a tool runs. */
  'calling',
  'waiting',
  'retrying',
  'streaming',
] as const;

export const endStatuses = ['complete', 'interrupted', 'stopped', 'failed'] as const;

export type TurnStatus = (typeof liveStatuses)[number] | (typeof endStatuses)[number];

export function isLive({ status }: { readonly status: TurnStatus }): boolean {
  return (liveStatuses as readonly TurnStatus[]).includes(status);
}
