import type { Outgoing, OutgoingMessage } from '../../../src/send/outgoing.ts';

/** The messages of a request without their places in the conversation. */
export function unplaced(outgoing: Outgoing | undefined): readonly Omit<OutgoingMessage, 'place'>[] {
  return (outgoing?.messages ?? []).map(({ place: _, ...message }) => message);
}
