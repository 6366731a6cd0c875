import { mock } from 'node:test';
import { Publisher } from '../../../src/features/chat/vscode/publisher.ts';
import type { EventsMessage } from '../../../src/protocol/panelEvents.ts';

/** A message of the host and its time in ms after the first delta. */
export interface Timed {
  readonly at: number;
  readonly message: EventsMessage;
}

/** The turn of the bench's answers. */
export const turnId = 'streamed';

/** The size of one piece of a model. */
const deltaLength = 8;

/** The messages of the shipped Publisher while a model writes `text` in pieces of 8 characters at this pace. */
export function messagesOf(text: string, charactersPerSecond: number): readonly Timed[] {
  const sent: Timed[] = [];
  let now = 0;
  mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  try {
    const publisher = new Publisher((message) => sent.push({ at: now, message }));
    publisher.open({ type: 'focus-composer' });
    sent.length = 0;
    for (let start = 0; start < text.length; start += deltaLength) {
      const due = Math.floor((start / charactersPerSecond) * 1000);
      for (; now < due; now += 1) mock.timers.tick(1);
      publisher.publish({ type: 'delta', turnId, text: text.slice(start, start + deltaLength) });
    }
    for (let rest = 0; rest < 1000; rest += 1, now += 1) mock.timers.tick(1);
  } finally {
    mock.timers.reset();
  }
  return sent;
}

/** The highest number of messages within any second. */
export function mostInASecond(messages: readonly Timed[]): number {
  return Math.max(
    ...messages
      .map(({ at }, index) => messages.slice(index).findIndex((later) => later.at >= at + 1000))
      .map((count, index) => (count === -1 ? messages.length - index : count)),
  );
}

export function textOf({ message }: Timed): string {
  return message.events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
}
