import {
  batchLength,
  type Decoded,
  Decoder,
  fewestDigits,
  isDigit,
  noDigit,
  sextets,
  wrappedDigits,
} from './decoder.ts';

export type { Decoded } from './decoder.ts';

/** How much of a text is read between two pauses, in UTF-16 units. */
const windowLength = 64 * 1024;
/** A longer run is decoded in parts. */
const longestRun = 1024 * 1024;

/**
 * The texts in base64 and hexadecimal digits, decoded once. Each is valid until the next one is asked for. Yields null where
 * the search may pause.
 */
export function* encodedIn(text: Uint16Array): Generator<Decoded | null> {
  const decoder = new Decoder(text);
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, from + windowLength);
    while (from < to && decoder.length < batchLength) {
      const start = nextRun(text, from, to);
      // A run may go on after the window.
      const end = start === -1 ? to : endOfRun(text, start);
      if (start !== -1) decoder.add(start, end);
      from = start === -1 ? to : end + 1;
    }
    yield decoder.length >= batchLength ? decoder.take() : null;
  }
  if (decoder.length > 0) yield decoder.take();
}

const half = fewestDigits / 2 - 1;

/** The first run before `to` that is long enough, or -1. Samples characters at distances that no such run can miss. */
function nextRun(text: Uint16Array, from: number, to: number): number {
  const values = sextets;
  for (let probe = from; probe < to; probe += fewestDigits) {
    const unit = text[probe] ?? 0;
    if (unit >= 128 || values[unit] === noDigit) continue;
    // At least half of the run is on one side.
    const isLeft = probe - from >= half && isDigit(text[probe - 6] ?? 0) && isDigit(text[probe - half] ?? 0);
    const isRight = probe + half < text.length && isDigit(text[probe + 6] ?? 0) && isDigit(text[probe + half] ?? 0);
    if (!isLeft && !isRight) continue;
    let start = probe;
    while (start > from && isDigit(text[start - 1] ?? 0)) start -= 1;
    let end = probe + 1;
    while (end < start + fewestDigits && end < text.length && isDigit(text[end] ?? 0)) end += 1;
    if (end - start >= fewestDigits) return start;
  }
  return -1;
}

/** The end of the digits, including those of the next lines after full lines. `fewestDigits` are known to be there. */
function endOfRun(text: Uint16Array, from: number): number {
  const most = Math.min(text.length, from + longestRun);
  let start = from;
  let end = from + fewestDigits;
  for (;;) {
    end = digitsEnd(text, end, most);
    if (end >= most || end - start < wrappedDigits) return end;
    const next = afterLineEnd(text, end);
    if (next === end || next >= most || !isDigit(text[next] ?? 0)) return end;
    start = next;
    end = next;
  }
}

function digitsEnd(text: Uint16Array, from: number, most: number): number {
  const values = sextets;
  for (let at = from; at < most; at += 1) {
    const unit = text[at] ?? 0;
    if (unit >= 128 || values[unit] === noDigit) return at;
  }
  return most;
}

/** The position after one line end (also an escaped one) and the prefix that a quote adds to the next line. */
function afterLineEnd(text: Uint16Array, from: number): number {
  let at = from;
  while (at < text.length && text[at] === space) at += 1;
  const end = afterOne(text, at);
  if (end === at) return from;
  at = end;
  for (const most = Math.min(text.length, at + 40); at < most && quoting.has(text[at] ?? 0); ) at += 1;
  return at;
}

function afterOne(text: Uint16Array, at: number): number {
  if (at >= text.length) return at;
  const [first, second] = [text[at], at + 1 < text.length ? text[at + 1] : 0];
  if (first === backslash && second === letterN) return at + 2;
  if (first === backslash && second === letterR) {
    return at + 3 < text.length && text[at + 2] === backslash && text[at + 3] === letterN ? at + 4 : at + 2;
  }
  if (first === carriageReturn) return second === newLine ? at + 2 : at + 1;
  return first === newLine ? at + 1 : at;
}

const [newLine, carriageReturn, space, backslash, letterN, letterR] = [10, 13, 32, 92, 110, 114];
const quoting: ReadonlySet<number> = new Set(Array.from(' \t>|#*', (character) => character.charCodeAt(0)));
