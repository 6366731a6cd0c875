import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { maxJsonBytes, tooLong } from './readJson.ts';

export type SseEvent = EventSourceMessage;

/** Lines without an event: each line of an event that is not whole yet costs memory of its own, however short it is. */
const maxLines = 100_000;

/**
 * Bytes in, whole server-sent events out, a batch for each push. A byte order mark is dropped and invalid UTF-8
 * becomes U+FFFD. Both throw ServiceError (protocol, `too-long`) once an event outgrows the limit.
 */
export class SseDecoder {
  readonly #text = new TextDecoder();
  readonly #parser;
  #batch: SseEvent[] = [];
  #endedInCr = false;
  #isOverLimit = false;
  #linesWithoutEvent = 0;

  /** @param limit characters of one line or event; one is one JSON text. */
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

  /** The input is over. The blank line makes an unterminated last event count; several peers lose it. */
  end(): readonly SseEvent[] {
    return this.#feed(`${this.#text.decode()}\n\n`);
  }

  #feed(decoded: string): readonly SseEvent[] {
    if (this.#isOverLimit) throw tooLong('An event of the stream');
    if (decoded === '') return [];
    // A CR at the end of a read may be half of a CRLF, so the parser keeps that line until more comes: with bare CRs a
    // delta, or the [DONE] of a socket left open, would wait for the next one. We complete the pair ourselves.
    let text = this.#endedInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#endedInCr = decoded.endsWith('\r');
    if (this.#endedInCr) text += '\n';
    this.#batch = [];
    this.#parser.feed(text);
    this.#linesWithoutEvent = this.#batch.length > 0 ? 0 : this.#linesWithoutEvent + countLines(text);
    if (this.#linesWithoutEvent > maxLines) this.#isOverLimit = true;
    // Whole events that came before the long one are handed on first; the next call then throws.
    if (this.#isOverLimit && this.#batch.length === 0) throw tooLong('An event of the stream');
    return this.#batch;
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
