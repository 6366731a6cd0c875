import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { maxJsonBytes, tooLong } from './readJson.ts';

export type SseEvent = EventSourceMessage;

/** Limit on lines without an event: each line of an incomplete event costs memory, however short it is. */
const maxLines = 100_000;

/**
 * Decodes bytes into complete server-sent events, one batch per push. Drops a byte order mark and replaces invalid
 * UTF-8 with U+FFFD. Both methods throw ServiceError (protocol, `too-long`) if an event exceeds the limit.
 */
export class SseDecoder {
  readonly #text = new TextDecoder();
  readonly #parser;
  #batch: SseEvent[] = [];
  #endedInCr = false;
  #isOverLimit = false;
  #linesWithoutEvent = 0;

  /** @param limit characters of one line or event; an event holds one JSON text. */
  constructor(limit = maxJsonBytes) {
    this.#parser = createParser({
      onEvent: (event) => this.#batch.push(event),
      onError: (error) => {
        if (error.type === 'max-buffer-size-exceeded') this.#isOverLimit = true;
      },
      maxBufferSize: limit,
    });
  }

  push(bytes: Uint8Array): readonly SseEvent[] {
    return this.#feed(this.#text.decode(bytes, { stream: true }));
  }

  /** The input is over. The added blank line makes an unterminated last event count; several peers lose it. */
  end(): readonly SseEvent[] {
    return this.#feed(`${this.#text.decode()}\n\n`);
  }

  #feed(decoded: string): readonly SseEvent[] {
    if (this.#isOverLimit) throw tooLong('An event of the stream');
    if (decoded === '') return [];
    // A CR at the end of a read may be half of a CRLF, so the parser holds that line until more arrives: with bare CRs,
    // a delta or the [DONE] of an open socket would be delayed. We complete the pair ourselves.
    let text = this.#endedInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#endedInCr = decoded.endsWith('\r');
    if (this.#endedInCr) text += '\n';
    this.#batch = [];
    this.#parser.feed(text);
    this.#linesWithoutEvent = this.#batch.length > 0 ? 0 : this.#linesWithoutEvent + countLines(text);
    if (this.#linesWithoutEvent > maxLines) this.#isOverLimit = true;
    // Complete events before the long one are returned first; the next call then throws.
    if (this.#isOverLimit && this.#batch.length === 0) throw tooLong('An event of the stream');
    return this.#batch;
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
