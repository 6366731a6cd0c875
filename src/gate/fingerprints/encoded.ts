import {
  batchLength,
  type Decoded,
  Decoder,
  isDigit,
  isHexDigit,
  minDigits,
  minWrappedLineLength,
  noDigit,
  sextets,
} from './decoder.ts';

export type { Decoded } from './decoder.ts';

/** The length in UTF-16 units of text that is read between two pauses. */
const windowLength = 64 * 1024;
/** The maximum length of a run in UTF-16 units; a longer one is decoded in parts. */
const maxRunLength = 256 * 1024;

/**
 * Finds the runs of base64 or hexadecimal digits and yields them decoded once. Each result is valid only until the next one is
 * requested. Yields null where the search may pause.
 */
export function* encodedIn(text: Uint16Array): Generator<Decoded | null> {
  const decoder = new Decoder(text);
  for (let from = 0; from < text.length; ) {
    const to = Math.min(text.length, from + windowLength);
    while (from < to && decoder.length < batchLength) {
      const start = nextRun(text, from, to);
      from = start === -1 ? to : addRun(decoder, text, start);
    }
    yield decoder.length >= batchLength ? decoder.take() : null;
  }
  if (decoder.length > 0) yield decoder.take();
}

const halfRun = minDigits / 2 - 1;

/** The first run before `to` that is long enough, or -1. Samples characters at distances that no such run can miss. */
function nextRun(text: Uint16Array, from: number, to: number): number {
  const values = sextets;
  for (let probe = from; probe < to; probe += minDigits) {
    const unit = text[probe] ?? 0;
    if (unit >= 128 || values[unit] === noDigit) continue;
    // At least half of the run is on one side.
    const isLeft = probe - from >= halfRun && isDigit(text[probe - 6] ?? 0) && isDigit(text[probe - halfRun] ?? 0);
    const isRight =
      probe + halfRun < text.length && isDigit(text[probe + 6] ?? 0) && isDigit(text[probe + halfRun] ?? 0);
    if (!isLeft && !isRight) continue;
    let start = probe;
    while (start > from && isDigit(text[start - 1] ?? 0)) start -= 1;
    const end = digitsEnd(text, probe + 1, Math.min(text.length, start + minDigits));
    if (end - start >= minDigits) return start;
  }
  return -1;
}

/**
 * Decodes a run and returns its end, which may be after the window. Where 24 or more hexadecimal digits are within a run of other
 * digits, they are a run by themselves. The caller has checked the first digits.
 */
function addRun(decoder: Decoder, text: Uint16Array, start: number): number {
  let other = start + minDigits - 1;
  while (other >= start && isHexDigit(text[other] ?? 0)) other -= 1;
  const isHex = other < start;
  const max = Math.min(text.length, start + maxRunLength);
  const first = isHex ? hexEnd(text, start + minDigits, max) : base64End(text, start + minDigits, other, max);
  const end = first - start < minWrappedLineLength ? first : endOfLines(text, start, first, isHex, max);
  if (end - start >= minDigits) decoder.add(start, end, isHex);
  return end;
}

/** The end of a run, which continues in the next line after a full line if that has digits of the same kind. */
function endOfLines(text: Uint16Array, from: number, firstEnd: number, isHex: boolean, max: number): number {
  const before = from === 1 || text[from - 2] === newLine ? text[from - 1] : 0;
  for (let [start, end] = [from, firstEnd]; ; ) {
    if (end >= max || end - start < minWrappedLineLength || isDigit(text[end] ?? 0)) return end;
    start = afterLineBreakAndPrefix(text, end);
    if (start === end || start >= max) return end;
    // A diff has a sign before each line.
    if (isHex && (before === plus || before === minus) && text[start] === before) start += 1;
    const next = isHex ? hexEnd(text, start, max) : base64End(text, start, start - 1, max);
    if (next === start || (isHex && next < max && isDigit(text[next] ?? 0))) return end;
    end = next;
  }
}

function hexEnd(text: Uint16Array, from: number, max: number): number {
  let at = from;
  while (at < max && isHexDigit(text[at] ?? 0)) at += 1;
  return at;
}

/**
 * The end of digits, or the start of the first hexadecimal run in them. The digits before `from` are known, and `other` is the last of
 * them that is not hexadecimal. Samples digits at distances that no such run can miss.
 */
function base64End(text: Uint16Array, from: number, other: number, max: number): number {
  let [last, end] = [other, from];
  for (;;) {
    const probe = last + minDigits;
    if (probe >= end) end = digitsEnd(text, end, Math.min(max, 2 * probe - from + minDigits));
    if (probe >= end) return end;
    let at = probe;
    while (at > last && isHexDigit(text[at] ?? 0)) at -= 1;
    if (at === last) return last + 1;
    last = at;
  }
}

function digitsEnd(text: Uint16Array, from: number, max: number): number {
  const [values, none] = [sextets, noDigit];
  for (let at = from; at < max; at += 1) {
    const unit = text[at] ?? 0;
    if (unit >= 128 || values[unit] === none) return at;
  }
  return max;
}

/** The position after one line break (also an escaped one) and the prefix that a quote adds to the next line. */
function afterLineBreakAndPrefix(text: Uint16Array, from: number): number {
  let at = from;
  while (at < text.length && text[at] === space) at += 1;
  const end = afterLineBreak(text, at);
  if (end === at) return from;
  at = end;
  for (const max = Math.min(text.length, at + 40); at < max && quoting.has(text[at] ?? 0); ) at += 1;
  return at;
}

function afterLineBreak(text: Uint16Array, at: number): number {
  if (at >= text.length) return at;
  const [first, second] = [text[at], at + 1 < text.length ? text[at + 1] : 0];
  if (first === backslash && second === letterN) return at + 2;
  if (first === backslash && second === letterR) {
    return at + 3 < text.length && text[at + 2] === backslash && text[at + 3] === letterN ? at + 4 : at + 2;
  }
  if (first === carriageReturn) return second === newLine ? at + 2 : at + 1;
  return first === newLine ? at + 1 : at;
}

const [newLine, carriageReturn, space, plus, minus, backslash, letterN, letterR] = [10, 13, 32, 43, 45, 92, 110, 114];
const quoting: ReadonlySet<number> = new Set(Array.from(' \t>|#*', (character) => character.charCodeAt(0)));
