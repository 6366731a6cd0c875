/** States of a turn that may still change. */
const liveStatuses = [
  /** The user is asked whether the request may be sent. */
  'confirming',
  /** The user is asked about a tool call, or a tool runs. */
  'calling',
  'waiting',
  'retrying',
  'streaming',
] as const;

export const endStatuses = ['complete', 'interrupted', 'stopped', 'failed'] as const;

export type LiveStatus = (typeof liveStatuses)[number];

export type TurnStatus = LiveStatus | (typeof endStatuses)[number];

export function isLive<S extends { readonly status: TurnStatus }>(
  state: S,
): state is Extract<S, { readonly status: LiveStatus }> {
  return (liveStatuses as readonly TurnStatus[]).includes(state.status);
}
