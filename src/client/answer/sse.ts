import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { maxJsonBytes, tooLong } from './readJson.ts';

export type SseEvent = EventSourceMessage;

/** The maximum number of lines without an event: each line of an incomplete event costs memory, however short it is. */
const maxLines = 100_000;
/**
 * The beginning of a line that is not a field of an event, but has a meaning: gateways put JSON, a web page or `error: ...`
 * between the events of a server, and a byte order mark where they join two streams.
 */
const oddLine = /^(?:[{<\ufeff]|er|e$)/;
const page = /^<(?:!doctype|html|head|body|h1)\b/i;
/** A decoder that keeps byte order marks, which are dropped at the start of lines instead. */
const wholePieces = new TextDecoder('utf-8', { ignoreBOM: true });
const markAtLine = /(^|[\r\n])\ufeff+/g;

/**
 * Decodes bytes into complete server-sent events, one batch per push. Drops a byte order mark and replaces invalid
 * UTF-8 with U+FFFD. Both methods throw ServiceError (protocol, `too-long`) if an event exceeds the limit.
 */
export class SseDecoder {
  /** The decoder for all pieces from the first one on that ends within a character. */
  #split: InstanceType<typeof TextDecoder> | undefined;
  readonly #parser;
  #batch: SseEvent[] = [];
  #isOverLimit = false;
  #linesWithoutEvent = 0;
  readonly #limit: number;
  #isAtLine = true;
  /** The beginning of an odd line: the parser drops an incomplete one. */
  #held = '';

  /** @param limit the maximum number of characters in one line or event; an event holds one JSON text. */
  constructor(limit = maxJsonBytes) {
    this.#limit = limit;
    this.#parser = createParser({
      onEvent: (event) => this.#batch.push(event),
      onError: ({ type, field, value = '', line = '' }) => {
        if (type === 'max-buffer-size-exceeded') this.#isOverLimit = true;
        if (type !== 'unknown-field') return;
        if (field === 'error') this.#push('error', value);
        else if (line.startsWith('{')) this.#push(undefined, line);
        else if (page.test(line)) this.#push('error', line);
      },
      maxBufferSize: limit,
    });
  }

  push(bytes: Uint8Array): readonly SseEvent[] {
    return this.#feed(this.#textOf(bytes));
  }

  /** Call this at the end of the input. The added blank line makes an unterminated last event count; other clients lose it. */
  end(): readonly SseEvent[] {
    return this.#feed(`${this.#split?.decode() ?? ''}\n\n`);
  }

  /**
   * Decodes a piece. Most pieces end in ASCII, and are decoded alone: a streaming decoder takes long to create, and is slower.
   */
  #textOf(bytes: Uint8Array): string {
    if (this.#split === undefined && (bytes.at(-1) ?? 0) < 0x80) return wholePieces.decode(bytes);
    this.#split ??= new TextDecoder('utf-8', { ignoreBOM: true });
    return this.#split.decode(bytes, { stream: true });
  }

  #feed(decoded: string): readonly SseEvent[] {
    if (this.#isOverLimit) throw tooLong('An event of the stream');
    if (decoded === '') return [];
    this.#batch = [];
    const text = this.#wholeLines(decoded);
    this.#parser.feed(text);
    this.#linesWithoutEvent = this.#batch.length > 0 ? 0 : this.#linesWithoutEvent + countLines(text);
    if (this.#linesWithoutEvent > maxLines) this.#isOverLimit = true;
    // Complete events before the long one are returned first; the next call then throws.
    if (this.#isOverLimit && this.#batch.length === 0) throw tooLong('An event of the stream');
    return this.#batch;
  }

  /** The text without byte order marks at the start of lines, and without the beginning of an odd line at its end. */
  #wholeLines(given: string): string {
    if (this.#held !== '' && !/[\r\n]/.test(given)) {
      this.#held += given;
      if (this.#held.length > this.#limit) this.#isOverLimit = true;
      return '';
    }
    let text = this.#held + given;
    this.#held = '';
    if (text.includes('\ufeff')) {
      text = text.replaceAll(markAtLine, (found, before, at) => (at > 0 || this.#isAtLine ? before : found));
    }
    const start = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
    const isAtLine = start > 0 || this.#isAtLine;
    const isOdd = isAtLine && oddLine.test(text.slice(start, start + 2));
    this.#isAtLine = isOdd || (isAtLine && start === text.length);
    if (!isOdd) return text;
    this.#held = text.slice(start);
    return text.slice(0, start);
  }

  #push(event: 'error' | undefined, data: string): void {
    this.#batch.push({ id: undefined, event, data });
  }
}

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
