import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { ServiceError } from '../util/errors.ts';

export type SseEvent = EventSourceMessage;

/** Characters of one line or event. Far above any real one, and a bound on what a broken service can make us hold. */
export const maxEventChars = 16 * 1024 * 1024;

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

  constructor(limit = maxEventChars) {
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
    if (this.#isOverLimit) throw tooLong();
    if (decoded === '') return [];
    // A CR at the end of a read may be half of a CRLF, so the parser keeps that line until more comes: with bare CRs a
    // delta, or the [DONE] of a socket left open, would wait for the next one. We complete the pair ourselves.
    let text = this.#endedInCr && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#endedInCr = decoded.endsWith('\r');
    if (this.#endedInCr) text += '\n';
    this.#batch = [];
    this.#parser.feed(text);
    // Whole events that came before the long one are handed on first; the next call then throws.
    if (this.#isOverLimit && this.#batch.length === 0) throw tooLong();
    return this.#batch;
  }
}

function tooLong(): ServiceError {
  return new ServiceError('protocol', 'An event of the stream is too long.', { code: 'too-long' });
}
