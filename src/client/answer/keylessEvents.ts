import type { ChatEvent } from '../chat.ts';
import type { KeyFilter, KeyFilterOfPieces } from './withoutKey.ts';

/** Passes on the events of one answer with the key masked. Holds back text that may turn out to be part of the key. */
export class KeylessEvents {
  readonly #filter: KeyFilter;
  readonly #texts: Readonly<Record<'text-delta' | 'reasoning-delta', KeyFilterOfPieces>>;

  constructor(filter: KeyFilter) {
    this.#filter = filter;
    this.#texts = { 'text-delta': filter.pieces(), 'reasoning-delta': filter.pieces() };
  }

  pass(events: readonly ChatEvent[], to: ChatEvent[]): void {
    for (const event of events) this.#one(event, to);
  }

  /** Call this at the end of the input: emits the text that was held back. */
  end(to: ChatEvent[]): void {
    for (const type of ['reasoning-delta', 'text-delta'] as const) {
      const text = this.#texts[type].end();
      if (text !== '') to.push({ type, text });
    }
  }

  #one(event: ChatEvent, to: ChatEvent[]): void {
    const filter = this.#filter;
    switch (event.type) {
      case 'text-delta':
      case 'reasoning-delta': {
        const text = this.#texts[event.type].push(event.text);
        if (text !== '') to.push({ type: event.type, text });
        return;
      }
      case 'tool-call': {
        this.end(to);
        const { id, name, input } = event.call;
        const keyless = filter.json(input) as typeof input;
        to.push({ type: 'tool-call', call: { id: filter.text(id), name: filter.text(name), input: keyless } });
        return;
      }
      case 'security':
        to.push({ type: 'security', security: filter.json(event.security) });
        return;
      case 'finish':
        this.end(to);
        to.push({ type: 'finish', finishReason: filter.text(event.finishReason) });
        return;
      case 'response':
      case 'retry-wait':
      case 'usage':
        // These events have only numbers, and values from headers that are already filtered.
        to.push(event);
    }
  }
}
