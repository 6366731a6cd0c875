import { ServiceError } from '../../util/errors.ts';
import type { ChatEvent } from '../chat.ts';
import { endedEarly, errorInAnswer } from '../serviceError.ts';
import { AnswerDecoder } from './decode.ts';
import { KeylessEvents } from './keylessEvents.ts';
import { isCutShort, maxJsonBytes, readJson, tooLong } from './readJson.ts';
import { SseDecoder, type SseEvent } from './sse.ts';
import type { KeyFilter } from './withoutKey.ts';

/** The maximum size of one answer in bytes. Most bytes of a stream are not text. */
export const defaultMaxAnswerBytes = 64 * 1024 * 1024;
/** The maximum length of an answer's text in characters; or a quarter of the byte limit, if that is larger. */
const maxTextChars = 8 * 1024 * 1024;

interface AnswerReaderOptions {
  /** The response's content-type header; '' if it has none. */
  readonly contentType: string;
  /** Masks the key in everything that the service sends. */
  readonly filter: KeyFilter;
  readonly maxBytes?: number;
}

/**
 * Turns the bytes of a 200 response into ChatEvents. Accepts an event stream or a whole completion, regardless of which
 * was requested. Does no I/O. All methods throw ServiceError; events pushed before the error remain valid.
 */
export class AnswerReader {
  readonly #contentType: string;
  readonly #filter: KeyFilter;
  readonly #keyless: KeylessEvents;
  readonly #maxBytes: number;
  readonly #decoder: AnswerDecoder;
  #form: 'unknown' | 'stream' | 'whole' = 'unknown';
  readonly #sse = new SseDecoder();
  #whole: Uint8Array[] = [];
  #wholeBytes = 0;
  #bytes = 0;
  #isDone = false;

  constructor({ contentType, filter, maxBytes = defaultMaxAnswerBytes }: AnswerReaderOptions) {
    this.#contentType = contentType.toLowerCase();
    this.#filter = filter;
    this.#keyless = new KeylessEvents(this.#filter);
    this.#maxBytes = maxBytes;
    this.#decoder = new AnswerDecoder(this.#filter, Math.max(maxTextChars, maxBytes / 4));
  }

  /** True once [DONE] was read: everything after it is ignored. */
  get isDone(): boolean {
    return this.#isDone;
  }

  /** Whether the service has stated the end of the answer: see AnswerDecoder. */
  get endState(): AnswerDecoder['endState'] {
    return this.#decoder.endState;
  }

  /** The size of the answer so far, which grows with each piece of text or of a call. */
  get size(): number {
    return this.#decoder.size;
  }

  get hasDelta(): boolean {
    return this.#decoder.hasDelta;
  }

  /** True once a part of an answer has arrived, whether it can be shown or not. */
  get hasPiece(): boolean {
    return this.#decoder.hasPiece;
  }

  /** True once the first part of an answer, or the first byte of a whole completion, has arrived. */
  get hasBegun(): boolean {
    return this.#form === 'whole' || this.hasPiece;
  }

  push(bytes: Uint8Array, events: ChatEvent[]): void {
    this.#withoutKey(events, (decoded) => this.#push(bytes, decoded));
  }

  /** Call this when the body has ended, cleanly as far as the connection can tell. */
  end(events: ChatEvent[]): void {
    this.#withoutKey(events, (decoded) => this.#end(decoded));
    this.#keyless.end(events);
  }

  /**
   * Call this when the body broke off. Returns whether the answer is complete nevertheless, because the service had stated its
   * end. Emits the text that was held back because it could have become the key.
   */
  breakOff(events: ChatEvent[]): boolean {
    this.#withoutKey(events, (decoded) => {
      // Some servers neither state the length of a completion nor close the connection.
      if (this.#form === 'whole' && readJson(this.#text()) !== undefined) this.#decodeWhole(decoded);
      else this.#decoder.settle(decoded);
    });
    const isComplete = this.endState === 'stated';
    if (isComplete) this.#withoutKey(events, (decoded) => this.#decoder.finish(decoded));
    this.#keyless.end(events);
    return isComplete;
  }

  /** Masks the key in the events that `read` adds: all content of an answer passes through this method. */
  #withoutKey(events: ChatEvent[], read: (decoded: ChatEvent[]) => void): void {
    const decoded: ChatEvent[] = [];
    try {
      read(decoded);
    } finally {
      this.#keyless.pass(decoded, events);
    }
  }

  #push(bytes: Uint8Array, events: ChatEvent[]): void {
    if (this.#isDone) return;
    const room = this.#maxBytes - this.#bytes;
    this.#bytes += bytes.length;
    this.#read(bytes.length > room ? bytes.subarray(0, room) : bytes, events);
    if (bytes.length > room && !this.isDone) {
      throw tooLong();
    }
  }

  #end(events: ChatEvent[]): void {
    if (this.#form === 'stream') this.#decodeLast(events);
    if (this.#form === 'whole') this.#decodeWhole(events);
    this.#finishAtEnd(events);
  }

  #finishAtEnd(events: ChatEvent[]): void {
    this.#decoder.settle(events);
    if (this.endState === 'open') {
      if (this.#decoder.isForeign) throw new ServiceError('protocol', 'Not this interface.', { code: 'malformed' });
      // Each event is whole, and the answer may be too: some services never state its end.
      throw endedEarly(true);
    }
    this.#decoder.finish(events);
  }

  #read(bytes: Uint8Array, events: ChatEvent[]): void {
    let rest = bytes;
    if (this.#form === 'unknown') {
      const start = bytes.findIndex((byte) => !padding.has(byte));
      if (start === -1) return;
      rest = bytes.subarray(start);
      this.#form = formOf(rest, this.#contentType);
    }
    if (this.#form === 'whole') this.#keepWhole(rest);
    else this.#decode(this.#sse.push(rest), events);
  }

  #decode(batch: readonly SseEvent[], events: ChatEvent[]): void {
    for (const { event, data: given } of batch) {
      if (this.#isDone) return;
      if (event === 'error') throw errorInAnswer(given, this.#filter);
      const data = withoutPrefix(given);
      if (isDoneMark(data)) {
        this.#isDone = true;
        this.#decoder.finish(events);
      } else if (data !== '') {
        const several = data.includes('\n') ? separateData(data) : null;
        if (several === null) this.#decoder.push(data, events);
        else this.#decode(several, events);
      }
    }
  }

  #keepWhole(bytes: Uint8Array): void {
    this.#wholeBytes += bytes.length;
    if (this.#wholeBytes > maxJsonBytes) throw tooLong();
    this.#whole.push(bytes);
  }

  /** The last event has no terminator, so the body may hold all or part of it. */
  #decodeLast(events: ChatEvent[]): void {
    const last = this.#sse.end();
    if (last.some(({ data }) => isCutShort(data))) throw endedEarly();
    this.#decode(last, events);
  }

  /** The text of a whole completion, as far as it has arrived. */
  #text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#whole));
  }

  #decodeWhole(events: ChatEvent[]): void {
    const json = this.#text();
    if (isCutShort(json)) throw endedEarly();
    const value = readJson(json);
    if (value === undefined) {
      this.#decodeLines(json, events);
      return;
    }
    const all = Array.isArray(value) ? value.map((one) => JSON.stringify(one)) : [json];
    const found = all.map((one) => this.#decoder.push(one, events));
    if (!found.includes(true)) throw new ServiceError('protocol', 'The answer has no choices.', { code: 'no-choices' });
    this.#decoder.finish(events);
  }

  /** Decodes a stream whose first line looked like a whole answer: one JSON text a line, or events after it. */
  #decodeLines(text: string, events: ChatEvent[]): void {
    const sse = new SseDecoder();
    const lines = [...sse.push(new TextEncoder().encode(text)), ...sse.end()];
    this.#decode(lines, events);
    if (!this.#isDone) this.#finishAtEnd(events);
  }
}

/** Removes `data:` at the beginning: some gateways wrap the events of a server in their own. */
function withoutPrefix(data: string): string {
  return data.startsWith('data:') ? data.replace(/^(?:data:\s*)+/, '') : data;
}

/** Whether the data marks the end of a stream. Some services send it as a JSON string, or in lower case. */
function isDoneMark(data: string): boolean {
  return data.length < 20 && /^\s*"?\[DONE\]"?\s*$/i.test(data);
}

/**
 * Separates events that a service ended with one line break instead of two, so that their data arrived as one. Returns null if
 * the data is one JSON text over several lines.
 */
function separateData(data: string): readonly SseEvent[] | null {
  const lines = data.split('\n').filter((line) => line.trim() !== '');
  const isJson = (line: string): boolean => isDoneMark(line) || readJson(line) !== undefined;
  if (lines.length < 2 || !lines.every(isJson) || readJson(data) !== undefined) return null;
  return lines.map((line) => ({ id: undefined, event: undefined, data: line }));
}

/** White space or a byte of a byte order mark. Some services send blanks to keep a connection alive. */
const padding: ReadonlySet<number> = new Set([0x20, 0x0a, 0x0d, 0x09, 0xef, 0xbb, 0xbf]);

/**
 * Determines the form of a body from its first bytes. The content type decides only if they do not: gateways often send a
 * wrong one (an event stream as text/plain or text/html, a JSON error as text/event-stream).
 */
function formOf(bytes: Uint8Array, contentType: string): 'stream' | 'whole' {
  const start = String.fromCharCode(...bytes.subarray(0, 6));
  const [character = ''] = start;
  if (character === '{' || character === '[') return 'whole';
  if (start.startsWith('\x1f\x8b')) {
    throw new ServiceError('protocol', 'The answer is compressed, and does not say so.', { code: 'content-coding' });
  }
  if (character === '<' || (contentType.includes('html') && !/^(?:data:|event:|id:|retry:|:)/.test(start))) {
    throw new ServiceError('protocol', 'The answer is a web page.', { code: 'html' });
  }
  // These characters begin data:, event:, id:, retry: and comments.
  if (contentType.includes('event-stream') || 'deir:'.includes(character)) return 'stream';
  throw new ServiceError('protocol', 'The answer is neither JSON nor an event stream.', { code: 'content-type' });
}
